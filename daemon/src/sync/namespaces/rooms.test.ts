import type { AccountId } from '@reverie/shared/accounts/caller';
import type { RelayRoom } from '@reverie/shared/contract/relay/relay-rooms';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { insertAccount } from '../../features/accounts/accounts.store.ts';
import { insertLink } from '../link.store.ts';
import { findSyncedByName, insertSynced, saveSyncedRow } from './namespaces.store.ts';
import { matchRooms } from './rooms.ts';

let store: Store;
beforeEach(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
});
afterEach(() => store.close());

/** A linked home with a namespace whose room `old` was seen in a log. */
const linked = (seen_in: string) =>
  store.write((db): AccountId => {
    const account = insertAccount(db, { public_id: 'acc', kind: 'machine', tier: 'machine', created_at: 1 });
    insertLink(db, {
      account,
      relay: 'http://relay',
      email: null,
      device: 'here',
      device_name: 'here',
      request: null,
      number: null,
      expires_at: null,
      confirm_by: null,
      linked_at: 1,
    });
    saveSyncedRow(db, insertSynced(db, account, { name: 'team', memories: 0 }).id, { room: 'old', seen_in });
    return account;
  });

test('a room of others never goes together with what is called so here, which is not theirs to read', async () => {
  const account = linked('now');
  store.write((db) => insertSynced(db, account, { name: 'private', memories: 1 }));
  const room = (id: string, name: string, own: boolean): RelayRoom => ({
    id,
    name,
    role: own ? 'owner' : 'editor',
    own,
    members: own ? 1 : 2,
    head: 0,
    bytes: 0,
    created_at: new Date(0).toISOString(),
  });
  const opened: string[] = [];
  const client = ((_route: unknown, sent: { body?: { name: string } }) => {
    const rooms = [room('old', 'team', true), room('theirs', 'private', false)];
    if (!sent.body) return Promise.resolve({ rooms });
    opened.push(sent.body.name);
    return Promise.resolve(room('mine', sent.body.name, true));
  }) as never;
  const log = pino({ level: 'silent' });
  await matchRooms(
    { store, now: Date.now, log, client, records: { listed: () => undefined }, logId: 'now' },
    account,
  );
  const roomOf = (name: string) => store.read((db) => findSyncedByName(db, account, name))?.room;
  expect([roomOf('private'), roomOf('private-2')]).toEqual(['mine', 'theirs']);
  expect(opened).toHaveLength(1);
  // And again, by what was joined before.
  await matchRooms(
    { store, now: Date.now, log, client, records: { listed: () => undefined }, logId: 'now' },
    account,
  );
  expect([roomOf('private'), roomOf('private-2')]).toEqual(['mine', 'theirs']);
});

test.each([
  { what: 'waits where the own one was seen in this log: it was deleted', seen_in: 'now', became: 'old' },
  { what: 'waits where nobody can tell', seen_in: '', became: 'old' },
  { what: 'is taken where a restored relay lost the own one', seen_in: 'then', became: 'new' },
  { what: 'is not there, and the own one is seen again', listed: 'old', seen_in: 'then', became: 'old' },
])('another room of its name $what', async ({ listed = 'new', seen_in, became }) => {
  const account = linked(seen_in);
  const room: RelayRoom = {
    id: listed,
    name: 'team',
    role: 'owner',
    own: true,
    members: 1,
    head: 0,
    bytes: 0,
    created_at: new Date(0).toISOString(),
  };
  const client = (() => Promise.resolve({ rooms: [room] })) as never;
  const log = pino({ level: 'silent' });
  const records = { listed: () => undefined };
  const found = () => store.read((db) => findSyncedByName(db, account, 'team'));

  // Asked while no log is known, nothing is taken for lost, and where it was seen stays known.
  await matchRooms({ store, now: Date.now, log, client, records, logId: '' }, account);
  expect(found()).toMatchObject({ room: 'old', seen_in });
  await matchRooms({ store, now: Date.now, log, client, records, logId: 'now' }, account);
  expect(found()).toMatchObject({ room: became, seen_in: became === listed ? 'now' : seen_in });
});
