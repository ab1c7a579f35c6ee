import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { has, run } from './fake-terminal.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const reverie = (...args: string[]) => run({ home: daemon.home.folder }, ...args);

test('before any link, sync says where the memories are, and now exits 1', async () => {
  expect(await reverie('sync')).toMatchObject({ code: 0, out: has('Not linked') });
  expect(await reverie('sync', 'now')).toMatchObject({ code: 1, out: has('`reverie sync` says which') });
  const status = JSON.parse((await reverie('sync', 'status', '--json')).out) as { state: string };
  expect(status.state).toBe('dormant');
  expect((await reverie('sync', 'conflicts', '--json')).out).toContain('"total": 0');
});

test('what needs a link says how to make one', async () => {
  for (const command of [
    ['devices'],
    ['devices', 'pair'],
    ['share', 'work'],
    ['unlink', '--yes'],
    ['sync', 'pause'],
    ['sync', 'keep', 'work'],
  ])
    expect([command, await reverie(...command)]).toEqual([
      command,
      expect.objectContaining({ code: 1, err: has('reverie link') }),
    ]);
});

test('linking takes an e-mail or a code, and names the relay that does not answer', async () => {
  expect(await reverie('link', 'http://127.0.0.1:9')).toMatchObject({
    code: 2,
    err: has('--email or --code'),
  });
  const gone = await reverie('link', 'http://127.0.0.1:9', '--email', 'me@example.org');
  expect(gone).toMatchObject({ code: 1, err: has('http://127.0.0.1:9 does not answer') });
  expect(await reverie('unlink')).toMatchObject({ code: 2, err: has('--yes') });
});
