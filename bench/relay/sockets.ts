import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { hashKey, makeKey } from '@reverie/shared/accounts/key-format';
import { pino } from 'pino';
import { createAccountStore } from '../../cloud/src/accounts/accounts.store.ts';
import { insertDevice } from '../../cloud/src/accounts/devices.store.ts';
import { openPostgres } from '../../cloud/src/db/postgres/postgres-storage.ts';
import { insertRoom } from '../../cloud/src/rooms/rooms.store.ts';
import { connect, type Linked } from '../../cloud/src/testing/device.ts';
import { startNodes, type TestNodes } from '../../cloud/src/testing/nodes.ts';
import type { TestPostgres } from '../../cloud/src/testing/postgres.ts';
import { measureLoad } from '../sync/load.ts';
import { benchUpdate } from '../sync/relay.ts';
import { cpuOf } from './nodes.ts';

interface Seeded {
  linked: Linked;
  room: string;
}

/** Accounts with a room and four devices each, and some entries in each room. */
async function seed(url: string, rooms: number, behind: number): Promise<Seeded[]> {
  const storage = await openPostgres(
    { url, sessionUrl: url, connections: 4, pollMs: 1000 },
    pino({ level: 'silent' }),
  );
  const { records, updates } = storage;
  const store = createAccountStore(records, async () => undefined);
  const now = Date.now();
  const body = benchUpdate();
  const seeded: Seeded[] = [];
  for (let at = 0; at < rooms; at += 1) {
    const [account, room] = [`acc_${at}`, `rm_${at}`];
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
    const keys = Array.from({ length: 4 }, () => makeKey('live'));
    await records.write(function* () {
      yield* insertRoom({ id: room, owner: account, name: 'default', now });
      for (const [n, key] of keys.entries())
        yield* insertDevice({
          id: `dev_${at}_${n}`,
          account,
          name: 'bench',
          keyHash: hashKey(key),
          created_at: now,
        });
    });
    await updates.open(room);
    await updates.append(
      Array.from({ length: behind }, (_, n) => ({
        room,
        epoch: 0,
        device: 'dev_seed',
        incarnation: 'inc',
        entry: { kind: 'update' as const, n, at: 1, bucket: n % 64, enc: false, body },
      })),
    );
    for (const [n, key] of keys.entries())
      seeded.push({ linked: { account, device: `dev_${at}_${n}`, key }, room });
  }
  await storage.close();
  return seeded;
}

const settings = { RELAY_TRUST_PROXY: 'false', RELAY_POLL_MS: '1000' };

/** Devices with real sockets, each waiting for its answer before it writes on, at two nodes. */
export async function loadSockets(postgres: TestPostgres, seconds: number): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const { connections, rooms } of [
    { connections: 100, rooms: 25 },
    { connections: 1000, rooms: 250 },
  ]) {
    const url = await postgres.database();
    const seeded = await seed(url, rooms, 1);
    const nodes = await startNodes(2, url, settings);
    try {
      const body = benchUpdate();
      const result = await measureLoad({
        seconds,
        connections,
        pid: nodes.nodes[0]?.process.child.pid ?? 0,
        async connect(index, { answered, delivered }) {
          const { linked, room } = seeded[index % seeded.length] ?? {};
          if (!linked || room === undefined) throw new Error('There is a device for each connection');
          const subscribed = Promise.withResolvers<void>();
          const device = await connect(nodes.nodes[index % 2]?.origin ?? '', linked, {
            forgets: true,
            onMessage(message) {
              if (message.type === 'ack') for (const _ of message.acks) answered();
              else if (message.type === 'entries') delivered(message.entries.length);
              else if (message.type === 'subscribed') subscribed.resolve();
            },
          });
          device.send({ type: 'subscribe', room, logId: '', cursor: 0, hash: new Uint8Array() });
          await subscribed.promise;
          return {
            write: (n) =>
              device.send({
                type: 'append',
                room,
                epoch: 0,
                incarnation: 'inc',
                entries: [{ kind: 'update', n, at: 1, bucket: n % 64, enc: false, body }],
              }),
            close: () => device.close(),
          };
        },
      });
      rows.push({
        connections,
        rooms,
        'acks/s': Math.round(result.acksPerSecond),
        'p50 ms': Math.round(result.p50),
        'p99 ms': Math.round(result.p99),
        'delivered/s': Math.round(result.deliveredPerSecond),
        'RSS MB of a node': Math.round(result.rssMb),
      });
    } finally {
      await nodes.stop();
    }
  }
  return rows;
}

/** 1,000 devices come at once, each 100 entries behind, at two nodes. */
export async function stormNodes(postgres: TestPostgres): Promise<string> {
  const url = await postgres.database();
  const seeded = await seed(url, 250, 100);
  const nodes: TestNodes = await startNodes(2, url, settings);
  try {
    const cpus = () => [
      process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
      ...nodes.nodes.map((node) => cpuOf(node.process.child.pid ?? 0)),
      cpuOf(postgres.pid),
    ];
    const before = cpus();
    const from = performance.now();
    let again = 0;
    /** As devices do: who is sent on comes again. */
    async function readBehind({ linked, room }: Seeded): Promise<number> {
      let got = 0;
      for (;;) {
        const done = Promise.withResolvers<boolean>();
        const device = await connect(nodes.origin, linked, {
          forgets: true,
          onMessage(message) {
            if (message.type === 'entries') got += message.entries.length;
            if (got >= 100) done.resolve(true);
          },
        });
        if (device.socket.readyState === device.socket.OPEN)
          device.send({ type: 'subscribe', room, logId: '', cursor: 0, hash: new Uint8Array() });
        const isDone = await Promise.race([done.promise, device.closed.then(() => false)]);
        device.socket.terminate();
        if (isDone) return performance.now() - from;
        got = 0;
        again += 1;
        await delay(Math.random() * 1000);
      }
    }
    const times = await Promise.all(seeded.map(readBehind));
    times.sort((a, b) => a - b);
    const at = (part: number) => Math.round(times[Math.floor((times.length - 1) * part)] ?? Number.NaN);
    const [devices = 0, first = 0, second = 0, database = 0] = cpus().map((cpu, n) => cpu - (before[n] ?? 0));
    const shares = `CPU s: devices ${devices.toFixed(1)}, nodes ${first.toFixed(1)} and ${second.toFixed(1)}, Postgres ${database.toFixed(1)}`;
    return `${times.length} devices come at once to two nodes, each 100 entries behind: all have them after ${at(1)} ms (p50 ${at(0.5)}, p99 ${at(0.99)}), ${again} had to come again; ${shares}`;
  } finally {
    await nodes.stop();
  }
}
