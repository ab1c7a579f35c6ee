import {
  clearNamespace,
  listNamespaces,
  changeNamespace,
  setMemory,
  deleteMemory,
} from '@reverie/shared/contract/memories';
import type { Sent } from '@reverie/shared/contract/route';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
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

  test('leave the chosen ones alone', () => {
    const colours = coloursOf(made('a', 'b', 'c'), new Map([['c', { colour: 'violet', sign: null }]]));
    expect(colours.get('c')).toBe('violet');
    expect(new Set(colours.values()).size).toBe(3);
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
    expect(await faces()).toEqual({ home: ['violet', undefined], work: ['amber', undefined] });
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
    expect((await faces())['work']).toEqual(['amber', undefined]);
  });

  test('outlives the last memory, and goes when the namespace is cleared', async () => {
    await change('work', { colour: 'teal', sign: 'W' });
    await daemon.call(deleteMemory, { body: { key: 'k', namespace: 'work' } });
    const again = () => daemon.call(setMemory, { body: { key: 'k', value: 'v', namespace: 'work' } });
    await again();
    expect((await faces())['work']).toEqual(['teal', 'W']);
    await daemon.call(clearNamespace, { body: { namespace: 'work' } });
    await again();
    expect((await faces())['work']).toEqual(['amber', undefined]);
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
    const other = daemon.as(daemon.addAccount('owner').key);
    await other(changeNamespace, { params: { namespace: 'work' }, body: { colour: 'teal' } });
    expect((await faces())['work']).toEqual(['amber', undefined]);
  });
});
