import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import { openPostgres } from '../../cloud/src/db/postgres/postgres-storage.ts';
import type { TestPostgres } from '../../cloud/src/testing/postgres.ts';
import { benchUpdate } from '../sync/relay.ts';
import { cpuOf } from './nodes.ts';

const ROOMS = 200;
const OF_A_ROOM = 20;

/**
 * Loads the log alone, one batch after the other and without listeners: what an
 * append, and a look for another node's entries, cost the node and Postgres.
 */
export async function loadLog(
  postgres: TestPostgres,
  seconds: number,
): Promise<Record<string, number | string>[]> {
  const url = await postgres.database();
  const storage = await openPostgres(
    { url, sessionUrl: url, connections: 2, pollMs: 1000 },
    pino({ level: 'silent' }),
  );
  const { updates } = storage;
  const names = Array.from({ length: ROOMS }, (_, n) => `rm_${String(n).padStart(26, '0')}`);
  for (const room of names) await updates.open(room);
  const body = benchUpdate();
  let turn = 0;
  const heads = new Map<string, number>();

  async function append(size: number): Promise<void> {
    turn += 1;
    const batch = Array.from({ length: size / OF_A_ROOM }, (_, writer) => {
      const room = names[(turn * 7 + writer * 13) % ROOMS] ?? '';
      return Array.from({ length: OF_A_ROOM }, (_, n) => ({
        room,
        epoch: 0,
        device: `dev_${writer}`,
        incarnation: 'inc',
        entry: {
          kind: 'update' as const,
          n: turn * OF_A_ROOM + n,
          at: 1,
          bucket: n,
          enc: true,
          body,
        },
      }));
    }).flat();
    for (const [index, outcome] of (await updates.append(batch)).entries())
      if (outcome.kind === 'stored') heads.set(batch[index]?.room ?? '', outcome.entry.seq);
  }

  async function measured(what: string, size: number, run: () => Promise<unknown>) {
    const [own, theirs, from] = [process.cpuUsage(), cpuOf(postgres.pid), performance.now()];
    let count = 0;
    while (performance.now() - from < seconds * 1000) {
      await run();
      count += size;
    }
    const took = (performance.now() - from) / 1000;
    const { user, system } = process.cpuUsage(own);
    return {
      what,
      'of a batch': size,
      'entries/s': Math.round(count / took),
      'CPU µs of the node': Math.round((user + system) / count),
      'of Postgres': Math.round(((cpuOf(postgres.pid) - theirs) / count) * 1e6),
    };
  }

  const rows = [];
  for (const size of [200, 640]) rows.push(await measured('append', size, () => append(size)));
  const behind = new Map([...heads].slice(0, 32).map(([room, head]) => [room, head - OF_A_ROOM]));
  const look = () => updates.sinceEach(behind, { entries: 1024, bytes: 512 * 1024 });
  rows.push(await measured('look', behind.size * OF_A_ROOM, look));
  await storage.close();
  return rows;
}
