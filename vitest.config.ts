import { defineConfig } from 'vitest/config';
import { SkippedReporter } from './e2e/skipped-reporter.ts';

export default defineConfig({
  test: {
    include: ['{shared,daemon,cloud,app,e2e,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Two shared cores: a test that waits for a daemon or a browser may wait long. No file sets a shorter time of its own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // What a page shows is asked again until it is so.
    expect: { poll: { timeout: 60_000 } },
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
    maxWorkers: 2,
    pool: 'forks',
  },
});
