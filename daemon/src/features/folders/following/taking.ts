import type { FolderIssue } from '@reverie/shared/contract/memories/folders';
import { Problem, type ProblemCode } from '@reverie/shared/contract/problems';
import type { Store, WriteDb } from '../../../db/open-store.ts';
import type { Clock } from '../../../platform/clock.ts';
import {
  deleteSourceRow,
  findSourcesOfKey,
  type FolderRow,
  saveLastChange,
  saveSourceRow,
  type FollowedFileRow,
} from '../folders.store.ts';
import type { FileMemory, Landed, Landing } from '../landing.ts';

/** A file, or a record of one, as it is now. */
export interface FileNow {
  path: string;
  hash: string;
  memory: FileMemory;
}

/** What is to be taken over: a file that says something new, one that has another name, one that is gone. */
export type FileStep =
  | { kind: 'put'; file: FileNow; known: FollowedFileRow | undefined }
  | { kind: 'rename'; file: FileNow; from: FollowedFileRow }
  | { kind: 'remove'; from: FollowedFileRow };

export interface TakingDeps {
  store: Store;
  clock: Clock;
  landing: Landing;
}

/** Failures that are not of one file: nothing can be stored now. */
const NOT_NOW: readonly ProblemCode[] = ['disk_full', 'storage_failed', 'storage_busy', 'unavailable'];

/** The path of what a step is about. */
function pathOf(step: FileStep): string {
  return step.kind === 'remove' ? step.from.path : step.file.path;
}

/** Steps, and characters of what they say, that are taken over in one transaction at most: nobody is answered meanwhile. */
const AT_A_TIME = { steps: 25, characters: 64 * 1024 } as const;

/** Whether no more steps should go into one transaction. */
export function isFull(steps: readonly FileStep[]): boolean {
  const characters = steps.reduce(
    (sum, step) => sum + (step.kind === 'remove' ? 0 : step.file.memory.value.length),
    0,
  );
  return steps.length >= AT_A_TIME.steps || characters >= AT_A_TIME.characters;
}

/** Takes steps over in one transaction; what one file is refused for is answered, and the others are taken over. */
export function takeSteps(deps: TakingDeps, folder: FolderRow, steps: readonly FileStep[]): FolderIssue[] {
  if (steps.length === 0) return [];
  try {
    return deps.store.write((db) => steps.flatMap((step) => takeStep(db, deps, { folder, step }) ?? []));
  } catch (cause) {
    if (!(cause instanceof Problem) || NOT_NOW.includes(cause.code)) throw cause;
    const [step, ...others] = steps;
    if (others.length > 0) return steps.flatMap((one) => takeSteps(deps, folder, [one]));
    return step ? [{ path: pathOf(step), reason: 'refused', detail: cause.message }] : [];
  }
}

interface Taking {
  folder: FolderRow;
  step: FileStep;
}

function takeStep(db: WriteDb, deps: TakingDeps, { folder, step }: Taking): FolderIssue | undefined {
  if (step.kind === 'remove') return remove(db, deps, { folder, from: step.from });
  const { file } = step;
  const { path, memory } = file;
  if (memory.expires_at !== undefined && Date.parse(memory.expires_at) <= deps.clock.now())
    return { path, reason: 'expired', detail: `ended at ${memory.expires_at}` };
  const from = step.kind === 'rename' ? step.from : step.known;
  const other = findSourcesOfKey(db, folder.id, memory.key).find(
    (one) => one.path !== path && one.path !== from?.path,
  );
  if (other)
    return {
      path,
      reason: 'duplicate',
      detail: `has the key ${memory.key}, which ${other.path} has already`,
    };
  const isMoved = from !== undefined && (from.path !== path || from.key !== memory.key);
  const landed = isMoved
    ? moved(db, deps, { folder, file, from })
    : deps.landing.put(db, folder.account, { memory, wins: folder.sync === 'both' });
  return settle(db, deps, { folder, file, from, landed });
}

function moved(
  db: WriteDb,
  { landing }: Pick<TakingDeps, 'landing'>,
  { folder, file, from }: { folder: FolderRow; file: FileNow; from: FollowedFileRow },
): Landed {
  const { account, namespace } = folder;
  const { memory } = file;
  const was = { sourceId: from.source_id, namespace, key: from.key };
  const to = { sourceId: memory.source.id, namespace, key: memory.key };
  deleteSourceRow(db, folder.id, from.path);
  // Another memory has the new name: that one is what the file is, and this one goes.
  if (!landing.move(db, account, { from: was, to })) landing.remove(db, account, was);
  // What was edited here gives way to an edit there, but not to a new name.
  const wins = folder.sync === 'both' && from.hash !== file.hash;
  return landing.put(db, account, { memory, wins });
}

interface Settling {
  folder: FolderRow;
  file: FileNow;
  from: FollowedFileRow | undefined;
  landed: Landed;
}

/** Remembers where file and memory agree, and names what they do not agree on. */
function settle(
  db: WriteDb,
  { clock }: Pick<TakingDeps, 'clock'>,
  { folder, file, from, landed }: Settling,
): FolderIssue | undefined {
  const { path, hash, memory } = file;
  const at = { path, source_id: memory.source.id, key: memory.key };
  if ('id' in landed) {
    saveSourceRow(db, folder.id, { ...at, hash, memory_id: landed.id, version: landed.version });
    if (landed.outcome !== 'unchanged' || from?.path !== path) saveLastChange(db, folder.id, clock.now());
    if (landed.outcome !== 'conflict') return undefined;
    const detail = `${memory.key} was edited here, too; the file was taken, and the history has the other one`;
    return { path, reason: 'conflict', detail };
  }
  // With its new path, but as it was agreed on last: it is asked again when it changes.
  if (from) saveSourceRow(db, folder.id, { ...from, ...at });
  if (landed.outcome === 'kept') return folder.sync === 'both' && from ? undefined : keptIssue(file, from);
  if (!from) saveSourceRow(db, folder.id, { ...at, hash, memory_id: 0, version: 0 });
  return deletedIssue(at);
}

function keptIssue({ path, memory }: FileNow, from: FollowedFileRow | undefined): FolderIssue {
  const detail = from
    ? `${memory.key} was edited here since, and stays so; make both say the same to go on`
    : `another memory was stored as ${memory.key} before, and stays; rename one of them`;
  return { path, reason: 'kept', detail };
}

/** The issue of a file that still lies there, though its memory was deleted, trashed or renamed here. */
export function deletedIssue({ path, key }: { path: string; key: string }): FolderIssue {
  return {
    path,
    reason: 'deleted_here',
    detail: `the memory ${key} was deleted, trashed or renamed here; the file stays as it is, and is not taken again`,
  };
}

function remove(
  db: WriteDb,
  { landing, clock }: TakingDeps,
  { folder, from }: { folder: FolderRow; from: FollowedFileRow },
): FolderIssue | undefined {
  const { path, key, source_id: sourceId } = from;
  const outcome = landing.remove(db, folder.account, { key, namespace: folder.namespace, sourceId });
  deleteSourceRow(db, folder.id, path);
  saveLastChange(db, folder.id, clock.now());
  if (outcome !== 'kept' || folder.sync === 'both') return undefined;
  return { path, reason: 'kept', detail: `the file is gone, and ${key} stays: it was edited here since` };
}
