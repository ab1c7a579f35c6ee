import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { hashKey, makeKey } from '@reverie/shared/accounts/key-format';
import * as Y from 'yjs';
import { createAccountStore } from '../../cloud/src/accounts/accounts.store.ts';
import { insertDevice } from '../../cloud/src/accounts/devices.store.ts';
import { openDatabase } from '../../cloud/src/db/open-database.ts';
import { createSqliteRecords } from '../../cloud/src/db/sqlite-records.ts';
import { insertRoom } from '../../cloud/src/rooms/rooms.store.ts';
import { connect, type Linked } from '../../cloud/src/testing/device.ts';
import { spawnRelay, temporaryHome } from '../../cloud/src/testing/process.ts';
import { createSqliteLog } from '../../cloud/src/update-log/sqlite-log.store.ts';
import { type LoadResult, measureLoad } from './load.ts';

interface Seeded {
  linked: Linked;
  room: string;
}

/** Accounts with a room and some devices each, put into the database: signing up is limited by address. */
async function seed(home: string, rooms: number, devices: number): Promise<Seeded[]> {
  const db = openDatabase(path.join(home, 'relay.db'), path.join(home, 'relay.mark'));
  const records = createSqliteRecords(db);
  const store = createAccountStore(records, async () => undefined);
  const log = createSqliteLog(db);
  const seeded: Seeded[] = [];
  const now = Date.now();
  for (let at = 0; at < rooms; at += 1) {
    const account = `acc_${at}`;
    const room = `rm_${at}`;
    const token = randomBytes(32);
    await store.create({
      account,
      email: `${at}@example.org`,
      createdAt: now,
      expiresAt: now + 86_400_000,
      tokenHash: token,
      key: { id: `key_${at}`, hash: randomBytes(32), prefix: 'rv_bot_' },
    });
    await store.confirm(token, now);
    await records.write(() => insertRoom({ id: room, owner: account, name: 'default', now }));
    await log.open(room);
    for (let n = 0; n < devices; n += 1) {
      const key = makeKey('live');
      const device = `dev_${at}_${n}`;
      await records.write(() =>
        insertDevice({ id: device, account, name: 'bench', keyHash: hashKey(key), created_at: now }),
      );
      seeded.push({ linked: { account, device, key }, room });
    }
  }
  db.close();
  return seeded;
}

/** An update of a memory of 300 bytes, about 410 on the wire. */
export function benchUpdate(): Uint8Array {
  const doc = new Y.Doc();
  doc.getMap('m').set('a key of 18 bytes', JSON.stringify({ v: 'x'.repeat(300), hlc: '0001-0000' }));
  return Y.encodeStateAsUpdate(doc);
}

/** Loads a fresh relay; each room has the same number of devices, all of which read it. */
export async function loadRelay(at: {
  connections: number;
  rooms: number;
  seconds: number;
}): Promise<LoadResult> {
  const { home, remove } = temporaryHome();
  const seeded = await seed(home, at.rooms, Math.ceil(at.connections / at.rooms));
  const relay = spawnRelay(home, { RELAY_LOG_LEVEL: 'warn' });
  try {
    const origin = await relay.ready;
    const body = benchUpdate();
    return await measureLoad({
      seconds: at.seconds,
      pid: relay.child.pid ?? 0,
      connections: at.connections,
      async connect(index, { answered, delivered }) {
        const { linked, room } = seeded[index % seeded.length] ?? {};
        if (!linked || room === undefined) throw new Error('There is a device for each connection');
        const subscribed = Promise.withResolvers<void>();
        const device = await connect(origin, linked, {
          forgets: true,
          onMessage(message) {
            if (message.type === 'ack') for (const _ of message.acks) answered();
            else if (message.type === 'entries') delivered(message.entries.length);
            else if (message.type === 'subscribed') subscribed.resolve();
            else if (message.type === 'error') throw new Error(`${message.code}: ${message.detail}`);
          },
        });
        device.send({ type: 'subscribe', room, logId: '', cursor: 0, hash: new Uint8Array() });
        await subscribed.promise;
        const incarnation = 'inc';
        return {
          write: (n) =>
            device.send({
              type: 'append',
              room,
              epoch: 0,
              incarnation,
              entries: [{ kind: 'update', n, at: 1, bucket: n % 64, enc: false, body }],
            }),
          close: () => device.close(),
        };
      },
    });
  } finally {
    relay.child.kill('SIGKILL');
    await relay.ended;
    remove();
  }
}

/** What a storm of reconnects came to. */
export interface StormResult {
  connections: number;
  /** Until every one had what it missed, ms. */
  allMs: number;
  p50: number;
  p99: number;
}

/** All devices come at once, each a number of entries behind, as after a restart of the relay. */
export async function stormRelay(connections: number, behind: number): Promise<StormResult> {
  const { home, remove } = temporaryHome();
  const rooms = Math.ceil(connections / 4);
  const seeded = await seed(home, rooms, 4);
  const db = openDatabase(path.join(home, 'relay.db'), path.join(home, 'relay.mark'));
  const log = createSqliteLog(db);
  const body = benchUpdate();
  for (let at = 0; at < rooms; at += 1)
    await log.append(
      Array.from({ length: behind + 1 }, (_, n) => ({
        room: `rm_${at}`,
        epoch: 0,
        device: 'dev_seed',
        incarnation: 'inc',
        entry: { kind: 'update' as const, n, at: 1, bucket: n % 64, enc: false, body },
      })),
    );
  const { logId } = db;
  const hashes = await Promise.all(Array.from({ length: rooms }, (_, at) => log.hashAt(`rm_${at}`, 1)));
  db.close();
  const relay = spawnRelay(home, { RELAY_LOG_LEVEL: 'warn' });
  try {
    const origin = await relay.ready;
    const from = performance.now();
    const times = await Promise.all(
      seeded.slice(0, connections).map(async ({ linked, room }) => {
        const done = Promise.withResolvers<number>();
        let got = 0;
        const device = await connect(origin, linked, {
          forgets: true,
          onMessage(message) {
            if (message.type === 'subscribed' && message.outcome !== 'resume')
              done.reject(new Error('It should go on where it ended'));
            if (message.type === 'entries') got += message.entries.length;
            if (got >= behind) done.resolve(performance.now() - from);
          },
        });
        const hash = hashes[Number(room.slice(3))] ?? new Uint8Array();
        device.send({ type: 'subscribe', room, logId, cursor: 1, hash });
        const took = await done.promise;
        device.socket.terminate();
        return took;
      }),
    );
    times.sort((a, b) => a - b);
    const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN;
    return { connections, allMs: times.at(-1) ?? Number.NaN, p50: at(0.5), p99: at(0.99) };
  } finally {
    relay.child.kill('SIGKILL');
    await relay.ended;
    remove();
  }
}
