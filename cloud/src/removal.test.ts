import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as Y from 'yjs';
import { call, connect, type Linked, openRoom, signUp } from './testing/device.ts';
import { startRelay, type TestRelay } from './testing/relay.ts';

const SECRET = 'zyxwobblequonk';
const WEEK = 7 * 86_400_000;

let relay: TestRelay;
let linked: Linked;
let room: string;
let readers: Sqlite.Database[];

beforeEach(async () => {
  readers = [];
  relay = await startRelay();
  linked = await signUp(relay.origin, 'a@example.org');
  room = await openRoom(relay.origin, linked, `about ${SECRET}`);
  const device = await connect(relay.origin, linked);
  const doc = new Y.Doc();
  doc.getMap('m').set('k', `The password is ${SECRET}.`);
  const body = Y.encodeStateAsUpdate(doc);
  const entry = { kind: 'update', n: 1, at: 1000, bucket: 1, enc: false, body } as const;
  device.send({ type: 'append', room, epoch: 0, incarnation: 'inc', entries: [entry] });
  await device.next('ack');
  device.close();
  await device.closed;
});
afterEach(async () => {
  for (const reader of readers) reader.close();
  await relay.stop();
});

/** Which files of the database hold what the room held. */
function found(): string[] {
  return ['relay.db', 'relay.db-wal'].filter((name) =>
    fs.readFileSync(path.join(relay.home, name)).includes(SECRET),
  );
}

/** Somebody who looks into the database, as a backup does, until it is closed. */
function read(): Sqlite.Database {
  const reader = new Sqlite(path.join(relay.home, 'relay.db'), { readonly: true });
  readers.push(reader);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM log_entries').get();
  return reader;
}

async function remove(what: string): Promise<void> {
  const { status } = await call(relay.origin, { method: 'DELETE', path: what, key: linked.key });
  expect(status).toBe(200);
}

test('an account whose removal was cut off in the middle is removed by the next sweep', async () => {
  await relay.stop();
  let isBroken = true;
  relay = await startRelay({}, (log) => ({
    ...log,
    async remove(name) {
      if (isBroken) throw new Error('The disk is away');
      await log.remove(name);
    },
  }));
  linked = await signUp(relay.origin, 'a@example.org');
  for (const link of relay.links())
    await call(relay.origin, {
      method: 'POST',
      path: '/auth/confirm',
      body: { token: new URL(link).searchParams.get('token') },
    });
  await openRoom(relay.origin, linked, 'default');
  const remove = () => call(relay.origin, { method: 'DELETE', path: '/account', key: linked.key });
  expect((await remove()).status).toBe(500);
  // Its devices are out already: nobody could ask for it again.
  expect((await remove()).status).toBe(401);
  expect(await relay.rows('SELECT id FROM rooms')).toHaveLength(1);
  isBroken = false;
  relay.clock.advance(60_000);
  for (const table of ['rooms', 'accounts', 'devices', 'log_rooms'])
    await expect.poll(() => relay.rows(`SELECT id FROM ${table}`)).toEqual([]);
});

describe('what was removed is nowhere in the files', () => {
  test.each([
    ['a room', () => remove(`/rooms/${room}`)],
    ['an account', () => remove('/account')],
  ])('at once, after %s', async (_, take) => {
    expect(found()).not.toEqual([]);
    await take();
    expect(found()).toEqual([]);
  });

  test('after an account that nobody confirmed', async () => {
    relay.clock.advance(2 * WEEK - 60_000);
    expect(found()).not.toEqual([]);
    relay.clock.advance(120_000);
    await expect.poll(() => found()).toEqual([]);
  });

  test('a name that a member gave it goes with the member', async () => {
    const { body } = await call(relay.origin, {
      method: 'POST',
      path: `/rooms/${room}/invites`,
      key: linked.key,
      body: { role: 'viewer' },
    });
    const [invite = '', secret = ''] = String(body['invite']).split('#');
    const other = await signUp(relay.origin, 'b@example.org');
    const joined = await call(relay.origin, {
      method: 'POST',
      path: `/invites/${invite.split('/').at(-1) ?? ''}/accept`,
      key: other.key,
      body: { secret, name: 'quixotarium' },
    });
    expect(joined.status).toBe(200);
    const wal = path.join(relay.home, 'relay.db-wal');
    expect(fs.readFileSync(wal).includes('quixotarium')).toBe(true);
    await remove(`/rooms/${room}/members/${other.account}`);
    for (const name of ['relay.db', 'relay.db-wal'])
      expect(fs.readFileSync(path.join(relay.home, name)).includes('quixotarium'), name).toBe(false);
  });

  test('as soon as nobody reads the database any more, and nobody waits for that', async () => {
    const reader = read();
    await remove(`/rooms/${room}`);
    relay.clock.advance(10_000);
    expect(found()).not.toEqual([]);
    expect(relay.db.emptying.state().kind).toBe('waiting');
    reader.exec('COMMIT');
    relay.clock.advance(1000);
    expect(found()).toEqual([]);
    expect(relay.db.emptying.state()).toEqual({ kind: 'emptied' });
  });
});
