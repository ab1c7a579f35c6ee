import os from 'node:os';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../cloud/src/testing/postgres.ts';
import { loadLog } from './log.ts';
import { loadNodes } from './nodes.ts';
import { retain } from './retention.ts';
import { loadSockets, stormNodes } from './sockets.ts';

/**
 * Nodes of a relay on one Postgres, all on this machine: what they append and tell each other, how that grows with nodes, what the table of
 * entries takes in one piece and in parts, what it takes while entries come and go, and how long 1,000 devices take to come again. `npm run bench:relay -- --seconds 8 --part appends`.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, part: { type: 'string', default: 'all' } },
});
const seconds = Number(values.seconds);
const runs = (part: string) => values.part === 'all' || values.part === part;

const [load] = os.loadavg();
console.log(`${os.availableParallelism()} cores, load before the run ${load?.toFixed(1)}, ${seconds} s each`);
const postgres = await startPostgres({
  settings: {
    shared_buffers: '1GB',
    max_wal_size: '4GB',
    wal_compression: 'off',
    checkpoint_timeout: '15min',
  },
});
try {
  if (runs('log')) console.table(await loadLog(postgres, seconds));
  if (runs('appends')) {
    const rows = [];
    for (const at of [
      { nodes: 1, writers: 16, batch: 1 },
      { nodes: 2, writers: 16, batch: 20 },
      { nodes: 2, writers: 64, batch: 20 },
      { nodes: 1, writers: 64, batch: 20 },
      { nodes: 4, writers: 64, batch: 20 },
    ])
      rows.push(await loadNodes(postgres, { ...at, rooms: 200, seconds }));
    console.table(rows);
  }
  if (runs('quiet')) {
    const rows = [];
    for (const pauseMs of [30, 250, 700])
      rows.push(
        await loadNodes(postgres, {
          nodes: 2,
          writers: 2,
          batch: 1,
          rooms: 20,
          seconds: seconds * 4,
          pauseMs,
        }),
      );
    console.table(rows);
  }
  if (runs('parts')) {
    const rows = [];
    for (const parts of [1, 8, 32])
      rows.push(
        await loadNodes(postgres, {
          nodes: 2,
          writers: 64,
          batch: 20,
          rooms: 200,
          seconds: seconds * 3,
          parts,
        }),
      );
    console.table(rows);
  }
  if (runs('retention')) {
    const rows = [];
    for (const parts of [1, 8, 32]) rows.push(...(await retain(postgres, parts)));
    console.table(rows);
  }
  if (runs('sockets')) console.table(await loadSockets(postgres, seconds));
  if (runs('storm')) console.log(await stormNodes(postgres));
} finally {
  await postgres.remove();
}
