import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { seconds } from './shared/src/testing/patience.ts';
import { SkippedReporter } from './e2e/skipped-reporter.ts';

// Threads and processes of tests load the same modules again and again: compiled once, they need not be.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, 'node_modules/.cache/compile');
// Limits are those of a quiet machine. Where more wants to run than there are cores for, everything takes as many times longer.
const [busy = 0] = loadavg();
process.env['REVERIE_TEST_PATIENCE'] ??= String(Math.max(1, busy / availableParallelism()));

const OUTSIDE = ['**/node_modules/**', '**/dist/**'];
/** They run the tests of other files on something else, and in a shared process those would be loaded already. */
const ALONE = ['cloud/src/on-postgres.test.ts', 'e2e/journeys/two-nodes.test.ts'];

/** They start programs and kill them, and take as long as a journey. */
const PROCESSES = [
  '{daemon,cloud}/**/*.process.test.ts',
  'daemon/**/*{crash,killed,full-disk}.test.ts',
  'daemon/src/{durability,failures,held-database,cut-backup}.test.ts',
  'daemon/src/cli/{end-to-end,start}.test.ts',
  'cloud/src/{nodes,pooler}.test.ts',
];

const ofJourneys = {
  testTimeout: seconds(60),
  // What a page shows is asked again until it is so.
  expect: { poll: { timeout: seconds(55) } },
};

export default defineConfig({
  test: {
    // As without this line, and what did not run here in the last lines.
    reporters: [
      'default',
      ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : []),
      new SkippedReporter(),
    ],
    // The relays of all tests are two nodes on a Postgres then.
    ...(process.env['REVERIE_TEST_RELAY'] !== undefined && {
      globalSetup: ['cloud/src/testing/two-nodes-setup.ts'],
    }),
    // Tests wait half of their time, for disks, pages and each other: three keep two cores busy.
    maxWorkers: 3,
    pool: 'forks',
    // Half of the time went into loading the same modules, and starting the same browser, for each file.
    isolate: false,
    // What a file replaced is as it was for the next one, which may be run in the same process.
    restoreMocks: true,
    // A daemon or a browser is started.
    hookTimeout: seconds(60),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{shared,daemon,cloud,app}/**/*.test.{ts,tsx}'],
          exclude: [...OUTSIDE, ...ALONE, ...PROCESSES],
          testTimeout: seconds(10),
          expect: { poll: { timeout: seconds(9) } },
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['{e2e,bench}/**/*.test.{ts,tsx}', ...PROCESSES],
          exclude: [...OUTSIDE, ...ALONE],
          ...ofJourneys,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true, ...ofJourneys } },
    ],
  },
});
