import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { type Balancer, startBalancer } from './testing/balancer.ts';
import { type Linked, openRoom, pair, signUp } from './testing/device.ts';
import { startNodes, type TestNodes } from './testing/nodes.ts';
import { joinNotes } from './testing/note-client.ts';
import { startPostgres, type TestPostgres } from './testing/postgres.ts';
import { expectAllThere, more, startWriters } from './testing/steady-writers.ts';

let postgres: TestPostgres;
let nodes: TestNodes;
let line: Balancer;
let url: string;
let first: Linked;
let room: string;

/** Postgres behind a line that a test leads elsewhere, or nowhere. */
async function begin(given: TestPostgres): Promise<void> {
  postgres = given;
  line = await startBalancer();
  leadTo(postgres);
  url = await postgres.database();
  const through = new URL(url);
  through.port = new URL(line.origin).port;
  nodes = await startNodes(2, through.href);
  first = await signUp(nodes.origin, 'a@example.org');
  room = await openRoom(nodes.origin, first, 'default');
}
const leadTo = ({ port }: { port: number }) => line.nodes([`http://127.0.0.1:${port}`]);

afterEach(async () => {
  await nodes.stop();
  await line.stop();
  await postgres.remove();
});

describe('under load', () => {
  beforeEach(async () => begin(await startPostgres()));

  test('a node is killed: its devices go on at the other one within 5 s, and nothing that was acknowledged is missing', async () => {
    const writers = await startWriters(nodes.origin, 6, { first, room });
    await more(writers, 100);
    const waits: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      for (const writer of writers) writer.longestWait();
      await nodes.nodes[0]?.kill();
      await more(writers, 50);
      waits.push(Math.max(...writers.map((writer) => writer.longestWait())));
      await nodes.start();
    }
    // The shorter of both: what else the machine does falls on one.
    expect(Math.min(...waits)).toBeLessThan(seconds(0.5));
    expect(Math.max(...waits)).toBeLessThan(seconds(3));
    await expectAllThere(nodes.origin, writers, { first, room });
  });

  test('a node stops: it answers what came, sends its devices on, and ends with 0', async () => {
    const writers = await startWriters(nodes.origin, 6, { first, room });
    await more(writers, 100);
    for (const writer of writers) writer.longestWait();
    expect(await nodes.nodes[0]?.kill('SIGTERM')).toBe(0);
    await more(writers, 50);
    expect(Math.max(...writers.map((writer) => writer.longestWait()))).toBeLessThan(seconds(0.5));
    await expectAllThere(nodes.origin, writers, { first, room });
  });

  test('a node that had a shared document open is killed: it is open at the other one within some seconds, with all that was told', async () => {
    const one = joinNotes(nodes.nodes[0]?.origin ?? '', first, { room });
    one.write('told');
    // The node at which a document is opened first has it open for all.
    await expect.poll(() => one.provider.synced).toBe(true);
    const two = joinNotes(nodes.nodes[1]?.origin ?? '', await pair(nodes.origin, first), { room });
    await expect.poll(() => two.text()).toBe('told');
    await nodes.nodes[0]?.kill();
    one.leave();
    const before = performance.now();
    await expect.poll(() => two.cuts()).toBeGreaterThan(0);
    const three = joinNotes(nodes.origin, first, { room });
    await expect.poll(() => three.text(), { interval: 50 }).toBe('told');
    expect(performance.now() - before).toBeLessThan(seconds(1));
    two.write(', and more');
    await expect.poll(() => three.text()).toBe('told, and more');
    for (const client of [two, three]) client.leave();
  });

  test('Postgres is stopped as by a power cut, and comes again: nothing that was acknowledged is missing or there twice', async () => {
    const writers = await startWriters(nodes.origin, 6, { first, room });
    for (let round = 0; round < 2; round += 1) {
      await more(writers, 100);
      await postgres.stop('immediate');
      await postgres.start();
      await more(writers, 50);
    }
    await expectAllThere(nodes.origin, writers, { first, room });
  });

  test('the line to Postgres goes dead and comes back: nothing is missing, and a node without it says that it is not ready', async () => {
    const writers = await startWriters(nodes.origin, 4, { first, room });
    await more(writers, 100);
    line.mute();
    const ready = async () => (await fetch(`${nodes.nodes[0]?.origin ?? ''}/readyz`)).status;
    await expect.poll(ready).toBe(503);
    line.mend();
    await expect.poll(ready).toBe(200);
    await more(writers, 50);
    await expectAllThere(nodes.origin, writers, { first, room });
  });
});

test('Postgres fails over to a copy under load: nothing that was acknowledged is missing or there twice, and devices are told that it is another log', async () => {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-copy-'));
  const primary = await startPostgres();
  await primary.stop();
  fs.cpSync(primary.folder, base, { recursive: true, verbatimSymlinks: true });
  await primary.start();
  await begin(primary);
  fs.writeFileSync(path.join(base, 'data/standby.signal'), '');
  const copy = await startPostgres({
    folder: base,
    settings: {
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres password=test application_name=copy`,
    },
  });
  const admin = new pg.Client({ connectionString: url });
  admin.on('error', () => undefined);
  await admin.connect();
  // From now on an acknowledgement waits for the disk of the copy, too.
  await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await admin.query('SELECT pg_reload_conf()');
  await expect
    .poll(
      async () =>
        (await admin.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication')).rows,
    )
    .toEqual([{ sync_state: 'sync' }]);
  const writers = await startWriters(nodes.origin, 4, { first, room });
  await more(writers, 100);
  const before = await logIdOf(nodes.origin);
  await primary.stop('immediate');
  const promoted = new URL(url);
  promoted.port = String(copy.port);
  const client = new pg.Client({ connectionString: promoted.href });
  await client.connect();
  await client.query('ALTER SYSTEM RESET synchronous_standby_names');
  await client.query('SELECT pg_promote(true)');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
  leadTo(copy);
  await more(writers, 50);
  await expect.poll(() => logIdOf(nodes.origin)).not.toBe(before);
  await expectAllThere(nodes.origin, writers, { first, room });
  await copy.remove();
});

async function logIdOf(origin: string): Promise<unknown> {
  const answer: unknown = await (await fetch(`${origin}/healthz`)).json();
  return (answer as { log_id?: unknown }).log_id;
}
