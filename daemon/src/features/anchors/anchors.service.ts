import path from 'node:path';
import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { type Anchor, MOST_ANCHORS, type readAnchors } from '@reverie/shared/contract/anchors';
import type { AnchorNow } from '@reverie/shared/contract/anchor-now';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed } from '@reverie/shared/contract/route';
import type { Store } from '../../db/open-store.ts';
import type { Log } from '../../platform/log.ts';
import type { Project } from '../../platform/project.ts';
import { anchorsNamed, anchorTo, readCode } from './anchoring.ts';
import { findFolder, saveFolder } from './anchors.store.ts';
import { type AnchorCheck, anchorsIn } from './checking.ts';
import { codeFile } from './code-files.ts';
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
  const wanted: Anchor[] = [];
  for (const [at, text] of places.entries()) {
    const anchor = await anchorOf(repository, text);
    if (typeof anchor === 'string') throw refused(`places.${at}`, anchor);
    wanted.push(anchor);
  }
  const paths = new Set(wanted.map((anchor) => anchor.path));
  const named = value === undefined ? [] : await namedAnchors(repository, value, paths);
  const all = [...wanted, ...named].slice(0, MOST_ANCHORS);
  if (all.length === 0) return [];
  const ignored = await deps.history.ignored(root, [...new Set(all.map((anchor) => anchor.path))]);
  for (const [at, anchor] of wanted.entries())
    if (ignored.has(anchor.path))
      throw refused(
        `places.${at}`,
        `Git ignores ${JSON.stringify(anchor.path)}; anchor to what is kept in it`,
      );
  const commit = (await deps.history.head(root))?.slice(0, 12);
  return all
    .filter((anchor) => !ignored.has(anchor.path))
    .map((anchor) => ({ ...anchor, ...(commit !== undefined && { commit }) }));
}

interface Repository {
  root: string;
  /** Where who asks works, within it. */
  folder: string | undefined;
}

async function anchorOf(repository: Repository, text: string): Promise<Anchor | string> {
  const { root } = repository;
  const place = readPlace(text.startsWith(root + path.sep) ? text.slice(root.length + 1) : text);
  if (!place)
    return `${JSON.stringify(text.slice(0, 200))} is no place in the repository; allowed: \`src/x.ts\`, \`src/x.ts:40-58\`, \`src/x.ts#symbol\``;
  const read = await readCode(root, pathOf(repository, place));
  return typeof read === 'string' ? read : anchorTo(read, place);
}

/** The path of a place from the root: it may be meant from the working folder. */
function pathOf({ root, folder }: Repository, { path: given }: CodePlace): string {
  if (folder === undefined) return given;
  const below = path.relative(root, path.resolve(folder, given)).split(path.sep).join('/');
  return codeFile(root, below) === 'gone' ? given : below;
}

/** Anchors of the files that a text names and that are there, beside those that were asked for. */
async function namedAnchors(
  repository: Repository,
  value: string,
  asked: ReadonlySet<string>,
): Promise<Anchor[]> {
  const { places, symbols } = namedIn(value);
  const anchors: Anchor[] = [];
  const taken = new Set(asked);
  for (const place of places) {
    const name = pathOf(repository, place);
    const read = taken.has(name) ? undefined : await readCode(repository.root, name);
    if (read === undefined || typeof read === 'string') continue;
    taken.add(name);
    anchors.push(...anchorsNamed(read, place, symbols));
  }
  return anchors;
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
  deps: Omit<AnchorsDeps, 'history'>,
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
  const { late, end } = deadline(patience);
  let left = MOST_LOOKED_AT;
  const looks: Promise<void>[] = [];
  const told = new Map<M, AnchorNow[]>();
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
    for (const [at, anchor] of anchors.slice(0, left).entries())
      looks.push(
        deps.check(root, anchor, { late, forCommits }).then(
          (now) => void (states[at] = now),
          (err: unknown) => deps.log.warn({ err }, 'an anchor could not be checked'),
        ),
      );
    left -= Math.min(left, anchors.length);
  }
  // In the turn after it, what waited for git alone is told.
  await Promise.race([Promise.all(looks), late.then(() => new Promise(setImmediate))]);
  end();
  return told;
}

/** A promise that resolves after so many ms, and how to do without it. */
function deadline(ms: number): { late: Promise<unknown>; end: () => void } {
  const { promise: late, resolve } = Promise.withResolvers();
  const timer = setTimeout(resolve, ms);
  return { late, end: () => clearTimeout(timer) };
}
