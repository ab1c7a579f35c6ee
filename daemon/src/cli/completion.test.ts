import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { run } from './fake-terminal.ts';

let daemon: TestDaemon;
let home: string;

beforeAll(async () => {
  daemon = await startTestDaemon();
  home = daemon.home.folder;
  for (const [namespace, key] of [
    ['default', 'note:lease'],
    ['default', 'note:the boiler'],
    ['default', 'plan'],
    ['work', 'wages'],
  ] as const)
    await daemon.call(setMemory, { body: { namespace, key, value: 'text' } });
});
afterAll(() => daemon.stop());

const words = async (given: readonly string[], env: Record<string, string> = {}) =>
  (await run({ home, env }, 'complete', '--', ...given)).out
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0]);

test.each([
  [['comple'], ['completion']],
  [
    ['webhooks', 're'],
    ['replay', 'remove', 'resume'],
  ],
  [
    ['webhooks', 'deliveries', '--status', 'd'],
    ['delivered', 'dead'],
  ],
  [['list', '--pre'], ['--prefix']],
  [['list', '--ho'], ['--home']],
  [
    ['get', ''],
    ['note:lease', 'note:the boiler', 'plan'],
  ],
  [
    ['get', 'note:'],
    ['note:lease', 'note:the boiler'],
  ],
  [['get', 'plan', ''], []],
  [['get', '-n', 'work', ''], ['wages']],
  [
    ['get', '--namespace', ''],
    ['default', 'work'],
  ],
  [['clear', 'w'], ['work']],
  [
    ['config', 'get', 'history.'],
    ['history.max_versions', 'history.max_days'],
  ],
  [['config', 'unset', 'port', 'hos'], ['host']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['key', 'create', ''], []],
  [['import', ''], []],
  [['no such command', ''], []],
])('%j is completed', async (given, expected) => {
  expect((await words(given)).sort()).toEqual([...expected].sort());
});

test('keys are those of the namespace of the variable; without a daemon there are none, and no message', async () => {
  expect(await words(['get', ''], { REVERIE_NAMESPACE: 'work' })).toEqual(['wages']);
  expect(await run({ home: `${home}-none` }, 'complete', '--', 'get', '')).toEqual({
    code: 0,
    out: '',
    err: '',
  });
});

test('what is hidden is not offered', async () => {
  expect(await words(['compl'])).toEqual(['completion']);
  expect((await run({ home }, '--help')).out).not.toMatch(/^ {2}complete /m);
});

describe('the script of bash', () => {
  test('completes a key with a blank and a colon, as a word of the shell', async () => {
    const script = (await run({ home }, 'completion', 'bash')).out;
    const answer = path.join(home, 'answer');
    fs.writeFileSync(answer, (await run({ home }, 'complete', '--', 'get', 'note:')).out);
    const asked = `reverie() { printf '%s|' "$@" >&2; cat ${answer}; }
${script.replace('2>/dev/null', '')}
COMP_WORDS=(reverie get note:); COMP_CWORD=2; _reverie; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', asked], { encoding: 'utf8' });
    fs.rmSync(answer);
    expect(stderr).toBe('complete|--|get|note:|');
    expect(stdout).toBe('note:lease\nnote:the\\ boiler\n');
  });

  test.each(['bash', 'zsh', 'fish'])(
    'the script of %s is one of that shell, where it is here',
    async (shell) => {
      const script = (await run({ home }, 'completion', shell)).out;
      expect(script).toContain('reverie complete -- ');
      const checked = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
      if (checked.error === undefined) expect(checked).toMatchObject({ status: 0, stderr: '' });
    },
  );
});
