import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { openPostgres } from '../../cloud/src/db/postgres/postgres-storage.ts';
import { migrations } from '../../cloud/src/db/postgres/migrations.ts';
import pg from 'pg';
import type { TestPostgres } from '../../cloud/src/testing/postgres.ts';

/** What one node process is told to do. */
export interface NodeLoad {
  url: string;
  node: number;
  rooms: number;
  writers: number;
  batch: number;
  seconds: number;
  /** What a writer waits between two appends, ms. */
  pauseMs: number;
}

export interface NodeResult {
  acknowledged: number;
  stored: number;
  delivered: number;
  waits: number[];
  across: number[];
  cpuSeconds: number;
  rssMb: number;
}

export interface NodesOptions {
  nodes: number;
  /** Of all nodes together. */
  writers: number;
  batch: number;
  rooms: number;
  seconds: number;
  /** Parts of the table of entries; 1 for a table in one piece. */
  parts?: number;
  /** What a writer waits between two appends, ms: for what one change takes where it is quiet. */
  pauseMs?: number;
}

const at = (sorted: readonly number[], part: number) =>
  sorted[Math.floor(sorted.length * part)] ?? Number.NaN;

/** Loads nodes that share one Postgres and its rooms; answers a row of a table. */
export async function loadNodes(
  postgres: TestPostgres,
  { nodes, writers, batch, rooms, seconds, parts = 8, pauseMs = 0 }: NodesOptions,
): Promise<Record<string, number>> {
  const url = await postgres.database();
  const known = migrations.map((step) => ({
    ...step,
    sql: step.sql.replace('0..7', `0..${parts - 1}`).replace('MODULUS 8', `MODULUS ${parts}`),
  }));
  const storage = await openPostgres(
    { url, sessionUrl: url, connections: 2, pollMs: 1000 },
    pino({ level: 'silent' }),
    known,
  );
  for (let n = 0; n < rooms; n += 1) await storage.updates.open(`rm_${String(n).padStart(26, '0')}`);
  await storage.close();
  const each = Math.ceil(writers / nodes);
  const before = cpuOf(postgres.pid);
  const results = await Promise.all(
    Array.from({ length: nodes }, (_, node) =>
      runNode({ url, node, rooms, batch, seconds, pauseMs, writers: each }),
    ),
  );
  const ofPostgres = cpuOf(postgres.pid) - before;
  const sum = (of: (result: NodeResult) => number) => results.reduce((all, one) => all + of(one), 0);
  const waits = results.flatMap((one) => one.waits).sort((a, b) => a - b);
  const across = results.flatMap((one) => one.across).sort((a, b) => a - b);
  const stats = await statsOf(url);
  return {
    nodes,
    writers,
    batch,
    rooms,
    parts,
    'appends/s': Math.round(sum((one) => one.acknowledged) / seconds),
    'p50 ms': Math.round(at(waits, 0.5)),
    'p99 ms': Math.round(at(waits, 0.99)),
    'across p50 ms': Math.round(at(across, 0.5)),
    'across p95 ms': Math.round(at(across, 0.95)),
    'across p99 ms': Math.round(at(across, 0.99)),
    'delivered across/s': Math.round(sum((one) => one.delivered) / seconds),
    'CPU s/s of nodes': Number((sum((one) => one.cpuSeconds) / seconds).toFixed(2)),
    'CPU µs/append of nodes': Math.round(
      (sum((one) => one.cpuSeconds) / sum((one) => one.acknowledged)) * 1e6,
    ),
    'of Postgres': Math.round((ofPostgres / sum((one) => one.stored)) * 1e6),
    ...stats,
  };
}

/** Seconds of processor time that a process and its children took so far, also those that have ended; Linux only. */
export function cpuOf(pid: number): number {
  let ticks = 0;
  for (const name of fs.readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    let stat;
    try {
      stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8');
    } catch {
      // It ended meanwhile, and its parent has its time.
      continue;
    }
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, usersOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15);
    if (Number(name) === pid) ticks += user + system + usersOfEnded + systemOfEnded;
    else if (fields[1] === pid) ticks += user + system;
  }
  return ticks / 100;
}

async function statsOf(url: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query<Record<string, string>>(
    `SELECT (SELECT sum(n_live_tup) FROM pg_stat_user_tables WHERE relname LIKE 'log_entries%') AS entries,
       (SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables WHERE relname LIKE 'log_entries%') AS bytes,
       (SELECT 100.0 * n_tup_hot_upd / greatest(n_tup_upd, 1) FROM pg_stat_user_tables WHERE relname = 'log_rooms') AS hot,
       (SELECT pg_total_relation_size(relid) / 1024 FROM pg_stat_user_tables WHERE relname = 'log_rooms') AS rooms_kb,
       (SELECT sum(autovacuum_count) FROM pg_stat_user_tables) AS vacuums`,
  );
  await client.end();
  const row = rows[0] ?? {};
  return {
    'bytes/entry': Math.round(Number(row['bytes']) / Number(row['entries'])),
    'HOT %': Math.round(Number(row['hot'])),
    'log_rooms KiB': Number(row['rooms_kb']),
    autovacuums: Number(row['vacuums']),
  };
}

function runNode(load: NodeLoad): Promise<NodeResult> {
  const child = spawn(
    process.execPath,
    [
      ...(process.env['PROF'] ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'] : []),
      path.join(import.meta.dirname, 'node.ts'),
      JSON.stringify(load),
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  child.stdout.on('data', (data) => (said += String(data)));
  return new Promise((resolve, reject) => {
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(said) as NodeResult) : reject(new Error(`A node ended with ${code}`)),
    );
  });
}
