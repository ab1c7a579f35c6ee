import {
  clearNamespace,
  listNamespaces,
  changeNamespace,
  setMemory,
  deleteMemory,
} from '@reverie/shared/contract/memories/memories';
import type { Sent } from '@reverie/shared/contract/route';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { coloursOf } from './faces.ts';

describe('colours that nobody chose', () => {
  const made = (...names: string[]) => names.map((name, at) => ({ id: at + 1, name }));

  test('differ as long as there are enough, and are given in the order of making', () => {
    const names = Array.from({ length: 10 }, (_, at) => `n${at}`);
    const colours = coloursOf(made(...names), new Map());
    expect(new Set(colours.values()).size).toBe(10);
    // One more takes none of theirs away.
    const more = coloursOf(made(...names, 'a'), new Map());
    for (const name of names) expect(more.get(name)).toBe(colours.get(name));
  });

  test('change for a choice only where they meet it', () => {
    const before = coloursOf(made('a', 'b', 'c'), new Map());
    const meets = before.get('b') ?? 'violet';
    const colours = coloursOf(made('a', 'b', 'c'), new Map([['c', { colour: meets, sign: null }]]));
    expect(colours.get('c')).toBe(meets);
    expect(colours.get('a')).toBe(before.get('a'));
    expect(new Set(colours.values()).size).toBe(3);
  });

  test('stay where another namespace goes', () => {
    const before = coloursOf(made('a', 'b', 'c'), new Map());
    const after = coloursOf(made('a', 'b', 'c').slice(1), new Map());
    expect([after.get('b'), after.get('c')]).toEqual([before.get('b'), before.get('c')]);
  });
});

describe('a face', () => {
  let daemon: TestDaemon;
  beforeEach(async () => {
    daemon = await startTestDaemon();
    for (const namespace of ['home', 'work'])
      await daemon.call(setMemory, { body: { key: 'k', value: 'v', namespace } });
  });
  afterEach(() => daemon.stop());

  const change = (namespace: string, body: Sent<typeof changeNamespace>['body']) =>
    daemon.call(changeNamespace, { params: { namespace }, body });
  const faces = async () =>
    Object.fromEntries(
      (await daemon.call(listNamespaces, {})).namespaces.map(({ namespace, colour, sign }) => [
        namespace,
        [colour, sign],
      ]),
    );

  test('is what was chosen, part by part, also after a new start; null takes it back', async () => {
    const { home: other, work: given } = await faces();
    expect(other).not.toEqual(given);
    expect(await change('work', { colour: 'teal' })).toEqual({
      namespace: 'work',
      models: 'any',
      colour: 'teal',
    });
    await change('work', { sign: '🛠️' });
    await change('work', { models: 'none' });
    await daemon.restart();
    expect((await faces())['work']).toEqual(['teal', '🛠️']);
    await change('work', { colour: null, sign: null });
    expect(await faces()).toEqual({ home: other, work: given });
  });

  test('outlives the last memory, and goes when the namespace is cleared', async () => {
    await change('work', { colour: 'teal', sign: 'W' });
    await daemon.call(deleteMemory, { body: { key: 'k', namespace: 'work' } });
    const again = () => daemon.call(setMemory, { body: { key: 'k', value: 'v', namespace: 'work' } });
    await again();
    expect((await faces())['work']).toEqual(['teal', 'W']);
    await daemon.call(clearNamespace, { body: { namespace: 'work' } });
    await again();
    expect((await faces())['work']?.[1]).toBeUndefined();
    // As if it had never been chosen: null changes nothing.
    const given = await faces();
    await change('work', { colour: null });
    expect(await faces()).toEqual(given);
  });

  test.each([
    ['two characters', { sign: 'ab' }],
    ['nothing', { sign: '' }],
    ['a space', { sign: ' ' }],
    ['more than 16 bytes', { sign: '👨‍👩‍👧‍👦' }],
    ['a colour that there is not', { colour: 'mauve' }],
    ['no change at all', {}],
  ])('is not %s', async (_, body) => {
    const reply = await daemon.ask({
      method: 'PATCH',
      path: '/v1/namespaces/work',
      key: daemon.ownerKey,
      body,
    });
    expect(reply.status).toBe(400);
  });

  test('is of each account its own', async () => {
    const given = await faces();
    const other = daemon.as(daemon.addAccount('owner').key);
    await other(changeNamespace, { params: { namespace: 'work' }, body: { colour: 'teal' } });
    expect(await faces()).toEqual(given);
  });
});
