import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { CHROMIUM, hasBrowser } from '../chromium.ts';
import { seconds } from '@reverie/shared/testing/patience';

const run = promisify(execFile);

/** How long the fixed work takes on two quiet cores, ms: the machine on which the limits were chosen, 28 November 2026. */
const QUIET_MS = { work: 1_000, page: 500 };

/** A test that takes longer than this on two quiet cores, in seconds, is more than one test; what is deep scrolls and kills for longer. */
const LONGEST = { quick: 15, deep: 60 };

/** Memory that looks like a disk, on Linux. */
const MEMORY = '/dev/shm';
/** As much as the homes of all workers take at once, and some more. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Puts what tests write into memory where there is enough of it: what they wait for most is a disk that others use, too. Nothing of them
 * cuts the power; a process that is killed loses as much on a disk.
 */
function writeToMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY)) return;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize > ENOUGH_BYTES) process.env['TMPDIR'] = MEMORY;
}

/**
 * Prepares a run: sets the limits of all tests by how long a fixed piece of work takes here and now: modules are loaded, SQLite is
 * written to, a page is opened.
 */
export default async function setLimits({ vitest }: TestProject): Promise<void> {
  writeToMemory();
  // Each project of the configuration asks, and the speed is the same for all.
  process.env['REVERIE_TEST_SLOWNESS'] ??= String(await measureSlowness());
  for (const { config } of vitest.projects) {
    const longest = config.env['REVERIE_TEST_DEEP'] === 'yes' ? LONGEST.deep : LONGEST.quick;
    config.testTimeout = seconds(longest);
    config.hookTimeout = seconds(longest);
    // Shorter than the test's, so that what was waited for is told.
    config.expect.poll = { ...config.expect.poll, timeout: seconds(longest * 0.9) };
  }
}

/** Returns how many times longer than on two quiet cores the fixed work takes; at least 1. */
async function measureSlowness(): Promise<number> {
  const work = await timeOf(() => run(process.execPath, [join(import.meta.dirname, 'fixed-work.ts')]));
  const page = hasBrowser ? await timeOf(openPage) : 0;
  const quiet = QUIET_MS.work + (hasBrowser ? QUIET_MS.page : 0);
  return Math.max(1, (work + page) / quiet);
}

async function openPage(): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'reverie-speed-'));
  const own = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  try {
    await run(CHROMIUM, [...own, `--user-data-dir=${profile}`, '--dump-dom', 'data:text/html,<p>here']);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
