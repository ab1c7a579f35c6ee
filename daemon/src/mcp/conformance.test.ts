import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../testing.ts';
import { createFixture } from './testing/fixture.ts';

const SUITE = path.join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
);

/**
 * The official suite against our own HTTP stack and handler, with the tools that it looks for in place of memory's. What is expected to
 * fail stands, check by check and with its reason, in `testing/conformance-REVISION.yml`; an entry that passes fails the run.
 */
describe('the conformance suite of MCP', () => {
  let daemon: TestDaemon;
  const { folder, remove } = temporaryFolder();

  beforeAll(async () => {
    daemon = await startTestDaemon({ mcpFixture: createFixture });
  });
  afterAll(async () => {
    await daemon.stop();
    remove();
  });

  test.each(['2025-11-25', '2026-07-28'])('revision %s', { timeout: seconds(120) }, async (revision) => {
    const args = [SUITE, 'server', '--url', `${daemon.origin}/mcp`, '--requirements', revision, '-o', folder];
    const baseline = path.join(import.meta.dirname, `testing/conformance-${revision}.yml`);
    const run = promisify(execFile)(process.execPath, [...args, '--expected-failures', baseline], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1' },
      maxBuffer: 64 * 1024 * 1024,
    });
    const told = await run.then(
      () => 'as expected',
      (failed: unknown) => summaryOf(failed),
    );
    expect(told).toBe('as expected');
  });
});

/** What the suite says at its end of what it did not expect. */
function summaryOf(failed: unknown): string {
  const said = failed instanceof Error && 'stdout' in failed ? String(failed.stdout) : String(failed);
  return said.slice(said.indexOf('Total:'));
}
