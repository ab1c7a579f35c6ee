import { createKey } from '@reverie/shared/contract/accounts/keys';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { trashMemories } from '@reverie/shared/contract/memories/trash';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

const RULE = 'Use pnpm in the shop repository, never npm, because of its workspaces.';

let daemon: TestDaemon;
let namespace = '';
let tests = 0;
const set = (key: string, value: string, more: { similar?: boolean; namespace?: string } = {}) =>
  daemon.call(setMemory, { body: { namespace, key, value, similar: true, ...more } });

beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.call(setMemory, { body: { namespace: 'project/web', key: 'elsewhere', value: RULE } });
});
beforeEach(async () => {
  namespace = `project/shop-${(tests += 1)}`;
  await set('pnpm', RULE);
  await set('tea', 'Green tea is brewed at 80 degrees.');
});
afterAll(() => daemon.stop());

test('a new memory is told which of its namespace say nearly the same, with what they say', async () => {
  expect(await set('package-manager', 'In the shop repository use pnpm and never npm: workspaces.')).toEqual({
    success: true,
    key: 'package-manager',
    findable: true,
    similar: [{ key: 'pnpm', passage: expect.stringContaining('pnpm') as string }],
  });
});

test('where nothing is similar there is none, and nobody is told who does not ask or overwrites', async () => {
  expect(await set('trains', 'The night train to Vienna leaves at ten.')).toMatchObject({ similar: [] });
  expect(await set('pnpm', `${RULE} Since May.`)).toEqual({ success: true, key: 'pnpm', findable: true });
  expect(await set('pnpm-2', RULE, { similar: false })).toEqual({
    success: true,
    key: 'pnpm-2',
    findable: true,
  });
});

test('three are named at most, and none that is hidden', async () => {
  const many = 'project/many';
  for (let at = 0; at < 5; at += 1) await set(`pnpm-${at}`, `${RULE} ${at}`, { namespace: many });
  await daemon.call(trashMemories, { body: { items: [{ namespace: many, key: 'pnpm-0' }] } });
  const { similar = [] } = await set('again', RULE, { namespace: many });
  expect(similar).toHaveLength(3);
  expect(similar.map(({ key }) => key)).not.toContain('pnpm-0');
});

test('of a long text its beginning is looked for, and it is found a moment later', async () => {
  const long = `# pnpm in the shop\n\n${RULE}\n\n${'And much more of it, in many words. '.repeat(1_000)}`;
  expect(await set('long', long)).toMatchObject({
    findable: false,
    similar: expect.arrayContaining([expect.objectContaining({ key: 'pnpm' })]) as unknown,
  });
});

test('a key that may not read hears of no memory', async () => {
  const { key } = await daemon.call(createKey, { body: { name: 'writer', scope: 'write', can: ['set'] } });
  const body = { namespace, key: 'blind', value: RULE, similar: true };
  expect(await daemon.as(key)(setMemory, { body })).toMatchObject({ similar: [] });
});

test('what is sent again with its Idempotency-Key is told anew', async () => {
  const sent = () =>
    daemon.ask({
      path: '/v1/memory-set',
      headers: { 'Idempotency-Key': 'once' },
      body: { namespace, key: 'once', value: RULE, similar: true },
    });
  const [first, again] = [await sent(), await sent()];
  expect(first.json['similar']).not.toEqual([]);
  expect(again.json).toEqual(first.json);
});
