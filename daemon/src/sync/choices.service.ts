import type { AccountId } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import { leaveRoom, listRooms, type RelayRoom } from '@reverie/shared/contract/relay-rooms';
import type { ChosenNamespaces, NewNamespaces, StayingNamespace } from '@reverie/shared/contract/sync';
import type { ReadDb, Store, WriteDb } from '../db/open-store.ts';
import type { Clock } from '../platform/clock.ts';
import {
  type ChoiceRow,
  deleteChoices,
  findChoice,
  findDefault,
  findKeptByRoom,
  listKept,
  noRoom,
  saveChoice,
  saveDefault,
  saveSeenRoom,
} from './choices.store.ts';
import { findLink } from './link.store.ts';
import type { RelayLink } from './link.ts';
import { findLost } from './lost.store.ts';
import { settleLost } from './lost.service.ts';
import {
  deleteSynced,
  findJoined,
  findSyncedByName,
  insertSynced,
  listSynced,
  memoriesIn,
  namespacesToUpload,
  saveSyncedRow,
} from './namespaces.store.ts';
import { pendingByNamespace } from './outbox.store.ts';
import { namespaceOf, wasRefusedWith } from './relay-client.ts';
import type { Replicas } from './replicas.ts';

export interface ChoosingDeps {
  store: Store;
  clock: Clock;
  link: Pick<RelayLink, 'client' | 'matchRooms' | 'wake'>;
  replicas: Pick<Replicas, 'forget'>;
}

/** The namespaces above one, the nearest first: `team/backend` stands below `team`. */
function above(namespace: string): string[] {
  const parts = namespace.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('/'));
}

/**
 * Whether a namespace that is not synced yet is to be: as was chosen of it; else it stays here where one above it does; else as all that
 * nobody chose, or with `isListed` all that the relay lists for the first time.
 */
export function isToSync(db: ReadDb, account: AccountId, at: { name: string; isListed?: boolean }): boolean {
  const chosen = findChoice(db, account, at.name);
  if (chosen) return chosen.synced === 1;
  if (above(at.name).some((name) => findChoice(db, account, name)?.synced === 0)) return false;
  const { synced, listed } = findDefault(db, account);
  return at.isListed === true ? (listed ?? synced) : synced;
}

/** Notes that a namespace stays on this device. */
export function keepHere(db: WriteDb, account: AccountId, at: { namespace: string; now: number }): void {
  saveChoice(db, account, { namespace: at.namespace, synced: 0, since: at.now });
}

/** Notes what was chosen as this home is linked, before anything goes to the relay. Names that are not here count for the relay's rooms. */
export function chooseAtLink(
  db: WriteDb,
  account: AccountId,
  {
    namespaces,
    new_namespaces,
    now,
  }: { namespaces: ChosenNamespaces; new_namespaces?: NewNamespaces | undefined; now: number },
): void {
  const isRest = namespaces === 'all' || (typeof namespaces === 'object' && 'except' in namespaces);
  const named =
    typeof namespaces === 'string' ? [] : 'only' in namespaces ? namespaces.only : namespaces.except;
  deleteChoices(db, account);
  for (const namespace of named) saveChoice(db, account, { namespace, synced: isRest ? 0 : 1, since: now });
  if (!isRest)
    for (const { name } of namespacesToUpload(db, account))
      if (!named.includes(name)) keepHere(db, account, { namespace: name, now });
  const synced = new_namespaces === undefined ? isRest : new_namespaces === 'sync';
  saveDefault(db, account, { synced, listed: isRest });
}

/** Says what becomes of namespaces that are made or come later; those of now stay as they are. */
export function chooseNew({ store, clock }: ChoosingDeps, account: AccountId, then: NewNamespaces): void {
  store.write((db) => {
    const { listed } = findDefault(db, account);
    const since = clock.now();
    for (const { name } of listSynced(db))
      if (!findChoice(db, account, name)) saveChoice(db, account, { namespace: name, synced: 1, since });
    saveDefault(db, account, { synced: then === 'sync', listed });
  });
}

/** Whether a room that the relay lists stays there, because its namespace was chosen not to be synced here; notes what is seen of it. */
export function staysOnRelay(
  db: WriteDb,
  account: AccountId,
  { room, seen_in, now }: { room: RelayRoom; seen_in: string; now: number },
): boolean {
  const called = namespaceOf(room.name);
  const namespace =
    findKeptByRoom(db, account, room.id)?.namespace ??
    (room.own ? called : (findJoined(db, account, room.id) ?? called));
  const isHere = room.own && findSyncedByName(db, account, namespace) !== undefined;
  if (isHere || findLost(db, account, namespace)) return false;
  if (isToSync(db, account, { name: namespace, isListed: true })) return false;
  keepHere(db, account, { namespace, now });
  const { id, role, members } = room;
  saveSeenRoom(db, account, { namespace, room: id, role, members, seen_in });
  return true;
}

/** The relay has listed its rooms: namespaces that stay here and whose room is gone have none any more, and what it lists from now on is new. */
export function roomsListed(db: WriteDb, account: AccountId, listed: ReadonlySet<string>): void {
  for (const { namespace, room } of listKept(db, account))
    if (room !== null && !listed.has(room)) saveSeenRoom(db, account, { namespace, ...noRoom });
  const chosen = findDefault(db, account);
  if (chosen.listed !== null) saveDefault(db, account, { ...chosen, listed: null });
}

/** The namespaces that stay on this device, as the status tells of them. */
export function stayingOf(db: ReadDb, account: AccountId): StayingNamespace[] {
  return listKept(db, account).map(({ namespace, since, room, role, members }) => ({
    namespace,
    since: new Date(since).toISOString(),
    on_relay: room !== null,
    role: room === null ? null : role,
    shared: room !== null && members > 1,
  }));
}

/** Refuses what needs the room of a namespace that stays on this device. */
export function refuseKept(db: ReadDb, account: AccountId, namespace: string): void {
  if (findChoice(db, account, namespace)?.synced !== 0) return;
  throw new Problem(
    'conflict',
    `${JSON.stringify(namespace)} stays on this device. Sync it first: \`reverie sync on ${namespace}\``,
  );
}

/**
 * Stops syncing a namespace on this device: its memories stay, and nothing of it goes to the relay or comes from there. What is on the
 * relay stays there for other devices. Answers how many changes had not reached it.
 */
export function stopSyncing(deps: ChoosingDeps, account: AccountId, namespace: string): number {
  const { store, clock, replicas, link } = deps;
  if (store.read((db) => findLost(db, account, namespace))) {
    settleLost({ store, link }, account, { namespace, then: 'keep' });
    return 0;
  }
  const now = clock.now();
  const ended = store.write((db) => {
    // Each is chosen by itself; only what is made below it later stays here with it.
    for (const { name } of listSynced(db))
      if (above(name).includes(namespace) && !findChoice(db, account, name))
        saveChoice(db, account, { namespace: name, synced: 1, since: now });
    keepHere(db, account, { namespace, now });
    const row = findSyncedByName(db, account, namespace);
    if (!row) return undefined;
    const { id, room, role, members, seen_in } = row;
    if (room !== null) saveSeenRoom(db, account, { namespace, room, role, members, seen_in });
    const waiting = pendingByNamespace(db).find(({ namespace_id }) => namespace_id === id)?.pending ?? 0;
    deleteSynced(db, id);
    return { id, unsent: waiting + row.upload_total - row.upload_done };
  });
  if (!ended) return 0;
  replicas.forget(ended.id);
  link.wake();
  return ended.unsent;
}

/**
 * Syncs a namespace on this device. What is here goes together with what its room says: the log is read first, so that of each memory only
 * what both say now is held against each other.
 */
export function startSyncing(deps: ChoosingDeps, account: AccountId, namespace: string): void {
  const { store, clock, link } = deps;
  if (store.read((db) => findLost(db, account, namespace)))
    return settleLost({ store, link }, account, { namespace, then: 'sync' });
  store.write((db) => {
    const { room, role, members, seen_in } = findChoice(db, account, namespace) ?? noRoom;
    saveChoice(db, account, { namespace, synced: 1, since: clock.now() });
    if (!findLink(db) || findSyncedByName(db, account, namespace)) return;
    const memories = memoriesIn(db, account, namespace);
    const { id } = insertSynced(db, account, { name: namespace, memories });
    saveSyncedRow(db, id, { rebuild: 1, room, role, members, seen_in });
  });
  link.matchRooms();
  link.wake();
}

/** The room of a namespace of one's own that nobody else is a member of; undefined where the relay has none. Throws where it is shared. */
async function ownRoom(
  { store, link }: ChoosingDeps,
  account: AccountId,
  namespace: string,
): Promise<RelayRoom | undefined> {
  const { rooms } = await (await link.client())(listRooms, {});
  const known = store.read(
    (db): Pick<ChoiceRow, 'room'> | undefined =>
      findSyncedByName(db, account, namespace) ?? findChoice(db, account, namespace),
  );
  const room =
    rooms.find(({ id }) => id === known?.room) ??
    rooms.find(({ own, name }) => own && namespaceOf(name) === namespace);
  const called = JSON.stringify(namespace);
  if (room && !room.own)
    throw new Problem(
      'forbidden_role',
      `${called} is somebody else's, who alone can take it off the relay. Leave out \`remove_from_relay\`: it stays on this device all the same`,
    );
  if (room && room.members > 1)
    throw new Problem(
      'conflict',
      `${called} is shared with ${room.members - 1} others, who would lose it. Remove them first (\`reverie share ${namespace} --members\`), or leave out \`remove_from_relay\``,
    );
  return room;
}

/** Stops syncing a namespace of one's own here, and deletes its room with all that the relay has of it; other devices keep their memories. */
export async function takeOffRelay(
  deps: ChoosingDeps,
  account: AccountId,
  namespace: string,
): Promise<number> {
  const room = await ownRoom(deps, account, namespace);
  const unsent = stopSyncing(deps, account, namespace);
  if (!room) return unsent;
  try {
    await (
      await deps.link.client()
    )(leaveRoom, { params: { id: room.id } });
  } catch (cause) {
    if (!wasRefusedWith(cause, 'not_found')) throw cause;
  }
  deps.store.write((db) => saveSeenRoom(db, account, { namespace, ...noRoom }));
  return unsent;
}
