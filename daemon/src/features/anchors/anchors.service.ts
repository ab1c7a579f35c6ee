import { once } from 'node:events';
import path from 'node:path';
import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { type Anchor, MOST_ANCHORS, type readAnchors } from '@reverie/shared/contract/memories/anchors';
import type { AnchorNow } from '@reverie/shared/contract/memories/anchor-now';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed } from '@reverie/shared/contract/route';
import type { Store } from '../../db/open-store.ts';
import type { Log } from '../../platform/log.ts';
import type { Project } from '../../platform/project.ts';
import { anchorsNamed, anchorTo, readCode, type ReadCode } from './anchoring.ts';
import { findFolder, saveFolder } from './anchors.store.ts';
import { type AnchorCheck, anchorsIn, type PlacedAnchor } from './checking.ts';
import { type CodeFile, codeFile } from './code-files.ts';
import { type CodePlace, namedIn, readPlace } from './places.ts';
import type { RepositoryHistory } from './repository.ts';

export interface AnchorsDeps {
  store: Store;
  log: Log;
  check: AnchorCheck;
  history: RepositoryHistory;
  world: {
    isMachine(account: AccountId): boolean;
    projectOf(folder: string): Project | undefined;
  };
}

/** Notes where the repository of a project is, for who checks anchors later without a folder of their own. */
export function noteFolder(
  { store }: Pick<AnchorsDeps, 'store'>,
  account: AccountId,
  { namespace, root }: Pick<Project, 'namespace' | 'root'>,
): void {
  const at = { account, namespace };
  if (store.read((db) => findFolder(db, at)) !== root) store.write((db) => saveFolder(db, at, root));
}

/** Notes where a caller works; answers the namespace of the project there, as far as the caller may read it. */
export function nameFolder(deps: AnchorsDeps, caller: Caller, folder: string): string | null {
  const project = projectFor(deps, caller, folder);
  if (!project) return null;
  noteFolder(deps, caller.account, project);
  return project.namespace;
}

/** The project of a folder; undefined for callers of other accounts, who would learn how folders of this machine are called. */
function projectFor(
  { world }: Pick<AnchorsDeps, 'world'>,
  { key, account, readable }: Caller,
  folder: string,
): Project | undefined {
  if (!world.isMachine(key.account) || !world.isMachine(account) || !path.isAbsolute(folder))
    return undefined;
  const project = world.projectOf(folder);
  return project && readable(project.namespace) ? project : undefined;
}

/** Where the repository of a project is on this machine, if it still is there. */
function rootOf(
  { store, world }: Pick<AnchorsDeps, 'store' | 'world'>,
  at: { account: AccountId; namespace: string },
): string | undefined {
  const root = store.read((db) => findFolder(db, at));
  const project = root === undefined ? undefined : world.projectOf(root);
  return project?.namespace === at.namespace && project.root === root ? root : undefined;
}

/** Reads what the code says at some places, and at those that a text names. Throws `invalid_request` where one of the places is none. */
export async function anchorsAt(
  deps: AnchorsDeps,
  caller: Caller,
  { namespace, folder, places, value }: Parsed<typeof readAnchors>['body'],
): Promise<Anchor[]> {
  const { account } = caller;
  const here = folder === undefined ? undefined : projectFor(deps, caller, folder);
  if (here) noteFolder(deps, account, here);
  const root = here?.namespace === namespace ? here.root : rootOf(deps, { account, namespace });
  if (root === undefined) {
    if (places.length > 0) throw refused('places', unknownHere(namespace, here));
    return [];
  }
  const repository = { ...deps, root, folder: here && folder };
  const wanted = places.map((text, at): NamedFile => {
    const named = fileOf(repository, text);
    if (typeof named === 'string') throw refused(`places.${at}`, named);
    return named;
  });
  const { files, symbols } = filesNamed(repository, value ?? '', new Set(wanted.map(({ name }) => name)));
  const all = [...wanted, ...files];
  if (all.length === 0) return [];
  // Before anything of it is read: what is refused would say something of it, too.
  const ignored = await deps.history.ignored(root, [...new Set(all.map(({ file }) => file.path))]);
  const anchors: Anchor[] = [];
  for (const [at, named] of wanted.entries()) {
    const anchor = await anchorOf(named, ignored);
    if (typeof anchor === 'string') throw refused(`places.${at}`, anchor);
    anchors.push(anchor);
  }
  if (ignored)
    for (const named of files.filter(({ file }) => !ignored.has(file.path)))
      anchors.push(...(await inferred(deps, named, symbols)));
  const commit = (await deps.history.head(root))?.slice(0, 12);
  return anchors
    .slice(0, MOST_ANCHORS)
    .map((anchor) => ({ ...anchor, ...(commit !== undefined && { commit }) }));
}

interface Repository {
  log: Log;
  root: string;
  /** Where who asks works, within it. */
  folder: string | undefined;
}

/** A file that is there, as a place names it. */
interface NamedFile {
  place: CodePlace;
  name: string;
  file: CodeFile;
}

/** The file of a place that was asked for; a sentence where there is none. */
function fileOf(repository: Repository, text: string): NamedFile | string {
  const { root } = repository;
  const place = readPlace(text.startsWith(root + path.sep) ? text.slice(root.length + 1) : text);
  if (!place)
    return `${JSON.stringify(text.slice(0, 200))} is no place in the repository; allowed: \`src/x.ts\`, \`src/x.ts:40-58\`, \`src/x.ts#symbol\``;
  const name = pathOf(repository, place);
  const file = codeFile(root, name);
  if (file === 'gone') return `there is no file ${JSON.stringify(name)} in the repository`;
  return file === 'unfit' ? unfit(name) : { place, name, file };
}

function unfit(name: string): string {
  return `${JSON.stringify(name)} has more than 1 MiB, or may not be read; anchor to another file`;
}

async function anchorOf(
  { place, name, file }: NamedFile,
  ignored: ReadonlySet<string> | undefined,
): Promise<Anchor | string> {
  if (!ignored)
    return `Git did not say whether it ignores ${JSON.stringify(name)}; try again, or store the memory without anchors`;
  if (ignored.has(file.path)) return `Git ignores ${JSON.stringify(name)}; anchor to what is kept in it`;
  const read = await readCode(file, name);
  return read ? anchorTo(read, place) : unfit(name);
}

/** The path of a place from the root: it may be meant from the working folder. */
function pathOf({ root, folder }: Repository, { path: given }: CodePlace): string {
  if (folder === undefined) return given;
  const below = path.relative(root, path.resolve(folder, given)).split(path.sep).join('/');
  return codeFile(root, below) === 'gone' ? given : below;
}

/** The files that a text names and that are there, beside those that were asked for, and the symbols that it has. */
function filesNamed(
  repository: Repository,
  value: string,
  asked: ReadonlySet<string>,
): { files: NamedFile[]; symbols: string[] } {
  const { places, symbols } = namedIn(value);
  const files = new Map<string, NamedFile>();
  for (const place of places) {
    try {
      const name = pathOf(repository, place);
      const file = codeFile(repository.root, name);
      if (typeof file !== 'string' && !asked.has(name) && !files.has(name))
        files.set(name, { place, name, file });
    } catch (err) {
      leftOut(repository, err);
    }
  }
  return { files: [...files.values()], symbols };
}

/** Anchors to a file that a text names; none where that fails, for nobody asked for them. */
async function inferred(
  deps: Pick<AnchorsDeps, 'log'>,
  { place, name, file }: NamedFile,
  symbols: readonly string[],
): Promise<Anchor[]> {
  let read: ReadCode | undefined;
  try {
    read = await readCode(file, name);
  } catch (err) {
    leftOut(deps, err);
  }
  return read ? anchorsNamed(read, place, symbols) : [];
}

function leftOut({ log }: Pick<AnchorsDeps, 'log'>, err: unknown): void {
  log.warn({ err }, 'a file that a memory names could not be anchored to');
}

function unknownHere(namespace: string, here: Project | undefined): string {
  const name = JSON.stringify(namespace);
  return here
    ? `are in the namespace ${JSON.stringify(here.namespace)} of this folder's repository, and not in ${name}; store the memory there, or without anchors`
    : `cannot be read, for on this machine no repository of ${name} is known; name a folder of it, or store the memory without anchors`;
}

function refused(field: string, message: string): Problem {
  return new Problem('invalid_request', `${field}: ${message}`, { errors: [{ path: field, message }] });
}

/** Anchors that are looked at for one reply. */
const MOST_LOOKED_AT = 400;

interface Checking {
  /** Where who asks works, which goes before where the project was last seen. */
  here?: Pick<Project, 'namespace' | 'root'> | undefined;
  /** Ms that they may take: what could not be read by then is told `unchecked`. */
  patience: number;
  forCommits: boolean;
}

/** What became of the code that memories are anchored to, for those of them that are. */
export async function anchorsNow<M extends { namespace: string; metadata: JsonObject }>(
  deps: Pick<AnchorsDeps, 'store' | 'world' | 'check'>,
  account: AccountId,
  { memories, here, patience, forCommits }: Checking & { memories: readonly M[] },
): Promise<Map<M, AnchorNow[]>> {
  const anchored = memories.flatMap((memory) => {
    const anchors = anchorsIn(memory.metadata);
    return anchors.length > 0 ? [{ memory, anchors }] : [];
  });
  if (anchored.length === 0) return new Map();
  const roots = new Map(
    [...new Set(anchored.map(({ memory }) => memory.namespace))].map((namespace) => [
      namespace,
      here?.namespace === namespace ? here.root : rootOf(deps, { account, namespace }),
    ]),
  );
  const told = new Map<M, AnchorNow[]>();
  const placed: PlacedAnchor[] = [];
  const tellers = new Map<Anchor, (now: AnchorNow) => void>();
  for (const { memory, anchors } of anchored) {
    const states = anchors.map(({ path, lines, symbol }): AnchorNow => ({
      path,
      state: 'unchecked',
      ...(lines !== undefined && { lines }),
      ...(symbol !== undefined && { symbol }),
    }));
    told.set(memory, states);
    const root = roots.get(memory.namespace);
    if (root === undefined) continue;
    for (const [at, anchor] of anchors.slice(0, MOST_LOOKED_AT - placed.length).entries()) {
      placed.push({ root, anchor });
      tellers.set(anchor, (now) => (states[at] = now));
    }
  }
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patience);
  const tell = (anchor: Anchor, now: AnchorNow) => tellers.get(anchor)?.(now);
  // In the turn after it, what waited for git alone is told.
  await Promise.race([
    deps.check(placed, { late: late.signal, forCommits, tell }),
    once(late.signal, 'abort').then(() => new Promise(setImmediate)),
  ]);
  clearTimeout(timer);
  return told;
}
