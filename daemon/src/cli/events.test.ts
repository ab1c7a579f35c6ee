import { createKey } from '@reverie/shared/contract/accounts/keys';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { sendMessage } from '@reverie/shared/contract/events/inbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { type BegunCommand, begin, has, run } from './fake-terminal.ts';

let daemon: TestDaemon;
let home: string;

beforeAll(async () => {
  daemon = await startTestDaemon();
  home = daemon.home.folder;
});
afterAll(() => daemon.stop());

const events = (...args: string[]) => run({ home }, 'events', ...args);
const set = (key: string, namespace: string, value = 'text') =>
  daemon.call(setMemory, { body: { key, namespace, value } });

async function following<T>(args: readonly string[], look: (begun: BegunCommand) => Promise<T>): Promise<T> {
  const begun = begin({ home }, 'events', '--follow', ...args);
  try {
    return await look(begun);
  } finally {
    begun.close();
    expect(await begun.ended).toMatchObject({ code: 0 });
  }
}
const lines = ({ out }: BegunCommand) => out().split('\n').filter(Boolean);

test('what happened is told in sentences, with the names of keys', async () => {
  const { key } = await daemon.call(createKey, { body: { name: 'my agent', scope: 'write' } });
  const agent = daemon.as(key);
  await agent(setMemory, { body: { key: 'plan', namespace: 'told', value: 'one' } });
  await agent(setMemory, { body: { key: 'plan', namespace: 'told', value: 'two' } });
  await agent(deleteMemory, { body: { key: 'plan', namespace: 'told' } });
  await agent(sendMessage, {
    params: { namespace: 'told' },
    body: { from: 'ci', kind: 'build', payload: {} },
  });
  await set('k', 'told');
  await run({ home }, 'clear', 'told', '--yes');
  const sentences = (await events('-n', 'told')).out.split('\n').map((line) => line.split('\t')[1]);
  expect(sentences).toEqual([
    'my agent wrote a memory that was deleted since in told.',
    'my agent changed a memory that was deleted since in told.',
    expect.stringMatching(/^my agent deleted (plan|a memory) in told for good\.$/),
    'ci left a message in told: build.',
    'You wrote a memory that was deleted since in told.',
    expect.stringMatching(/^You deleted (k|a memory) in told for good\.$/),
    'You cleared told: 1 memory was deleted.',
    undefined,
  ]);
});

test('kinds, families, limits and cursors narrow it', async () => {
  for (const key of ['a', 'b', 'c']) await set(key, 'narrow');
  const { events: all } = JSON.parse((await events('-n', 'narrow', '--json')).out) as {
    events: { seq: number }[];
  };
  expect(all.length).toBe(3);
  const count = async (...args: string[]) =>
    (await events('-n', 'narrow', ...args)).out.trim().split('\n').filter(Boolean).length;
  expect(await count('--type', 'memory', '-l', '2')).toBe(2);
  expect(await count('--type', 'memory.delete')).toBe(0);
  expect(await count('--since', String(all[0]?.seq))).toBe(2);
  expect(await count('-l', '0')).toBe(0);
  expect(await events('--type', 'weather')).toMatchObject({ code: 2, err: has('memory.write') });
  expect((await run({ home, typed: '' }, 'events', '-n', 'nowhere')).err).toContain('Nothing of the kind');
});

test('what happens is followed, over a restart, each once', async () => {
  await set('before', 'followed');
  await following(['-n', 'followed', '--json'], async (begun) => {
    const keys = () =>
      lines(begun).map((line) => (JSON.parse(line) as { data: { after: { key: string } } }).data.after.key);
    await expect.poll(keys).toEqual(['before']);
    await set('one', 'followed');
    await set('elsewhere', 'not followed');
    await expect.poll(keys).toEqual(['before', 'one']);
    await daemon.restart();
    await set('two', 'followed');
    await expect.poll(keys, { timeout: seconds(10) }).toEqual(['before', 'one', 'two']);
    await set('three', 'followed');
    await expect.poll(keys).toEqual(['before', 'one', 'two', 'three']);
  });
});

test.each([0, 1, 2, 20])('a program goes on where it was, with a limit of %i', async (limit) => {
  const namespace = `resumed ${limit}`;
  for (const key of ['a', 'b', 'c']) await set(key, namespace);
  const { events: all } = JSON.parse((await events('-n', namespace, '--json')).out) as {
    events: { seq: number }[];
  };
  const from = ['--since', String(all[0]?.seq), '-l', String(limit)];
  await following(['-n', namespace, '--type', 'memory', ...from], async (begun) => {
    await expect.poll(() => lines(begun).length).toBe(2);
    await set('d', namespace);
    await expect
      .poll(() => lines(begun).map((line) => line.split('\t')[1]))
      .toEqual(['b', 'c', 'd'].map((key) => `You wrote ${key} in ${namespace}.`));
  });
});

test('it ends where its reader is gone before it begins, or just then', async () => {
  await set('before', 'unread');
  const begun = begin({ home }, 'events', '--follow', '-n', 'unread', '-l', '0');
  begun.close();
  expect((await begun.ended).code).toBe(0);
  const read = begin({ home }, 'events', '--follow', '-n', 'unread');
  while (read.out() === '') await new Promise((resolve) => setImmediate(resolve));
  read.close();
  expect((await read.ended).code).toBe(0);
});

test('it is not begun where Reverie does not run', async () => {
  expect(await run({ home: `${home}-none` }, 'events', '--follow')).toMatchObject({
    code: 1,
    err: has('reverie start'),
  });
});
