import { addEntries, createSession } from '@reverie/shared/contract/sessions/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { type Ended, run } from './fake-terminal.ts';

let daemon: TestDaemon;
let id: string;

beforeAll(async () => {
  daemon = await startTestDaemon();
  ({ id } = await daemon.call(createSession, {
    body: { agent: 'codex', title: 'Retries', namespace: 'work' },
  }));
  const text = 'The dispatcher retries a webhook seven times with a doubling delay.';
  await daemon.call(addEntries, { params: { id }, body: { entries: [{ kind: 'answer', text }] } });
});
afterAll(() => daemon.stop());

const QUESTION = 'How many times does the dispatcher retry a webhook?';
const reverie = (...args: string[]): Promise<Ended> =>
  run({ home: daemon.home.folder }, ...args, '-n', 'work');

test('search looks into sessions where it is told to, and names the session', async () => {
  expect((await reverie('search', 'dispatcher webhook')).out).toBe('');
  const { out, code } = await reverie('search', 'dispatcher webhook', '--sessions');
  expect(out).toMatch(new RegExp(`^\\d\\.\\d\\d\t${id}\tRetries\t.*seven times`));
  expect(code).toBe(0);
  const { out: json } = await reverie('search', 'dispatcher webhook', '--sessions', '--json');
  expect(JSON.parse(json)).toMatchObject({ results: [], sessions: [{ session: { id } }] });
});

test('ask answers from sessions where it is told to', async () => {
  expect((await reverie('ask', QUESTION)).code).toBe(4);
  const { out, code } = await reverie('ask', QUESTION, '--sessions');
  expect(out).toMatch(
    /^Not sure\. The closest in memory:\n {2}In sessions:\n {2}"The dispatcher retries a webhook seven times.*" — Retries, /,
  );
  expect(code).toBe(0);
});
