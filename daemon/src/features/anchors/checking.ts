import path from 'node:path';
import { type Anchor, Anchors } from '@reverie/shared/contract/memories/anchors';
import type { AnchorNow } from '@reverie/shared/contract/memories/anchor-now';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../platform/log.ts';
import { createYielding, type YieldToOthers } from '../../platform/yielding.ts';
import { type CodeFile, codeFile } from './code-files.ts';
import { findingDefinition } from './definition.ts';
import {
  type Budget,
  type CodeText,
  comparingFile,
  findingLines,
  readingCode,
  readRange,
  spend,
  writeRange,
} from './lines.ts';
import type { RepositoryHistory } from './repository.ts';
import { inTurns, type Steps } from './steps.ts';

/** What a look at one anchor found: the same as long as the file is. */
type Found = Pick<AnchorNow, 'state' | 'lines_now'>;

/** Results of earlier looks that are kept. */
const KEPT = 5_000;
/** Files that are read at once for a reply. */
const AT_ONCE = 4;
/** Characters of files and anchors that are compared for a reply: what is left out then is told `unchecked`, and looked at the next time. */
const MOST_COMPARED = 8 * 1024 * 1024;
/** New files that are looked through for one that is gone. */
const MOST_ADDED = 50;
/** Characters of an anchor by which a file of another name is told from others that say such a thing, too. */
const TELLING = 60;

/** An anchor, and the repository that it is in. */
export interface PlacedAnchor {
  root: string;
  anchor: Anchor;
}

/** Looks at what became of the anchors of a reply. What could not be looked at is not told. */
export type AnchorCheck = (anchors: readonly PlacedAnchor[], reply: Reply) => Promise<void>;

/** Who asks for anchors. */
export interface Reply {
  /** Aborted once nobody waits any more: nothing further is looked at then. */
  late: AbortSignal;
  /** Whether the commit of a change is waited for; else it is told once it is known, the next time. */
  forCommits: boolean;
  /** Called for each anchor that was looked at, once more where more became known. */
  tell(anchor: Anchor, now: AnchorNow): void;
}

/** A file, and those of its anchors that are looked at together. */
interface Look {
  root: string;
  name: string;
  file: CodeFile;
  anchors: Anchor[];
}

interface Deps {
  history: Omit<RepositoryHistory, 'head' | 'ignored'>;
  log: Pick<Log, 'warn'>;
}

/** What the looks of a reply share. */
interface Work extends Deps, Reply {
  /** Resolves when it is late. */
  untilLate: Promise<undefined>;
  seen: LRUCache<string, Found>;
  changeOf: ReturnType<typeof createChanges>;
  budget: Budget;
  pause: YieldToOthers;
}

/** The anchors of a memory, as its metadata has them; none where they are of another shape, as an import may bring them. */
export function anchorsIn({ anchors }: JsonObject): readonly Anchor[] {
  return anchors === undefined ? [] : (Anchors.safeParse(anchors).data ?? []);
}

/** Makes the check of anchors, which remembers what it found in files that are as they were. */
export function createAnchorCheck(deps: Deps): AnchorCheck {
  const seen = new LRUCache<string, Found>({ max: KEPT });
  const changeOf = createChanges(deps.history);
  return (anchors, reply) => {
    const untilLate = new Promise<undefined>((resolve) => {
      reply.late.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    const budget = { left: MOST_COMPARED };
    return check(anchors, { ...deps, ...reply, untilLate, seen, changeOf, budget, pause: createYielding() });
  };
}

async function check(anchors: readonly PlacedAnchor[], work: Work): Promise<void> {
  const looks: Look[] = [];
  const gone: PlacedAnchor[] = [];
  const files = Map.groupBy(anchors, ({ root, anchor }) => JSON.stringify([root, anchor.path]));
  await forEach(work, files.values(), async (there) => {
    for (const { root, anchor } of there.slice(0, 1)) {
      const file = codeFile(root, anchor.path);
      if (file === 'gone') gone.push(...there);
      else if (file !== 'unfit')
        looks.push({ root, name: anchor.path, file, anchors: there.map((one) => one.anchor) });
    }
  });
  const open = await inTime(work, withoutIgnored(work, looks));
  await forEach(work, open ?? [], async (look) => {
    const told: Promise<void>[] = [];
    await lookInto(work, look, (anchor, now) => told.push(tellFound(work, { root: look.root, anchor }, now)));
    await Promise.all(told);
  });
  // They stay so unless Git knows more in time.
  for (const one of gone) await tellFound(work, one, { state: 'gone' });
  await forEach(work, gone, async (one) => {
    const elsewhere = await inTime(work, lookElsewhere(work, one));
    if (elsewhere) await tellFound(work, one, elsewhere);
  });
}

/** Does something for each, some at a time, until it is late; what failed for one goes to the log. */
async function forEach<T>(work: Work, all: Iterable<T>, one: (item: T) => Promise<void>): Promise<void> {
  const items = [...all].values();
  const go = async () => {
    for (const item of items) {
      await work.pause();
      if (isLate(work)) return;
      await one(item).catch((err: unknown) => work.log.warn({ err }, 'an anchor could not be checked'));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
}

const isLate = ({ late }: Work) => late.aborted;

function inTime<T>({ untilLate }: Work, asked: Promise<T>): Promise<T | undefined> {
  return Promise.race([asked, untilLate]);
}

/** Tells what became of an anchor; `path_now` where that is in another file. */
async function tellFound(
  work: Work,
  { root, anchor }: PlacedAnchor,
  { path_now, ...now }: Found & Pick<AnchorNow, 'path_now'>,
): Promise<void> {
  const { path: name, lines, symbol, commit: since } = anchor;
  const told: AnchorNow = {
    path: name,
    ...(lines !== undefined && { lines }),
    ...(symbol !== undefined && { symbol }),
    ...now,
    ...(path_now !== undefined && { path_now }),
  };
  if (path_now !== undefined && now.state === 'same') told.state = 'moved';
  work.tell(anchor, told);
  if (now.state !== 'changed' || since === undefined) return;
  const file = { path: path_now ?? name, since };
  const commit = await inTime(work, work.changeOf(root, file, work.forCommits ? work.late : undefined));
  if (commit !== undefined) work.tell(anchor, { ...told, commit });
}

/** Finds the commits of changes. */
function createChanges(history: Pick<RepositoryHistory, 'lastChange'>) {
  const commits = new LRUCache<string, string>({ max: KEPT });
  let isAsked = false;
  /** The commit of a change: the one that is known by now, where nobody waits; then one question at most is put to git behind it. */
  return async (
    root: string,
    file: { path: string; since: string },
    waits: AbortSignal | undefined,
  ): Promise<string | undefined> => {
    const id = JSON.stringify([root, file]);
    if (!waits && isAsked) return commits.get(id);
    isAsked = true;
    const asked = history.lastChange(root, file, waits).then((commit) => {
      isAsked = false;
      commits.set(id, commit);
      return commit;
    });
    return waits ? asked : commits.get(id);
  };
}

/** Those looks whose file Git does not ignore, as far as it says so: of others nobody is to learn whether they are as a hash says. */
async function withoutIgnored({ history, late }: Work, looks: readonly Look[]): Promise<Look[]> {
  const open = [...Map.groupBy(looks, ({ root }) => root)].map(async ([root, there]) => {
    const paths = new Set(there.map(({ file }) => file.path));
    const ignored = await history.ignoredLately(root, [...paths], late);
    return ignored ? there.filter(({ file }) => !ignored.has(file.path)) : [];
  });
  return (await Promise.all(open)).flat();
}

/** Looks at anchors in a file, which is read once, and only where something is not known of before. */
async function lookInto(
  work: Work,
  { root, name, file, anchors }: Look,
  found: (anchor: Anchor, now: Found) => void,
): Promise<void> {
  const idOf = ({ hash, lines, symbol }: Anchor) =>
    file.version && JSON.stringify([root, name, file.version, hash, lines, symbol]);
  const unknown: Anchor[] = [];
  for (const anchor of anchors) {
    const before: Found | undefined =
      anchor.hash === undefined ? { state: 'same' } : work.seen.get(idOf(anchor) ?? '');
    if (before) found(anchor, before);
    else unknown.push(anchor);
  }
  const content = unknown.length > 0 ? await file.read() : undefined;
  if (!content) return;
  let code: CodeText | undefined;
  for (const anchor of unknown) {
    await work.pause();
    if (isLate(work)) return;
    let now: Found | undefined = { state: 'same' };
    if (content.blob !== anchor.blob) {
      if (!code && !spend(work.budget, content.text.length)) return;
      code ??= await inTurns(readingCode(content.text), work);
      now = code && (await inTurns(comparing(code, anchor, work.budget), work));
    }
    if (!now) continue;
    found(anchor, now);
    work.seen.set(idOf(anchor) ?? '', file.version === undefined ? undefined : now);
  }
}

/** Finds where a file that is gone was renamed, by Git or else by what it says, and what became of the anchor there. */
async function lookElsewhere(
  work: Work,
  placed: PlacedAnchor,
): Promise<(Found & { path_now: string }) | undefined> {
  const { root, anchor } = placed;
  const { path: name, hash, commit: since = 'HEAD' } = anchor;
  const renamed = await work.history.renamed(root, { path: name, since }, work.late);
  const [there] = renamed === undefined ? [] : await looksAt(work, placed, [renamed]);
  if (there) return { ...(await lookForOne(work, there)), path_now: there.name };
  const { base, ext } = path.posix.parse(name);
  const isTelling = lengthOf(hash) >= TELLING;
  const like = (await work.history.added(root, since, work.late)).filter(
    (one) => path.posix.basename(one) === base || (isTelling && path.posix.extname(one) === ext),
  );
  for (const look of await looksAt(work, placed, like.slice(0, MOST_ADDED))) {
    const now = await lookForOne(work, look);
    if (now.state === 'same' || now.state === 'moved') return { ...now, path_now: look.name };
  }
  return undefined;
}

/** Looks for an anchor in files of other names: those that are there, and that Git does not ignore. */
async function looksAt(
  work: Work,
  { root, anchor }: PlacedAnchor,
  names: readonly string[],
): Promise<Look[]> {
  const looks: Look[] = [];
  for (const name of names) {
    await work.pause();
    if (isLate(work)) return [];
    const file = codeFile(root, name);
    if (typeof file !== 'string') looks.push({ root, name, file, anchors: [anchor] });
  }
  return withoutIgnored(work, looks);
}

async function lookForOne(work: Work, look: Look): Promise<Found> {
  let result: Found = { state: 'unchecked' };
  if (!isLate(work)) await lookInto(work, look, (_, now) => (result = now));
  return result;
}

const lengthOf = (hash = '0') => Number(hash.split(':')[0]);

/** Finds, in steps, what became of lines, or of a whole file, whose hash an anchor has; undefined where the budget does not reach. */
function* comparing(
  code: CodeText,
  { hash = '', lines, symbol }: Anchor,
  budget: Budget,
): Steps<Found | undefined> {
  if (lines === undefined) {
    const isSame = yield* comparingFile(code, hash, budget);
    return isSame === undefined ? undefined : { state: isSame ? 'same' : 'changed' };
  }
  const finding = findingLines(code, hash, { near: readRange(lines).from, budget });
  for (let step = finding.next(); ; step = finding.next()) {
    if (step.done && !step.value) return undefined;
    if (step.done) break;
    if (step.value) {
      const lines_now = writeRange(step.value);
      return lines_now === lines ? { state: 'same' } : { state: 'moved', lines_now };
    }
    yield;
  }
  // Where it is defined by now is told where that is cheap enough; that it changed in any case.
  if (symbol === undefined || !spend(budget, code.length * symbol.split(/\W+/).length))
    return { state: 'changed' };
  const defined = yield* findingDefinition(code.lines, symbol);
  return { state: 'changed', ...(defined && { lines_now: writeRange(defined) }) };
}
