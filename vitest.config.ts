import { availableParallelism, loadavg } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Limits are those of a quiet machine: where more wants to run than there are cores for, everything takes as many times longer. */
const crowd = Math.max(1, loadavg()[0]! / availableParallelism());
const seconds = (quiet: number) => Math.ceil(quiet * 1000 * crowd);

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', '**/dist/**'],
    maxWorkers: 2,
    pool: 'forks',
    // What a file replaced or set is as it was for the next one, which may be run in the same process.
    restoreMocks: true,
    unstubEnvs: true,
    // A daemon or a browser is started.
    hookTimeout: seconds(60),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{shared,daemon,cloud,app}/**/*.test.{ts,tsx}'],
          // Two thirds of the time went into loading the same modules for each file.
          isolate: false,
          testTimeout: seconds(10),
          expect: { poll: { timeout: seconds(9) } },
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['{e2e,bench}/**/*.test.{ts,tsx}'],
          testTimeout: seconds(60),
          // What a page shows is asked again until it is so.
          expect: { poll: { timeout: seconds(55) } },
        },
      },
    ],
  },
});
