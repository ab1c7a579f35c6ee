import os from 'node:os';
import { parseArgs } from 'node:util';
import { loadHocuspocus } from './hocuspocus.ts';
import type { LoadResult } from './load.ts';
import { loadRelay, stormRelay } from './relay.ts';

/**
 * The relay under load, and Hocuspocus under the same one in the same run. Servers are processes of their own; the
 * load comes from this one and takes its share of the same cores. `npm run bench:sync -- --seconds 10 --most 1000`.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, most: { type: 'string', default: '1000' } },
});
const seconds = Number(values.seconds);
const most = Number(values.most);

const loads = [
  { connections: 1, rooms: 1 },
  { connections: 100, rooms: 25 },
  { connections: 100, rooms: 1 },
  { connections: 1000, rooms: 250 },
].filter(({ connections }) => connections <= most);

const rows: Record<string, unknown>[] = [];
const [load] = os.loadavg();
console.log(`${os.availableParallelism()} cores, load before the run ${load?.toFixed(1)}, ${seconds} s each`);

function add(server: string, at: { connections: number; rooms: number }, result: LoadResult): void {
  const { acksPerSecond, p50, p99, deliveredPerSecond, acksPerCpuSecond, rssMb } = result;
  rows.push({
    server,
    connections: at.connections,
    rooms: at.rooms,
    'acks/s': Math.round(acksPerSecond),
    'p50 ms': Number(p50.toFixed(1)),
    'p99 ms': Number(p99.toFixed(1)),
    'delivered/s': Math.round(deliveredPerSecond),
    'acks/CPU s': Math.round(acksPerCpuSecond),
    'RSS MB': Math.round(rssMb),
  });
}

for (const at of loads) {
  const result = await loadRelay({ ...at, seconds });
  add('relay, on disk', at, result);
  if (at.connections === 100 && at.rooms === 25) {
    const isMet = result.acksPerSecond >= 5000 && result.p99 < 60;
    console.log(`At 100 connections: 5,000 durable acks/s with p99 below 60 ms ${isMet ? 'met' : 'MISSED'}`);
  }
  if (at.connections <= 100) add('Hocuspocus 4, memory', at, await loadHocuspocus({ ...at, seconds }));
}
console.table(rows);

const storm = await stormRelay(most, 100);
console.log(
  `${storm.connections} devices come at once, each 100 entries behind: all have them after ${Math.round(storm.allMs)} ms (p50 ${Math.round(storm.p50)}, p99 ${Math.round(storm.p99)})`,
);
console.log('delivered/s counts updates for the relay, messages (which may hold several) for Hocuspocus');
