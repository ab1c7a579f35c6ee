/**
 * Attacks daemons and relays of its own, on the loopback and in temporary homes, and looks whether what is promised holds:
 *
 *   npm run test:attack -- [--only kills,fuzz,strangers,surfaces,mcp,…,hostile,row1,…,row9] [--minutes 10] [--seed N] [--kills 200] [--times 100]
 *
 * `--minutes` says about how long it takes, and with that how much is done, where `--kills` and `--times` do not; `--seconds` is the limit alone.
 *
 * Exits with 1 where it found anything. `docs/reliability.md` says what is promised, and has the figures.
 */
import { parseArgs } from 'node:util';
import { fuzzDaemon, fuzzRelay } from './fuzz/fuzz.ts';
import { leaveAllGrounds, openGrounds } from './grounds.ts';
import { rows } from './hostile/rows.ts';
import type { Row } from './hostile/row.ts';
import { type Aftermath, killAll } from './kills/kills.ts';
import { createLedger, type Section } from './ledger.ts';
import { createProgress } from './progress.ts';
import { seeded } from './random.ts';
import { intrude, intrudeRelay } from './strangers.ts';
import type { Surface } from './surfaces/surface.ts';
import { surfaces } from './surfaces/surfaces.ts';

/** What of its time the attack kills for at most. */
const KILLING = 0.3;
/** Seconds that it may take beyond what `--minutes` says before it is given up: the machine may be busy. */
const GRACE = 120;
/** Below so many minutes nothing is killed, and no row is tried: most wait for sweeps of what was deleted. */
const SWEPT_MINUTES = 5;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '10' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    kills: { type: 'string' },
    times: { type: 'string' },
  },
});
const startedAt = performance.now();
const progress = createProgress(startedAt);
const say = (text: string) => process.stderr.write(`${text}\n`);
const ledger = createLedger(say);
const [seed, minutes] = [Number(options.seed), Number(options.minutes)];
const seconds = Number(options.seconds ?? minutes * 60 + GRACE);
const kills = Number(options.kills ?? Math.ceil(minutes * 20));
const times = Number(options.times ?? Math.ceil(minutes * 10));
const wanted = options.only.split(',').filter((name) => name !== '');
const known = [
  ...['kills', 'fuzz', 'strangers', 'surfaces', ...Object.keys(surfaces)],
  ...['hostile', ...Object.keys(rows)],
];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  say(`There is no section ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exit(2);
}
const wants = (...names: string[]) => wanted.length === 0 || names.some((name) => wanted.includes(name));

/** Runs one part; what it throws is a fault, and the others go on. */
async function run(name: string, part: (section: Section) => Promise<void>): Promise<void> {
  const section = ledger.section(name);
  try {
    await part(section);
  } catch (cause) {
    section.found(
      'wrong',
      `it did not come to its end: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
    );
  }
}

async function trySurface(surface: Surface, n: number): Promise<void> {
  progress(surface.name);
  const grounds = openGrounds();
  try {
    await run(surface.name, (section) =>
      surface.run({ section, grounds, seed: seed + n, random: seeded(seed + n), times }),
    );
  } finally {
    await grounds.stop();
  }
}

async function tryRow(row: Row, n: number): Promise<void> {
  progress(row.name);
  const grounds = openGrounds();
  try {
    await run(row.name, (section) => row.run({ section, grounds, random: seeded(seed + n) }));
  } finally {
    await grounds.stop();
  }
}

function report(): string {
  return `seed ${seed}, ${Math.round((performance.now() - startedAt) / 1000)} s\n\n${ledger.report()}`;
}

/** Ends before the end: what was found so far is told, and nothing that was started goes on. */
async function breakOff(why: string): Promise<void> {
  ledger.section('the attack itself').found('wrong', why);
  console.log(report());
  await leaveAllGrounds();
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void breakOff(`it was ended by ${signal}`));
setTimeout(() => void breakOff(`it did not end within ${seconds} s`), seconds * 1000).unref();

say(`seed ${seed}`);
const isShort = minutes < SWEPT_MINUTES;
let aftermath: Aftermath | undefined;
// First, so that the sweeps of what was deleted go on while the others are at it.
if (wants('kills'))
  await run('kills', async (section) => {
    if (isShort) return section.skipped(`wants ${SWEPT_MINUTES} minutes`);
    aftermath = await killAll(section, {
      seed,
      kills,
      seconds: minutes * 60 * KILLING,
      progress,
    });
  });
const hostile = Object.entries(rows).filter(([name]) => wants('hostile', name));
if (isShort)
  for (const [, row] of hostile)
    await run(row.name, async (section) => section.skipped(`wants ${SWEPT_MINUTES} minutes`));
const toRun = isShort ? [] : hostile;
const waiting = toRun.filter(([, row]) => row.waits).map(([, row], n) => tryRow(row, n));
if (wants('fuzz')) {
  const fuzzing = { seed, times, progress };
  await run('fuzz of the daemon', (section) => fuzzDaemon(section, fuzzing));
  await run('fuzz of the relay', (section) => fuzzRelay(section, fuzzing));
}
if (wants('strangers')) {
  const intruding = { seed, times: 2, progress };
  await run('strangers at the daemon', (section) => intrude(section, intruding));
  await run('strangers at the relay', (section) => intrudeRelay(section, intruding));
}
const toTry = Object.entries(surfaces)
  .map(([name, surface], n) => ({ name, surface, n }))
  .filter(({ name }) => wants('surfaces', name));
// Two at a time: each mostly waits for what it attacks, and turns are counted in the process that takes them.
const trySurfaces = async () => {
  for (let next = toTry.shift(); next; next = toTry.shift()) await trySurface(next.surface, 30 + next.n);
};
await Promise.all([trySurfaces(), trySurfaces()]);
for (const [n, [, row]] of toRun.filter(([, row]) => !row.waits).entries()) await tryRow(row, 10 + n);
await Promise.all(waiting);
await aftermath?.look();
console.log(report());
process.exit(ledger.faults() === 0 ? 0 : 1);
