import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { SkippedReporter } from './e2e/run/skipped-reporter.ts';

// Threads and processes of tests load the same modules again and again: compiled once, they need not be.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, 'node_modules/.cache/compile');

const OUTSIDE = ['**/node_modules/**', '**/dist/**'];
const DEEP = '**/*.deep.test.{ts,tsx}';
/** They run the tests of other files on something else, and in a shared process those would be loaded already. */
const ALONE = ['cloud/src/on-postgres.deep.test.ts', 'e2e/journeys/two-nodes.deep.test.ts'];

/** It gives the machine new addresses, upon which Chromium ends the requests of every page: after all others. */
const READDRESSING = ['cloud/src/cut-network.deep.test.ts'];

const TESTS = '{shared,daemon,cloud,app,e2e,bench}/**/*.test.{ts,tsx}';

/** The test files that say how many runs a property has in either suite. */
function withProperties(): string[] {
  return globSync(TESTS, { exclude: OUTSIDE }).filter((file) =>
    readFileSync(file, 'utf8').includes('testing/depth'),
  );
}

// `npm test`, or `npm run test:deep`: what takes long, and the properties, whose runs are more there.
export default defineConfig(({ mode }) => {
  const isDeep = mode === 'deep';
  const exclude = [...OUTSIDE, ...(isDeep ? [] : [DEEP])];
  return {
    test: {
      env: { REVERIE_TEST_DEEP: isDeep ? 'yes' : 'no' },
      // As without this line, and what did not run here in the last lines.
      reporters: [
        'default',
        ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : []),
        new SkippedReporter(),
      ],
      globalSetup: [
        'e2e/run/machine-speed.ts',
        // The relays of all tests are two nodes on a Postgres then.
        ...(process.env['REVERIE_TEST_RELAY'] === undefined ? [] : ['cloud/src/testing/two-nodes-setup.ts']),
      ],
      setupFiles: [
        'e2e/run/waited-for.ts',
        ...(process.env['REVERIE_TEST_PROFILE'] === undefined ? [] : ['e2e/run/profile.ts']),
      ],
      // Tests wait half of their time, for disks, pages and each other: four keep two cores busy.
      maxWorkers: 4,
      pool: 'forks',
      // Half of the time went into loading the same modules, and starting the same browser, for each file.
      isolate: false,
      // What a file replaced is as it was for the next one, which may be run in the same process.
      restoreMocks: true,
      projects: [
        {
          extends: true,
          test: {
            name: 'tests',
            include: isDeep ? [DEEP, ...withProperties()] : [TESTS],
            exclude: [...exclude, ...ALONE, ...READDRESSING],
          },
        },
        {
          extends: true,
          test: {
            name: 'alone',
            include: ALONE.filter((file) => file.includes('.deep.') === isDeep),
            exclude,
            isolate: true,
          },
        },
        {
          extends: true,
          test: {
            name: 'readdressing',
            include: isDeep ? READDRESSING : [],
            exclude,
            sequence: { groupOrder: 1 },
          },
        },
      ],
    },
  };
});
