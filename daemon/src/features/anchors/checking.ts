import path from 'node:path';
import { type Anchor, Anchors } from '@reverie/shared/contract/anchors';
import type { AnchorNow } from '@reverie/shared/contract/anchor-now';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { type CodeFile, codeFile } from './code-files.ts';
import { definitionOf } from './definition.ts';
import { type CodeText, codeText, findLines, hashOf, readRange, writeRange } from './lines.ts';
import type { RepositoryHistory } from './repository.ts';

/** What a look at one anchor found: the same as long as the file is. */
type Found = Pick<AnchorNow, 'state' | 'lines_now'>;

/** Results of earlier looks that are kept. */
const KEPT = 5_000;
/** New files that are looked through for one that is gone. */
const MOST_ADDED = 50;
/** Characters of an anchor by which a file of another name is told from others that say such a thing, too. */
const TELLING = 60;

/** Looks at what became of an anchor in a repository. */
export type AnchorCheck = (root: string, anchor: Anchor, wait: Waiting) => Promise<AnchorNow>;

/** How long who asks may be kept waiting for git: what is known without it is told then. */
export interface Waiting {
  late: Promise<unknown>;
  /** Whether the commit of a change is waited for; else it is told once it is known, the next time. */
  forCommits: boolean;
}

interface Content {
  blob: string;
  code(): CodeText;
}

async function readContent(file: CodeFile): Promise<Content | undefined> {
  const content = await file.read();
  if (!content) return undefined;
  let code: CodeText | undefined;
  return { blob: content.blob, code: () => (code ??= codeText(content.text)) };
}

/** The anchors of a memory, as its metadata has them; none where they are of another shape, as an import may bring them. */
export function anchorsIn({ anchors }: JsonObject): readonly Anchor[] {
  return anchors === undefined ? [] : (Anchors.safeParse(anchors).data ?? []);
}

/** Makes the check of anchors, which remembers what it found in files that are as they were. */
export function createAnchorCheck(history: Omit<RepositoryHistory, 'head' | 'ignored'>): AnchorCheck {
  const seen = new Map<string, Found>();
  const commits = new Map<string, string | undefined>();
  let isAsked = false;
  /** The commit of a change: the one that is known by now, where nobody waits; then one question at most is put to git behind it. */
  const changeOf = async (
    root: string,
    file: { path: string; since: string },
    waits: boolean,
  ): Promise<string | undefined> => {
    const id = JSON.stringify([root, file]);
    if (!waits && isAsked) return commits.get(id);
    isAsked = true;
    const asked = history.lastChange(root, file).then((commit) => {
      isAsked = false;
      keep(commits, id, commit);
      return commit;
    });
    return waits ? asked : commits.get(id);
  };
  const reading = new Map<string, Promise<Content | undefined>>();
  /** Reads a file once for all anchors that are looked at together. */
  const contentOf = (name: string, file: CodeFile): Promise<Content | undefined> => {
    const id = JSON.stringify([name, file.version]);
    const begun = reading.get(id) ?? readContent(file).finally(() => reading.delete(id));
    reading.set(id, begun);
    return begun;
  };
  const lookAt = async (root: string, name: string, anchor: Anchor): Promise<Found> => {
    const file = codeFile(root, name);
    if (file === 'gone') return { state: 'gone' };
    if (file === 'unfit') return { state: 'unchecked' };
    if (anchor.hash === undefined) return { state: 'same' };
    const id = file.version && JSON.stringify([root, name, file.version, anchor.hash, anchor.lines]);
    const before = id === undefined ? undefined : seen.get(id);
    if (before) return before;
    const content = await contentOf(path.join(root, name), file);
    if (!content) return { state: 'unchecked' };
    const found: Found = content.blob === anchor.blob ? { state: 'same' } : compare(content.code(), anchor);
    if (id !== undefined) keep(seen, id, found);
    return found;
  };
  /** Where a file that is gone was renamed, by Git or else by what it says, and what became of the anchor there. */
  const lookElsewhere = async (root: string, anchor: Anchor): Promise<[string, Found] | undefined> => {
    const { path: name, hash, commit: since = 'HEAD' } = anchor;
    const renamed = await history.renamed(root, { path: name, since });
    const there = renamed === undefined ? undefined : await lookAt(root, renamed, anchor);
    if (renamed !== undefined && there && there.state !== 'gone') return [renamed, there];
    const { base, ext } = path.posix.parse(name);
    const isTelling = lengthOf(hash) >= TELLING;
    const like = (await history.added(root, since)).filter(
      (one) => path.posix.basename(one) === base || (isTelling && path.posix.extname(one) === ext),
    );
    for (const one of like.slice(0, MOST_ADDED)) {
      const found = await lookAt(root, one, anchor);
      if (found.state === 'same' || found.state === 'moved') return [one, found];
    }
    return undefined;
  };
  return async (root, anchor, { late, forCommits }) => {
    const inTime = <T>(work: Promise<T>) => Promise.race([work, late.then(() => undefined)]);
    const { path: name, lines, symbol, commit } = anchor;
    const told = {
      path: name,
      ...(lines !== undefined && { lines }),
      ...(symbol !== undefined && { symbol }),
    };
    const here = await lookAt(root, name, anchor);
    const [path_now, there] = (here.state === 'gone' && (await inTime(lookElsewhere(root, anchor)))) || [];
    const found = there?.state === 'same' ? { ...there, state: 'moved' as const } : (there ?? here);
    const since = found.state === 'changed' ? commit : undefined;
    const changedIn =
      since === undefined
        ? undefined
        : await inTime(changeOf(root, { path: path_now ?? name, since }, forCommits));
    return {
      ...told,
      ...found,
      ...(path_now !== undefined && found.state !== 'gone' && { path_now }),
      ...(changedIn !== undefined && { commit: changedIn }),
    };
  };
}

/** Keeps a result, and drops the oldest where there are too many. */
function keep<T>(results: Map<string, T>, id: string, result: T): void {
  results.delete(id);
  results.set(id, result);
  const [oldest] = results.keys();
  if (results.size > KEPT && oldest !== undefined) results.delete(oldest);
}

const lengthOf = (hash = '0') => Number(hash.split(':')[0]);

/** What became of lines, or of a whole file, whose hash an anchor has. */
function compare(code: CodeText, { hash, lines, symbol }: Anchor): Found {
  if (hash === undefined) return { state: 'same' };
  if (lines === undefined)
    return { state: hashOf(code, { from: 1, to: code.lines.length }) === hash ? 'same' : 'changed' };
  const [place] = findLines(code, hash, readRange(lines).from);
  if (place) {
    const lines_now = writeRange(place);
    return lines_now === lines ? { state: 'same' } : { state: 'moved', lines_now };
  }
  const defined = symbol === undefined ? undefined : definitionOf(code.lines, symbol);
  return { state: 'changed', ...(defined && { lines_now: writeRange(defined) }) };
}
