import { setMemory } from '@reverie/shared/contract/memories/memories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../features/webhooks/testing.ts';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { type Ended, has, like, run } from './fake-terminal.ts';

let daemon: TestDaemon;
let home: string;
let receiver: Receiver;
let status = 200;

beforeAll(async () => {
  daemon = await startTestDaemon();
  home = daemon.home.folder;
  receiver = await startReceiver((response) => response.writeHead(status).end('thanks'));
});
afterAll(async () => {
  await daemon.stop();
  await receiver.stop();
});

const webhooks = (...args: string[]): Promise<Ended> => run({ home }, 'webhooks', ...args);
const add = async (...args: string[]) =>
  JSON.parse((await webhooks('add', receiver.url, '--json', ...args)).out) as { id: string; secret: string };

// Told in order: deliveries are those of all before.
describe('reverie webhooks', { shuffle: false }, () => {
  test('one is added with a secret that is shown once, listed, tested, paused, resumed and removed', async () => {
    const added = await webhooks(
      'add',
      receiver.url,
      '-e',
      'memory.write',
      '-e',
      'dream',
      '--description',
      'ci',
    );
    expect(added).toMatchObject({ code: 0, err: has('not shown again') });
    const [, id = '', secret = ''] =
      /^(whk_\w+) sends memory\.write, dream\.\* to http.*\nSecret: (whsec_\S{32})\n$/.exec(added.out) ?? [];
    expect(secret).not.toBe('');
    const row = async () => (await webhooks()).out.split('\n').find((line) => line.startsWith(id));
    expect((await row())?.split('\t').slice(1, 5)).toEqual([
      receiver.url,
      'memory.write, dream.*',
      'active',
      '0',
    ]);
    expect((await webhooks('list', '--json')).out).not.toContain(secret);

    expect(await webhooks('test', id)).toMatchObject({
      code: 0,
      out: like(/^dlv_\w+, webhook\.test: delivered\n1\t\S+\t\d+ ms\tstatus 200: thanks\n$/),
    });
    status = 500;
    expect(await webhooks('test', id)).toMatchObject({ code: 1, out: has('answered 500') });
    status = 200;

    expect((await webhooks('pause', id)).out).toBe(`${id} is paused.\n`);
    expect(await row()).toContain('paused');
    expect((await webhooks('resume', id)).out).toBe(`${id} is active.\n`);

    expect(await webhooks('remove', id)).toMatchObject({ code: 2, err: has('--yes') });
    expect(await run({ home, typed: 'no\n' }, 'webhooks', 'remove', id)).toMatchObject({ code: 1 });
    expect(await webhooks('remove', id, '--yes')).toMatchObject({ code: 0, out: `Deleted ${id}.\n` });
    expect(await row()).toBeUndefined();
  });

  test('the list says why one is off', async () => {
    const { id } = await add('-e', 'memory');
    status = 410;
    await daemon.call(setMemory, { body: { key: 'to nobody', value: 'text' } });
    await expect
      .poll(async () => (await webhooks()).out.split('\n').find((line) => line.startsWith(id)))
      .toContain('off: its receiver is gone');
    status = 200;
    await webhooks('remove', id, '--yes');
  });

  test('deliveries are listed, shown with their attempts, and replayed', async () => {
    const { id } = await add('-e', 'memory');
    await daemon.call(setMemory, { body: { key: 'k', value: 'text' } });
    const rows = async (...args: string[]) =>
      (await webhooks('deliveries', id, ...args)).out
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t'));
    await expect.poll(async () => (await rows())[0]?.[3]).toBe('delivered');
    const [delivery = ''] = (await rows())[0] ?? [];
    expect(await rows('--status', 'dead')).toEqual([]);
    expect((await webhooks('deliveries', delivery)).out).toMatch(
      new RegExp(`^${delivery}, memory\\.write: delivered\\n1\\t\\S+\\t\\d+ ms\\tstatus 200: thanks\\n$`),
    );
    const before = receiver.received.length;
    expect((await webhooks('replay', delivery)).out).toBe(`${delivery} is sent again.\n`);
    await expect.poll(() => receiver.received.length).toBe(before + 1);
    expect((await webhooks('replay', '--dead', id)).out).toBe('0 deliveries will be sent again.\n');
    expect(JSON.parse((await webhooks('replay', '--dead', '--json')).out)).toMatchObject({ replayed: 0 });
  });

  test('a secret of the person is asked for, never an argument', async () => {
    const given = await run(
      { home, stdin: 'a secret of mine\n' },
      'webhooks',
      'add',
      receiver.url,
      '--ask-secret',
      '--json',
    );
    expect(JSON.parse(given.out)).not.toHaveProperty('secret');
  });

  test.each([
    [['add', 'ftp://example.org'], 2, 'http and https'],
    [['add', 'http://example.org', '-e', 'weather'], 2, 'memory.write'],
    [['add', 'http://user:pass@example.org'], 2, 'user name'],
    [['test', 'whk_none'], 1, ''],
    [['pause', 'whk_none'], 1, ''],
    [['remove', 'whk_none', '--yes'], 1, ''],
    [['deliveries', 'dlv_none'], 1, ''],
    [['replay'], 2, '--dead'],
    [['replay', '--dead', 'dlv_1'], 2, 'whk_'],
    [['lst'], 2, 'list, add, test'],
  ])('%j is refused', async (args, code, told) => {
    expect(await webhooks(...args)).toMatchObject({ code, out: '', err: has(told) });
  });
});
