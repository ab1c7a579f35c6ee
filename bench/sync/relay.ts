import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { hashKey, makeKey } from '@reverie/shared/accounts/key-format';
import * as Y from 'yjs';
import { createSqliteAccountStore } from '../../cloud/src/accounts/accounts.store.ts';
import { insertDevice } from '../../cloud/src/accounts/devices.store.ts';
import { openDatabase } from '../../cloud/src/db/open-database.ts';
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
  const store = createSqliteAccountStore(db, async () => undefined);
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
    insertRoom(db, { id: room, owner: account, name: 'default', now });
    await log.open(room);
    for (let n = 0; n < devices; n += 1) {
      const key = makeKey('live');
      const device = `dev_${at}_${n}`;
      insertDevice(db, { id: device, account, name: 'bench', keyHash: hashKey(key), created_at: now });
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
