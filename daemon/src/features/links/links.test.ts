import { memoryGraph } from '@reverie/shared/contract/search/graph';
import { memoryLinks } from '@reverie/shared/contract/memories/links';
import { deleteMemory, setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
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
const links = (namespace: string, key: string) => daemon.call(memoryLinks, { query: { namespace, key } });
const from = (found: readonly { from: string; passage: { text: string } }[]) =>
  found.map((one) => `${one.from}: ${one.passage.text}`);

describe('links of a note', () => {
  test('lead where Obsidian leads, and back', async () => {
    await store('vault', {
      'beta.md': '# The beta\nText.',
      'sub/beta.md': 'Another.',
      'people/Nora Lind.md': '---\naliases: [Nora, "Lind, N."]\n---\nOf Porto.',
      'Ns___Page.md': 'A page.',
      'sub/alpha.md':
        'See [[beta]], [[Beta.md#Text|the text]], [it](beta.md) and [her](<../people/nora lind.md>).\n\n- Ask [[Nora]], [[lind, n.]], [[the beta]].\n- [[Ns/Page]], [[gone]], ![[pic.png]] and [web](https://x.test).',
    });
    const { out } = await links('vault', 'sub/alpha.md');
    expect(out).toEqual([
      { to: 'beta.md', link: 'beta', text: 'beta', found: true },
      { to: 'beta.md', link: 'Beta.md#Text', text: 'the text', found: true },
      { to: 'sub/beta.md', link: 'beta.md', text: 'it', found: true },
      { to: 'people/Nora Lind.md', link: '../people/nora lind.md', text: 'her', found: true },
      { to: 'people/Nora Lind.md', link: 'Nora', text: 'Nora', found: true },
      { to: 'people/Nora Lind.md', link: 'lind, n.', text: 'lind, n.', found: true },
      { to: 'beta.md', link: 'the beta', text: 'the beta', found: true },
      { to: 'Ns___Page.md', link: 'Ns/Page', text: 'Ns/Page', found: true },
      { to: 'gone', link: 'gone', text: 'gone', found: false },
    ]);
    for (const key of ['beta.md', 'sub/beta.md'])
      expect((await links('vault', key)).in.map((one) => one.from)).toEqual(['sub/alpha.md']);
    const page = await links('vault', 'Ns___Page.md');
    expect(from(page.in)).toEqual([
      'sub/alpha.md: [[Ns/Page]], [[gone]], ![[pic.png]] and [web](https://x.test).',
    ]);
    const [place = [0, 0]] = page.in[0]?.passage.marks ?? [];
    const { text = '', start = 0 } = page.in[0]?.passage ?? {};
    expect(text.slice(place[0] - start, place[1] - start)).toBe('[[Ns/Page]]');
    await expect(links('vault', 'absent')).rejects.toMatchObject({ code: 'memory_not_found' });
  });

  test('to what comes later are found then, and are dead when it goes', async () => {
    await store('later', { a: 'See [[b]] and [[Long name]].' });
    const found = async () => (await links('later', 'a')).out.map((one) => `${one.to} ${one.found}`);
    expect(await found()).toEqual(['b false', 'Long name false']);
    await store('later', { 'x/b.md': 'B', c: '# Long name\n' });
    expect(await found()).toEqual(['x/b.md true', 'c true']);
    await daemon.call(trashMemories, { body: { items: [{ namespace: 'later', key: 'x/b.md' }] } });
    await daemon.call(deleteMemory, { body: { namespace: 'later', key: 'c' } });
    expect(await found()).toEqual(['b false', 'Long name false']);
    await daemon.call(restoreTrash, { body: { items: [{ namespace: 'later', key: 'x/b.md' }] } });
    expect(await found()).toEqual(['x/b.md true', 'Long name false']);
    await daemon.call(trashMemories, { body: { items: [{ namespace: 'later', key: 'a' }] } });
    expect((await links('later', 'x/b.md')).in).toEqual([]);
  });

  test('are none between namespaces, and none of what has expired', async () => {
    await store('one', { a: 'See [[b]].' });
    await store('two', { b: 'B of two', mention: 'See [[a]] of one.' });
    expect((await links('one', 'a')).out).toMatchObject([{ to: 'b', found: false }]);
    expect((await links('one', 'a')).in).toEqual([]);
    const expires_at = new Date(daemon.clock.now() + 60_000).toISOString();
    await daemon.call(setMemory, {
      body: { namespace: 'one', key: 'b', value: '[[a]] for now', expires_at },
    });
    expect((await links('one', 'a')).in).toHaveLength(1);
    daemon.clock.advance(61_000);
    expect(await links('one', 'a')).toMatchObject({ out: [{ found: false }], in: [] });
  });

  test('are mentioned where another note says its name without a link', async () => {
    await store('plain', {
      'garden/Compost heap.md': '---\naliases: Humus\n---\nTurn it.',
      says: 'First line.\n\nThe compost\nheap is warm.',
      alias: 'Bring the HUMUS.',
      links: 'As in [[Compost heap]], of the compost heap.',
      part: 'Composted heaps.',
    });
    const { unlinked, in: linking } = await links('plain', 'garden/Compost heap.md');
    expect(linking.map((one) => one.from)).toEqual(['links']);
    expect(from(unlinked)).toEqual(['alias: Bring the HUMUS.', 'says: The compost\nheap is warm.']);
    await store(
      'plain',
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`n${at}`, `Humus ${at}`])),
    );
    expect((await links('plain', 'garden/Compost heap.md')).unlinked).toHaveLength(20);
  });

  test('of Logseq lead to blocks, say what those say, and are no mentions of it', async () => {
    const [one, two, gone] = ['1', '2', '3'].map((at) => `6590d2a1-0000-4000-8000-00000000000${at}`);
    await store('graph', {
      'pages/Blocks.md': `- Parent\n\t- Turn the heap\n\t  id:: ${one}\n\t  collapsed:: true\n\t  each week\n\t\t- below\n- id:: ${two}\n  Other`,
      'pages/From.md': `- See ((${one?.toUpperCase()})), {{embed ((${two}))}}, ((${gone})), \`((${one}))\` and ((no id)).`,
      'pages/Says.md': `- It is ${one}.`,
    });
    const { out } = await links('graph', 'pages/From.md');
    expect(out).toEqual([
      {
        to: 'pages/Blocks.md',
        link: `((${one}))`,
        text: `((${one?.toUpperCase()}))`,
        found: true,
        block: 'Turn the heap\neach week',
      },
      { to: 'pages/Blocks.md', link: `((${two}))`, text: `((${two}))`, found: true, block: 'Other' },
    ]);
    const blocks = await links('graph', 'pages/Blocks.md');
    expect(blocks.in.map((found) => found.from)).toEqual(['pages/From.md']);
    expect(blocks.unlinked).toEqual([]);
  });

  test('stand in the graph', async () => {
    await store('map', { a: 'See [[b|the other]].', b: 'Alone.' });
    const { links: drawn } = await daemon.call(memoryGraph, { query: { namespace: 'map', key: 'b' } });
    expect(drawn.filter(({ kind }) => kind === 'link')).toEqual([
      { from: 'b', to: 'a', kind: 'link', why: 'links to it as “the other”', weight: 1 },
    ]);
  });

  test('are answered soon where there are thousands, in loops, or of one name', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `[[n${at % 500}|${at}]] [[x${at}]]`).join(' ');
    await store('many', {
      hub: `${many} [[hub]]`,
      ...Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`d${at}/n${at}.md`, '![[hub]] ![[n0]]'])),
      ...Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`d${at}/README.md`, '[r](README.md)'])),
    });
    const hub = await links('many', 'hub');
    expect([hub.out.length, hub.in.length]).toEqual([1_000, 200]);
    expect((await links('many', 'd7/README.md')).in).toEqual([]);
  });
});
