import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyHash } from '@reverie/shared/protocol/entry-hash';
import pg from 'pg';
import { pino } from 'pino';
import { migrations } from '../../cloud/src/db/postgres/migrations.ts';
import { openPostgres } from '../../cloud/src/db/postgres/postgres-storage.ts';
import type { TestPostgres } from '../../cloud/src/testing/postgres.ts';
import { compactAll } from '../../cloud/src/update-log/compacting.ts';
import type { UpdateLog } from '../../cloud/src/update-log/update-log.ts';
import { benchUpdate } from '../sync/relay.ts';

const ROOMS = 100;
const ENTRIES = 300;
const CYCLES = 4;
/** As long as autovacuum may take to see what a cycle left: it looks every second here, every minute where nobody says so. */
const LONGEST_WAIT = 20_000;

/**
 * What the tables take while entries come and go: in each cycle every room is written to, has a snapshot that a second device confirms, and
 * begins an epoch, after which its entries are taken out. Where autovacuum keeps up, the size after the second cycle is that of the last.
 */
export async function retain(postgres: TestPostgres, parts: number): Promise<Record<string, number>[]> {
  const url = await postgres.database();
  const known = migrations.map((step) => ({
    ...step,
    sql: step.sql.replace('0..7', `0..${parts - 1}`).replace('MODULUS 8', `MODULUS ${parts}`),
  }));
  const log = pino({ level: 'silent' });
  const storage = await openPostgres({ url, sessionUrl: url, connections: 2, pollMs: 1000 }, log, known);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("ALTER SYSTEM SET autovacuum_naptime = '1s'");
  await client.query('SELECT pg_reload_conf()');
  const names = Array.from({ length: ROOMS }, (_, n) => `rm_${String(n).padStart(26, '0')}`);
  for (const room of names) await storage.updates.open(room);
  const rows = [];
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
    const wrote = await timed(() => write(storage.updates, names, cycle));
    const letGo = await timed(() => settle(storage.updates, names, cycle));
    const compacted = await timed(() => compactAll(storage.updates, async () => undefined));
    const dead = await sizesOf(client);
    await vacuumed(client);
    const after = await sizesOf(client);
    rows.push({
      parts,
      cycle,
      'write ms': wrote,
      'let go ms': letGo,
      'compact ms': compacted,
      'dead rows': dead.dead,
      'left by autovacuum': after.dead,
      vacuums: after.vacuums,
      'entries MB': after.entries,
      'hashes MB': after.hashes,
    });
  }
  rows.push({ parts, cycle: CYCLES, 'VACUUM ms': await timed(() => client.query('VACUUM log_entries')) });
  await client.query('ALTER SYSTEM RESET autovacuum_naptime');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
  await storage.close();
  return rows;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return Math.round(performance.now() - from);
}

async function write(updates: UpdateLog, names: readonly string[], cycle: number): Promise<void> {
  const body = benchUpdate();
  for (let from = 0; from < ENTRIES; from += 20)
    await updates.append(
      names.flatMap((room) =>
        Array.from({ length: 20 }, (_, n) => ({
          room,
          epoch: cycle - 1,
          device: `dev_${room}`,
          incarnation: 'inc',
          entry: {
            kind: 'update' as const,
            n: cycle * ENTRIES + from + n,
            at: 1,
            bucket: 0,
            enc: true,
            body,
          },
        })),
      ),
    );
}

async function settle(updates: UpdateLog, names: readonly string[], cycle: number): Promise<void> {
  const body = benchUpdate();
  for (const room of names) {
    await updates.advanceEpoch(room, { from: cycle - 1, to: cycle });
    const of = { room, bucket: 0, covers: cycle * ENTRIES, bodyHash: bodyHash(body) };
    await updates.putSnapshot({
      type: 'snapshot',
      ...of,
      epoch: cycle,
      enc: true,
      body,
      device: 'one',
      at: 1,
    });
    await updates.confirmSnapshot({ ...of, device: 'other' });
  }
}

interface Sizes {
  entries: number;
  hashes: number;
  dead: number;
  vacuums: number;
}

async function sizesOf(client: pg.Client): Promise<Sizes> {
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query<Record<keyof Sizes, string>>(
    `SELECT sum(pg_total_relation_size(relid)) FILTER (WHERE relname LIKE 'log_entries%') / 1e6 AS entries,
       sum(pg_total_relation_size(relid)) FILTER (WHERE relname = 'log_hashes') / 1e6 AS hashes,
       sum(n_dead_tup) FILTER (WHERE relname LIKE 'log_entries%') AS dead,
       sum(autovacuum_count) FILTER (WHERE relname LIKE 'log_entries%') AS vacuums FROM pg_stat_user_tables`,
  );
  const number = (name: keyof Sizes) => Math.round(Number(rows[0]?.[name]) * 10) / 10;
  return {
    entries: number('entries'),
    hashes: number('hashes'),
    dead: number('dead'),
    vacuums: number('vacuums'),
  };
}

/** Waits until autovacuum has nothing to do, by its own rule, or has had its time. */
async function vacuumed(client: pg.Client): Promise<void> {
  const until = performance.now() + LONGEST_WAIT;
  while (performance.now() < until) {
    await delay(500);
    await client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await client.query<{ waiting: string }>(
      `SELECT count(*) AS waiting FROM pg_stat_user_tables WHERE relname LIKE 'log_entries%' AND n_dead_tup > 50 + 0.05 * n_live_tup`,
    );
    if (Number(rows[0]?.waiting) === 0) return;
  }
}
