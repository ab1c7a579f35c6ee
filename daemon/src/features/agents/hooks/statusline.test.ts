import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { callHook, statusLine } from '@reverie/shared/contract/agents/hooks';
import { sendMessage } from '@reverie/shared/contract/events/inbox';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { recordRecall } from '@reverie/shared/contract/agents/recalls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../../testing.ts';

const BIN = path.join(import.meta.dirname, '../../../../bin/reverie.cjs');
const namespace = 'project/acme/api';

let daemon: TestDaemon;
let user: ReturnType<typeof temporaryFolder>;
let agent: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  user = temporaryFolder();
  fs.mkdirSync(path.join(user.folder, '.git'));
  fs.writeFileSync(path.join(user.folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  fs.writeFileSync(
    path.join(user.folder, '.git/config'),
    '[remote "origin"]\n\turl = git@github.com:acme/api.git\n',
  );
  agent = (await daemon.call(createKey, { body: { name: 'claude-code', scope: 'write' } })).key;
});
afterAll(async () => {
  await daemon.stop();
  user.remove();
});

/** What Claude Code writes, by code.claude.com/docs/en/statusline. */
const input = (more: object = {}) =>
  JSON.stringify({
    hook_event_name: 'Status',
    session_id: 'ses-1',
    transcript_path: '/home/ada/.claude/projects/api/ses-1.jsonl',
    cwd: '/',
    model: { id: 'claude-opus-4-8', display_name: 'Opus 4.8' },
    workspace: { current_dir: user.folder, project_dir: user.folder },
    version: '2.1.332',
    cost: { total_cost_usd: 0.4, total_duration_ms: 45_000 },
    ...more,
  });
const line = async (given: string, key = agent) =>
  (await daemon.as(key)(statusLine, { body: { input: given } })).output;

test('a line counts what was recalled, saved and left since the session began', async () => {
  const as = daemon.as(agent);
  await as(setMemory, { body: { namespace, key: 'rule', value: 'Retry webhooks five times in the API.' } });
  daemon.clock.advance(60_000);
  expect(await line(input())).toBe('reverie project/acme/api · 0 recalled · 0 saved · 0 waiting');
  await as(callHook, {
    body: { agent: 'claude-code', event: 'start', input: input({ source: 'startup', cwd: user.folder }) },
  });
  daemon.clock.advance(1_000);
  // Its tools do not know the session.
  const memories = [{ namespace, key: 'rule', reason: 'fits the search' }];
  await as(recordRecall, {
    body: { way: 'search', agent: 'claude-code', session: 'mcp-1', namespace, tokens: 9, memories },
  });
  await as(recordRecall, {
    body: { way: 'search', agent: 'claude-code', session: 'ses-2', namespace, tokens: 9, memories },
  });
  await as(setMemory, { body: { namespace, key: 'fix', value: 'The build needs npm 11.' } });
  await daemon.call(setMemory, { body: { namespace, key: 'theirs', value: 'Of somebody else.' } });
  await daemon.call(sendMessage, {
    params: { namespace },
    body: { from: 'codex', kind: 'note', payload: { text: 'x' } },
  });
  daemon.clock.advance(3_600_000);
  expect(await line(input())).toBe('reverie project/acme/api · 1 recalled · 1 saved · 1 waiting');
});

test('whatever the input is, there is a line', async () => {
  for (const given of ['', 'not json', '[]', 'null', '{"workspace":5,"cost":"much","session_id":{}}'])
    expect(await line(given)).toBe('reverie default · 0 waiting');
  const fields = { session_id: undefined, workspace: undefined, cwd: undefined };
  expect(await line(input({ ...fields, cost: { total_duration_ms: 1e15 } }))).toMatch(
    /^reverie default · \d+ recalled/u,
  );
});

test('a key that does not have the namespace gets an empty line', async () => {
  const { key } = await daemon.call(createKey, {
    body: { name: 'narrow', scope: 'read', namespaces: ['other'] },
  });
  expect(await line(input(), key)).toBe('');
});

describe('the command', () => {
  function run(
    home: string,
    args: readonly string[],
    given: string,
  ): Promise<{ code: number | null; out: string; err: string }> {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('REVERIE_'));
    const child = spawn(process.execPath, [BIN, ...args], {
      env: { ...Object.fromEntries(inherited), REVERIE_HOME: home },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(given);
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
  }

  test('prints one line, wherever the home is named', async () => {
    const { folder } = daemon.home;
    for (const args of [['statusline'], ['statusline', '--home', folder], ['--home', folder, 'statusline']])
      await vi.waitFor(
        // A busy machine may need more than the second after which it gives up.
        async () =>
          expect(await run(args.length === 1 ? folder : user.folder, args, input())).toEqual({
            code: 0,
            out: expect.stringMatching(/^reverie project\/acme\/api · .* waiting\n$/u) as string,
            err: '',
          }),
        { timeout: seconds(60) },
      );
  });

  test('prints an empty line where no daemon runs, starts none, and writes no log', async () => {
    const empty = temporaryFolder();
    try {
      for (const args of [['statusline'], ['statusline', '--nonsense']])
        expect(await run(empty.folder, args, input())).toEqual({ code: 0, out: '\n', err: '' });
      expect(fs.readdirSync(empty.folder)).toEqual([]);
    } finally {
      empty.remove();
    }
  });
});
