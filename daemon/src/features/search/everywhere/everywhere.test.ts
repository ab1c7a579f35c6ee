import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askMemory } from '@reverie/shared/contract/search/ask';
import * as contract from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import type { Sent } from '@reverie/shared/contract/route';
import { searchMemories, searchMemoriesGet } from '@reverie/shared/contract/search/search';
import { trashMemories } from '@reverie/shared/contract/memories/trash';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';

let daemon: TestDaemon;
const NOTES = [
  ['work', 'rollout', 'The rollout of the billing service is on Tuesday.', { tags: ['adr', 'ops'] }],
  ['work', 'error:billing', 'The billing service failed with ECONNRESET.', { tags: ['ops'] }],
  ['home', 'radiator', 'The grey cat sleeps on the warm radiator.', { tags: ['pets', 'to do'] }],
  ['home', 'jar', 'Start the server with java -jar server.jar and 2 GB.', {}],
  ['home', 'jam', 'The java of this jar of coffee comes from Java.', {}],
  ['notes/2026', 'budget', 'The budget of the garden shed is 900 euros.', {}],
] as const;

beforeAll(async () => {
  daemon = await startTestDaemon();
  for (const [at, [namespace, key, value, metadata]] of NOTES.entries()) {
    const created_at = `2026-0${at + 1}-10T12:00:00.000Z`;
    const item = { namespace, key, value, metadata, created_at, updated_at: created_at };
    await daemon.call(importMemories, { body: { items: [item] } });
  }
  const other = daemon.addAccount('owner');
  await daemon.as(other.key)(contract.setMemory, {
    body: { key: 'theirs', namespace: 'work', value: 'The rollout of their billing service, secretly.' },
  });
});
afterAll(() => daemon.stop());

type Body = Sent<typeof searchMemories>['body'];
const search = (query: string, more: Partial<Body> = {}) =>
  daemon.call(searchMemories, { body: { query, namespace: '*', ...more } });
const found = async (query: string, more: Partial<Body> = {}) =>
  (await search(query, more)).results.map(({ namespace, key }) => `${namespace} ${key}`);
const list = async (body: Sent<typeof contract.listMemories>['body']) => {
  const { memories, total } = await daemon.call(contract.listMemories, { body });
  return [total, ...memories.map(({ namespace, key }) => `${namespace} ${key}`)];
};
const refusal = async (path: string, body: unknown) => {
  const { status, json } = await daemon.ask({ path: `/v1${path}`, body });
  return [status, json.errors?.[0]?.path, json.errors?.[0]?.message];
};

describe('a search of every namespace', () => {
  test.each([
    ['when is the billing rollout', 'work rollout'],
    ['where does the cat sleep', 'home radiator'],
    ['what may the shed cost', 'notes/2026 budget'],
  ])('%s finds %s first', async (query, first) => {
    expect((await found(query))[0]).toBe(first);
    const { memories } = await daemon.call(searchMemoriesGet, { query: { q: query, namespace: '*' } });
    expect(`${memories[0]?.namespace} ${memories[0]?.key}`).toBe(first);
  });

  test('stands in the order of scores, equal ones newest first, and never shows another account', async () => {
    const { results } = await search('billing service', { limit: 50 });
    expect(results.length).toBeGreaterThan(1);
    expect(results.map(({ key }) => key)).not.toContain('theirs');
    const order = results.map(({ score, created_at }) => [score, created_at] as const);
    expect(order).toEqual([...order].sort((a, b) => b[0] - a[0] || b[1].localeCompare(a[1])));
  });

  test('follows what is written, hidden and deleted since', async () => {
    const at = { key: 'zeppelin', namespace: 'brand new' };
    expect(await found('zeppelin')).not.toContain('brand new zeppelin');
    await daemon.call(contract.setMemory, { body: { ...at, value: 'A zeppelin over Lake Constance.' } });
    expect((await found('airship zeppelin'))[0]).toBe('brand new zeppelin');
    await daemon.call(trashMemories, { body: { items: [at] } });
    expect(await found('zeppelin')).not.toContain('brand new zeppelin');
    expect(await list({ namespace: '*', prefix: 'zep' })).toEqual([0]);
    await daemon.call(contract.setMemory, { body: { ...at, value: 'Another zeppelin.' } });
    expect((await found('zeppelin'))[0]).toBe('brand new zeppelin');
    await daemon.call(contract.clearNamespace, { body: { namespace: 'brand new' } });
    expect(await found('zeppelin')).not.toContain('brand new zeppelin');
  });

  test('`q=*` with it lists everything', async () => {
    const all = await daemon.call(searchMemoriesGet, { query: { q: '*' } });
    expect(await daemon.call(searchMemoriesGet, { query: { q: '*', namespace: '*' } })).toEqual(all);
  });

  test('is what a question may be asked about, and citations say where they are from', async () => {
    const ask = (question: string, namespace = '*') =>
      daemon.call(askMemory, { body: { question, namespace } });
    const { found: isFound, citations } = await ask('When is the rollout of the billing service?');
    expect([isFound, citations[0]?.namespace, citations[0]?.key]).toEqual([true, 'work', 'rollout']);
    expect((await ask('Where does the grey cat sleep?')).citations[0]?.namespace).toBe('home');
    const past = { namespace: '*', as_of: '2026-04-01T00:00:00.000Z' };
    const then = async (question: string) => {
      const { citations: told } = await daemon.call(askMemory, { body: { question, ...past } });
      return told.map((one) => `${one.namespace} ${one.key}`);
    };
    expect((await then('Where does the grey cat sleep?'))[0]).toBe('home radiator');
    // It was noted later.
    expect(await then('What is the budget of the garden shed?')).not.toContain('notes/2026 budget');
    const { key } = daemon.addAccount('owner');
    const body = { question: 'Where does the cat sleep?', namespace: '*' };
    expect((await daemon.as(key)(askMemory, { body })).answer).toBe('Nothing is in memory.');
  });
});

describe('a list of every namespace', () => {
  test('has all of them, in one order, by pages', async () => {
    const all = NOTES.map(([namespace, key]) => `${namespace} ${key}`);
    expect(await list({ namespace: '*' })).toEqual([all.length, ...all]);
    expect(await list({ namespace: '*', offset: 2, limit: 2 })).toEqual([all.length, ...all.slice(2, 4)]);
    expect(await list({ namespace: '*', tags: ['ops'], class: 'error' })).toEqual([1, 'work error:billing']);
  });

  test('takes operators, and no words', async () => {
    const by = (query: string, namespace = '*') => list({ namespace, query });
    expect(await by('tag:ops')).toEqual([2, 'work rollout', 'work error:billing']);
    expect(await by('in:home after:2026-03 -radiator')).toEqual([2, 'home jar', 'home jam']);
    expect(await by('before:2026-02 tag:adr', 'work')).toEqual([1, 'work rollout']);
    expect(await by('"grey cat"', 'home')).toEqual([1, 'home radiator']);
    expect(await by('class:error class:skill')).toEqual([1, 'work error:billing']);
    expect(await refusal('/memory-list', { query: 'tag:ops rollout' })).toEqual([
      400,
      'query',
      expect.stringContaining('"rollout" is no operator'),
    ]);
    expect(await refusal('/memory-list', { query: 'in:home' })).toEqual([
      400,
      'query',
      expect.stringContaining('in:work (with namespace "*")'),
    ]);
    const { status, json } = await daemon.ask({ path: '/v1/memory/list?query=before:2026-13' });
    expect([status, json.errors?.[0]?.path]).toEqual([400, 'query']);
  });
});

describe('operators of a search', () => {
  test.each([
    ['billing tag:adr', ['work rollout']],
    ['billing class:error', ['work error:billing']],
    ['billing in:home', ['home']],
    ['in:work in:nowhere billing -rollout', ['work error:billing']],
    ['"sleeps on the WARM radiator" cat', ['home radiator']],
    ['cat "radiator sleeps"', []],
    ['tag:"to do"', ['home radiator']],
    ['tag:ops', ['work error:billing', 'work rollout']],
    ['after:2026-04 before:2026-06', ['home jam']],
    ['tag:none billing', []],
    ['in:nowhere', []],
  ])('%s', async (query, expected) => {
    const hits = await found(query, { limit: 50 });
    if (expected[0] === 'home') expect(hits.every((hit) => hit.startsWith('home '))).toBe(true);
    else expect(hits).toEqual(expected);
  });

  test('a dash leaves a word out, but not where it is written with the dash', async () => {
    expect(await found('java -jar', { limit: 50 })).toContain('home jar');
    expect(await found('java -jar', { limit: 50 })).not.toContain('home jam');
  });

  test('alone list what passes them, newest first, with score 1, and say how they were read', async () => {
    const reply = await search('-billing before:2026-07', { explain: true, limit: 2 });
    expect(reply.results.map(({ key, score }) => [key, score])).toEqual([
      ['budget', 1],
      ['jam', 1],
    ]);
    expect(reply.understood).toEqual({
      text: '',
      filters: [
        { kind: 'without', value: 'billing' },
        { kind: 'before', value: '2026-07' },
      ],
    });
    expect((await search('billing', { explain: true })).understood).toEqual({ text: 'billing', filters: [] });
  });

  test('alone show as much of a value as is wanted, and have no passage, for nothing was looked for', async () => {
    const [whole] = (await search('tag:adr')).results;
    expect(whole).toMatchObject({ key: 'rollout', value: NOTES[0][2] });
    expect(whole).not.toHaveProperty('passage');
    expect((await search('tag:adr', { preview: 5 })).results[0]).toMatchObject({
      value: 'The r',
      truncated: true,
    });
    const [bare] = (await search('tag:adr', { values: false })).results;
    expect(bare).toMatchObject({ key: 'rollout', title: expect.any(String) as unknown });
    expect(bare).not.toHaveProperty('value');
    const [hit] = (await search('billing rollout', { values: false })).results;
    expect(hit?.passage?.text).toBe(NOTES[0][2]);
  });

  test('never look further than `namespace` says', async () => {
    const { understood, results } = await search('in:work rollout', { namespace: 'home', explain: true });
    expect(understood).toEqual({ text: 'in:work rollout', filters: [] });
    expect(results.every(({ namespace }) => namespace === 'home')).toBe(true);
  });

  test('a date that no calendar has is refused by its name', async () => {
    const said = [400, 'query', expect.stringContaining('`before:2026-13`')];
    expect(await refusal('/memory-search', { query: 'plan before:2026-13' })).toEqual(said);
    const { status, json } = await daemon.ask({ path: '/v1/memory-search?q=after:2026-02-30' });
    expect([status, json.errors?.[0]?.path]).toEqual([400, 'q']);
  });
});

describe('where another namespace answers clearly better', () => {
  test('a search of one names it, best first, and one of every namespace does not', async () => {
    const { elsewhere } = await search('when is the billing rollout', { namespace: 'home' });
    expect(elsewhere?.map(({ namespace }) => namespace)).toEqual(['work']);
    expect(elsewhere?.[0]?.count).toBeGreaterThan(0);
    expect(elsewhere?.[0]?.best).toBeGreaterThan(0.5);
    expect((await search('when is the billing rollout')).elsewhere).toBeUndefined();
    expect((await search('billing rollout', { namespace: 'nowhere' })).elsewhere?.[0]?.namespace).toBe(
      'work',
    );
  });

  test('a search that found it here, or finds it nowhere, names none', async () => {
    expect((await search('billing rollout', { namespace: 'work' })).elsewhere).toBeUndefined();
    expect((await search('quantum chromodynamics', { namespace: 'home' })).elsewhere).toBeUndefined();
  });

  test('its filters hold there, too', async () => {
    const namespace = 'home';
    expect((await search('billing rollout tag:adr', { namespace })).elsewhere?.[0]?.namespace).toBe('work');
    expect((await search('billing rollout tag:pets', { namespace })).elsewhere).toBeUndefined();
    expect((await search('rollout', { namespace: 'home', class: 'error' })).elsewhere).toBeUndefined();
  });

  test('a question that nothing here answers names it', async () => {
    const body = { question: 'When is the rollout of the billing service?', namespace: 'notes/2026' };
    const { certainty, elsewhere } = await daemon.call(askMemory, { body });
    expect([certainty, elsewhere?.[0]?.namespace]).toEqual(['none', 'work']);
    const nothing = await daemon.call(askMemory, { body: { ...body, namespace: 'work' } });
    expect(nothing.elsewhere).toBeUndefined();
  });

  test('never one of another account', async () => {
    const { key } = daemon.addAccount('owner');
    const body = { query: 'when is the billing rollout' };
    expect((await daemon.as(key)(searchMemories, { body })).elsewhere).toBeUndefined();
  });
});

describe('what writes or reads one memory', () => {
  test.each([
    ['/memory-set', { key: 'k', value: 'v', namespace: '*' }, 'namespace'],
    ['/memory/store-batch', { items: [{ value: 'v', namespace: '*' }] }, 'items.0.namespace'],
    ['/memory-delete', { key: 'k', namespace: '*' }, 'namespace'],
    ['/memory-get', { key: 'k', namespace: '*' }, 'namespace'],
    ['/memory/clear', { namespace: '*' }, 'namespace'],
    ['/import', { items: [{ key: 'k', value: 'v', namespace: '*' }] }, 'items.0.namespace'],
    ['/memory/rename', { key: 'k', to: { key: 'k', namespace: '*' } }, 'to.namespace'],
  ])('%s names one namespace', async (path, body, field) => {
    expect(await refusal(path, body)).toEqual([
      400,
      field,
      expect.stringContaining('"*" means every namespace'),
    ]);
  });

  test('but a namespace that was called `*` before is left by rename, and found until then', async () => {
    await daemon.call(contract.setMemory, { body: { key: 'old', namespace: 'star', value: 'An old star.' } });
    daemon.withStore((store) =>
      store.write((db) => db.prepare<[]>("UPDATE namespaces SET name = '*' WHERE name = 'star'").run()),
    );
    expect(await found('in:"*" old star')).toEqual(['* old']);
    expect(await list({ namespace: '*', query: 'in:*' })).toEqual([1, '* old']);
    const body = { key: 'old', namespace: '*', to: { key: 'old', namespace: 'star' } };
    await daemon.call(renameMemory, { body });
    expect(await found('in:star')).toEqual(['star old']);
    await daemon.call(contract.clearNamespace, { body: { namespace: 'star' } });
  });
});
