import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { memoryLinks } from '@reverie/shared/contract/memories/links';
import { getMemory, setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const store = (namespace: string, notes: Record<string, string>) =>
  daemon.call(storeBatch, {
    body: { items: Object.entries(notes).map(([key, value]) => ({ key, value, namespace })) },
  });
const rename = (namespace: string, key: string, to: string) =>
  daemon.call(renameMemory, { body: { namespace, key, to: { key: to } } });
const text = async (namespace: string, key: string) =>
  (await daemon.call(getMemory, { body: { namespace, key } })).value;

describe('renaming', () => {
  let at = 0;
  test.each<[written: string, mended: string, keys: { from: string; to: string }]>([
    [
      '[[coffee]] ![[Coffee|cup]] [[coffee#Beans|b]]',
      '[[espresso]] ![[espresso|cup]] [[espresso#Beans|b]]',
      { from: 'coffee.md', to: 'espresso.md' },
    ],
    [
      '[[coffee.md]] [[coffee^b1]]',
      '[[espresso.md]] [[espresso^b1]]',
      { from: 'coffee.md', to: 'drinks/espresso.md' },
    ],
    [
      '[[drinks/coffee]] [[./drinks/coffee]]',
      '[[cups/espresso]] [[./cups/espresso]]',
      { from: 'drinks/coffee.md', to: 'cups/espresso.md' },
    ],
    // Another note has the name already: the path says which.
    ['[[coffee]]', '[[x/other]]', { from: 'coffee.md', to: 'x/other.md' }],
    [
      '[c](coffee.md#h "t") [d](./coffee.md) ![e](<coffee.md>)',
      '[c](a%20b/es%281%29.md#h "t") [d](./a%20b/es%281%29.md) ![e](<a b/es(1).md>)',
      { from: 'coffee.md', to: 'a b/es(1).md' },
    ],
    ['See [c].\n\n[c]: coffee.md', 'See [c].\n\n[c]: espresso.md', { from: 'coffee.md', to: 'espresso.md' }],
    [
      '---\nup: "[[coffee]]"\n---\n`[[coffee]]`',
      '---\nup: "[[espresso]]"\n---\n`[[coffee]]`',
      { from: 'coffee.md', to: 'espresso.md' },
    ],
    ['[[Ns/Coffee]]', '[[Ns/Espresso]]', { from: 'Ns___Coffee.md', to: 'Ns___Espresso.md' }],
    // An alias and a title lead there still; a name that no wiki link can have is left.
    ['[[Kaffee]] [[A cup]]', '[[Kaffee]] [[A cup]]', { from: 'coffee.md', to: 'espresso.md' }],
    ['[[coffee]]', '[[coffee]]', { from: 'coffee.md', to: 'a#b|c.md' }],
  ])('%j becomes %j: %j', async (written, mended, { from, to }) => {
    const namespace = `form${at++}`;
    const coffee = '---\naliases: Kaffee\n---\n# A cup\nof [[tea]]';
    await store(namespace, { [from]: coffee, tea: 'Tea.', 'other.md': 'Another.', 'note.md': written });
    const reply = await rename(namespace, from, to);
    expect(await text(namespace, 'note.md')).toBe(mended);
    expect(reply).toMatchObject({ key: to, mended: mended === written ? 0 : 1 });
    await rename(namespace, to, from);
    expect(await text(namespace, 'note.md')).toBe(written);
  });

  test('mends links from other folders, its own, and leaves those to others alone', async () => {
    const a = '[b](../y/b.md) [[b]] [self](a.md#here) [[c]] [gone](gone.md)';
    const b = '[a](../x/a.md) [[x/a]] [[a]] [other](c.md)';
    await store('folders', { 'x/a.md': a, 'y/b.md': b, 'y/c.md': 'C', 'z/deep/d.md': '[a](../../x/a.md)' });
    expect((await rename('folders', 'x/a.md', 'z/new name.md')).mended).toBe(3);
    expect(await text('folders', 'z/new name.md')).toBe(
      '[b](../y/b.md) [[b]] [self](new%20name.md#here) [[c]] [gone](gone.md)',
    );
    expect(await text('folders', 'y/b.md')).toBe(
      '[a](../z/new%20name.md) [[z/new name]] [[new name]] [other](c.md)',
    );
    expect(await text('folders', 'z/deep/d.md')).toBe('[a](../new%20name.md)');
    await rename('folders', 'z/new name.md', 'x/a.md');
    expect([await text('folders', 'x/a.md'), await text('folders', 'y/b.md')]).toEqual([a, b]);
  });

  test('keeps what is said besides, and is a version that can be looked at', async () => {
    const body = { namespace: 'kept', key: 'n', value: '[[a]]', metadata: { tags: ['x'] } };
    const expires_at = new Date(daemon.clock.now() + 86_400_000).toISOString();
    await store('kept', { a: 'A' });
    await daemon.call(setMemory, { body: { ...body, expires_at } });
    await rename('kept', 'a', 'b');
    const memory = await daemon.call(getMemory, { body: { namespace: 'kept', key: 'n' } });
    expect(memory).toMatchObject({ value: '[[b]]', metadata: { tags: ['x'] }, expires_at });
    const { versions } = await daemon.call(memoryHistory, { query: { namespace: 'kept', key: 'n' } });
    expect(versions.map(({ value }) => value)).toEqual(['[[b]]', '[[a]]']);
  });

  test('mends two hundred notes and brings all of them back', async () => {
    const notes = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [
        `n${n}.md`,
        `Note ${n}: [[HUB]], [hub](hub.md) and [[Hub#Part|it]].`,
      ]),
    );
    await store('hub', { 'hub.md': '# Hub\n', ...notes });
    expect((await rename('hub', 'hub.md', 'centre.md')).mended).toBe(200);
    const { in: linking } = await daemon.call(memoryLinks, { query: { namespace: 'hub', key: 'centre.md' } });
    expect(linking).toHaveLength(200);
    expect(await text('hub', 'n7.md')).toBe('Note 7: [[centre]], [hub](centre.md) and [[centre#Part|it]].');
    expect((await rename('hub', 'centre.md', 'hub.md')).mended).toBe(200);
    for (const n of [0, 7, 199]) expect(await text('hub', `n${n}.md`)).toBe(notes[`n${n}.md`]);
  });

  test('leaves a note its file: what that says later is taken as before', async () => {
    const namespace = 'followed';
    const bring = async (value: string) => {
      const source = { id: `markdown:/${namespace}/note.md`, hash: value };
      const metadata = { imported: { format: 'markdown', path: 'note.md' } };
      const items = [{ namespace, key: 'note.md', value, metadata, source }];
      return (await daemon.call(importMemories, { body: { items } })).outcomes;
    };
    await store(namespace, { 'coffee.md': 'Of tea.' });
    await bring('Drink [[coffee]].');
    expect((await rename(namespace, 'coffee.md', 'espresso.md')).mended).toBe(1);
    expect(await bring('Drink no [[espresso]].')).toEqual(['updated']);
    expect(await text(namespace, 'note.md')).toBe('Drink no [[espresso]].');
  });

  test('into another namespace leaves the links as they are', async () => {
    await store('here', { a: 'A', n: '[[a]]' });
    const body = { namespace: 'here', key: 'a', to: { key: 'a', namespace: 'there' } };
    expect((await daemon.call(renameMemory, { body })).mended).toBe(0);
    expect(await text('here', 'n')).toBe('[[a]]');
  });
});
