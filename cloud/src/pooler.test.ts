import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool } from './db/postgres/pool.ts';
import {
  connect,
  type Linked,
  openRoom,
  pair,
  signUp,
  type TestDevice,
  updateEntry,
} from './testing/device.ts';
import { hasPooler, type Pooler, startPooler } from './testing/pooler.ts';
import { startPostgres, type TestPostgres } from './testing/postgres.ts';
import { startRelay, type TestRelay } from './testing/relay.ts';

let postgres: TestPostgres;
let pooler: Pooler;
beforeAll(async () => {
  if (!hasPooler) return;
  // The server forgets nothing by itself, and promises nothing by itself.
  postgres = await startPostgres({ settings: { synchronous_commit: 'off' } });
  pooler = await startPooler(postgres);
});
afterAll(async () => {
  if (!hasPooler) return;
  await pooler.stop();
  await postgres.remove();
});

/** Two nodes, of which each device has one, and all that is needed to write at one and read at the other. */
async function withNodes(
  env: Record<string, string>,
  run: (nodes: TestRelay[], open: (node: number, linked: Linked) => Promise<TestDevice>) => Promise<void>,
): Promise<void> {
  const nodes = await Promise.all([startRelay(env), startRelay(env)]);
  const devices: TestDevice[] = [];
  try {
    await run(nodes, async (node, linked) => {
      const device = await connect(nodes[node]?.origin ?? '', linked, { incarnation: `inc${node}` });
      await device.next('welcome');
      devices.push(device);
      return device;
    });
  } finally {
    for (const device of devices) device.socket.terminate();
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

describe.runIf(hasPooler)('behind PgBouncer in transaction mode', () => {
  test.each([
    ['with an address of Postgres itself for hints', true],
    ['without one: it is found out', false],
  ])('%s: what is written at one node is acknowledged and read at the other', async (_how, isTold) => {
    const direct = await postgres.database();
    const env = {
      RELAY_DATABASE_URL: pooler.through(direct),
      ...(isTold && { RELAY_DATABASE_SESSION_URL: direct }),
      RELAY_POLL_MS: '100',
    };
    await withNodes(env, async (nodes, open) => {
      const first = await signUp(nodes[0]?.origin ?? '', 'a@example.org');
      const room = await openRoom(nodes[0]?.origin ?? '', first, 'default');
      const writer = await open(0, first);
      const reader = await open(1, await pair(nodes[1]?.origin ?? '', first));
      reader.send({ type: 'subscribe', room, logId: '', cursor: 0, hash: new Uint8Array() });
      await reader.next('subscribed');
      const numbers = Array.from({ length: 60 }, (_, n) => n + 1);
      for (const n of numbers)
        writer.send({
          type: 'append',
          room,
          epoch: 0,
          incarnation: 'inc0',
          entries: [updateEntry(n, 100)],
        });
      const seqs = (device: TestDevice) =>
        device.got.flatMap((message) =>
          message.type === 'entries' ? message.entries.map(({ seq }) => seq) : [],
        );
      await expect.poll(() => seqs(reader)).toEqual(numbers);
      const acked = writer.got.flatMap((message) => (message.type === 'ack' ? message.acks : []));
      expect(acked.map(({ n }) => n)).toEqual(numbers);
    });
  });

  test('a transaction waits for the disk, though the server does not by itself', async () => {
    const direct = await postgres.database();
    for (const url of [direct, pooler.through(direct)]) {
      const pool = createPool({ url, connections: 1, failed: () => undefined });
      try {
        const { rows } = await pool.transaction({ isolation: 'READ COMMITTED' }, (connection) =>
          connection.query('SHOW synchronous_commit'),
        );
        expect(rows).toEqual([{ synchronous_commit: 'on' }]);
      } finally {
        await pool.close();
      }
    }
  });
});
