import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, startDaemon } from '../main.ts';
import { type Ended, type Given, run } from './fake-terminal.ts';

let folder: string;
let home: string;
let daemon: Running;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-inbox-'));
  home = path.join(folder, 'home');
  daemon = await startDaemon({
    env: { REVERIE_HOME: home, REVERIE_LOG_LEVEL: 'silent' },
    flags: { port: '0' },
  });
});

afterAll(async () => {
  await daemon.stop();
  fs.rmSync(folder, { recursive: true });
});

const inbox = (...args: string[]): Promise<Ended> => run({ home }, 'inbox', ...args);
const at = (given: Omit<Given, 'home'>, ...args: string[]): Promise<Ended> =>
  run({ home, ...given }, 'inbox', ...args);
const idIn = ({ out }: Ended): string => /msg_[0-9a-z]{26}/.exec(out)?.[0] ?? '';

test('a message is sent, shown until it is acknowledged, and then only when asked for', async () => {
  const sent = await inbox(
    'work',
    '--send',
    '{"text":"the build is red"}',
    '--from',
    'ci',
    '--kind',
    'build',
  );
  expect(sent).toMatchObject({ code: 0, err: '' });
  const id = idIn(sent);
  const unread = await inbox('work');
  expect(unread.out).toMatch(
    new RegExp(`^unread\\t\\S+\\t${id}\\tci\\tbuild\\t\\{"text":"the build is red"\\}\\n$`),
  );
  expect(await inbox('work', '--ack', id)).toMatchObject({ code: 0, out: `Marked ${id} as read.\n` });
  expect((await inbox('work')).out).toBe('');
  expect((await inbox('work', '--all')).out).toMatch(/^read\t/);
});

test('without a namespace it is that of `default`, and the message may come on stdin', async () => {
  const sent = await at({ stdin: '{"n":1}' }, '--send', '--json');
  expect(JSON.parse(sent.out)).toMatchObject({ success: true, namespace: 'default' });
  expect(JSON.parse((await inbox('--json')).out)).toMatchObject({
    namespace: 'default',
    unread: 1,
    messages: [{ from: 'reverie-cli', kind: 'message', payload: { n: 1 }, acked_at: null }],
  });
});

test('a person sees a table, and is told when there is nothing', async () => {
  await inbox('evil', '--send', '{"a":1}', '--from', 'ci');
  const shown = await at({ typed: '' }, 'evil');
  expect(shown.out).toContain('{"a":1}');
  const { err } = await at({ typed: '' }, 'nobody');
  expect(err).toContain('Nothing is unread in nobody');
  expect(err).toMatch(/Unread elsewhere: .*evil \(1\).*`reverie inbox NAMESPACE` shows one\./u);
});

test('what is wrong is said, and exits 2 or 1', async () => {
  expect((await inbox('--send', 'no json')).code).toBe(2);
  expect((await inbox('--send', '{}', '--ack', 'x')).code).toBe(2);
  expect(await inbox('--ack', 'msg_no')).toMatchObject({ code: 1, out: '' });
});
