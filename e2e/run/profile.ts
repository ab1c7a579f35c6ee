// A setup file of `npm run test:profile`: how many seconds of processor each test file took, with all programs that it started.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { afterAll, expect } from 'vitest';

/** A clock tick of Linux, as /proc counts them: `getconf CLK_TCK` is 100 on every machine of today. */
const TICKS_PER_SECOND = 100;

const begun = { processor: processorSeconds(), wall: performance.now() };

afterAll(() => {
  const file = process.env['REVERIE_TEST_PROFILE'];
  if (file === undefined)
    throw new Error('REVERIE_TEST_PROFILE names the file that `npm run test:profile` reads');
  const measured = {
    file: expect.getState().testPath,
    processor: processorSeconds() - begun.processor,
    wall: (performance.now() - begun.wall) / 1000,
  };
  appendFileSync(file, `${JSON.stringify(measured)}\n`);
});

/** Returns the seconds of processor of this process, of all that it started, and of all that those waited for (proc(5), `stat`). */
function processorSeconds(): number {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = statOf(name);
    if (stat) processes.set(Number(name), stat);
  }
  let ticks = 0;
  for (const [pid, stat] of processes) if (isOurs(pid)) ticks += stat.ticks;
  return ticks / TICKS_PER_SECOND;

  function isOurs(pid: number): boolean {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = processes.get(at)?.parent)
      if (at === process.pid) return true;
    return false;
  }
}

function statOf(pid: string): { parent: number; ticks: number } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It ended meanwhile; what it took is its parent's now.
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    parent: Number(fields[1]),
    ticks: [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0),
  };
}
