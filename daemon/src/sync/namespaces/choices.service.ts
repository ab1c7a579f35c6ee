import type { AccountId } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import { leaveRoom, listRooms, type RelayRoom } from '@reverie/shared/contract/relay/relay-rooms';
import type { NewNamespaces } from '@reverie/shared/contract/sync/sync';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { above, keepHere } from './choices.ts';
import {
  type ChoiceRow,
  findChoice,
  findDefault,
  noRoom,
  saveChoice,
  saveDefault,
  saveSeenRoom,
} from './choices.store.ts';
import { findLink } from '../link.store.ts';
import type { RelayLink } from '../link.ts';
import { findLost } from './lost.store.ts';
import { settleLost } from './lost.service.ts';
import {
  deleteSynced,
  findSyncedByName,
  insertSynced,
  listSynced,
  memoriesIn,
  saveSyncedRow,
} from './namespaces.store.ts';
import { heldByRoom } from '../replica/outbox.store.ts';
import { namespaceOf, wasRefusedWith } from '../relay/relay-client.ts';
import type { Replicas } from '../replica/replicas.ts';

export interface ChoosingDeps {
  store: Store;
  clock: Clock;
  link: Pick<RelayLink, 'client' | 'matchRooms' | 'wake'>;
  replicas: Pick<Replicas, 'forget'>;
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
    const { unsent, known_until } = heldByRoom(db, row, now);
    if (room !== null) saveSeenRoom(db, account, { namespace, room, role, members, seen_in, known_until });
    deleteSynced(db, id);
    return { id, unsent };
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
    const { room, role, members, seen_in, known_until } = findChoice(db, account, namespace) ?? noRoom;
    saveChoice(db, account, { namespace, synced: 1, since: clock.now() });
    if (!findLink(db) || findSyncedByName(db, account, namespace)) return;
    const memories = memoriesIn(db, account, namespace);
    const { id } = insertSynced(db, account, { name: namespace, memories });
    saveSyncedRow(db, id, { rebuild: 1, room, role, members, seen_in, known_until });
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
      `${called} is shared with ${room.members === 2 ? 'somebody else' : `${room.members - 1} others`}, who would lose it. Remove them first (\`reverie share ${namespace} --members\`), or leave out \`remove_from_relay\``,
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
    )(leaveRoom, { params: { id: room.id }, query: {} });
  } catch (cause) {
    if (!wasRefusedWith(cause, 'not_found')) throw cause;
  }
  deps.store.write((db) => saveSeenRoom(db, account, { namespace, ...noRoom }));
  return unsent;
}
