import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import type { Sent } from '@reverie/shared/contract/route';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { wordingsOf } from './wordings.ts';

let daemon: TestDaemon;
const NOTES = [
  ['default', 'boiler', 'The boiler is serviced every March by Anna Weber.', ['house']],
  ['default', 'deploy', 'We deploy on Tuesdays, never on Fridays.', ['ops']],
  ['default', 'wifi', 'The wifi of the cabin is called Nordwind.', ['house']],
  ['default', 'müll', 'Die Mülltonne wird am Donnerstag geleert.', ['house']],
  ['work', 'invoice', 'Invoices of suppliers are paid within thirty days.', ['ops']],
  ['secret', 'vault', 'The vault opens with the combination of the lighthouse.', []],
] as const;

beforeAll(async () => {
  daemon = await startTestDaemon();
  for (const [namespace, key, value, tags] of NOTES)
    await daemon.call(setMemory, { body: { namespace, key, value, metadata: { tags: [...tags] } } });
});
afterAll(() => daemon.stop());

type Body = Sent<typeof searchMemories>['body'];
const search = (query: string, queries: string[], more: Partial<Body> = {}) =>
  daemon.call(searchMemories, { body: { query, queries, ...more } });
const scoreOf = async (key: string, query: string, queries: string[] = []) =>
  (await search(query, queries)).results.find((hit) => hit.key === key)?.score ?? 0;
const refusal = async (path: string, body: unknown) => {
  const { status, json } = await daemon.ask({ path: `/v1${path}`, body });
  return [status, json.errors?.[0]?.path, json.errors?.[0]?.message];
};

/** A query that no note answers. */
const NOTHING = 'quixotic zeugma';

describe('further wordings', () => {
  test('find what the query does not, and the hit says by which', async () => {
    expect((await search(NOTHING, [], { threshold: 0.3 })).results).toEqual([]);
    const { results } = await search(NOTHING, ['when do we deploy', 'boiler serviced'], { threshold: 0.3 });
    expect(results.map(({ key, wording }) => [key, wording])).toEqual(
      expect.arrayContaining([
        ['deploy', 'when do we deploy'],
        ['boiler', 'boiler serviced'],
      ]),
    );
  });

  test('a score by them is 0.95 of what it is by itself, the best of all counts', async () => {
    const alone = await scoreOf('boiler', 'boiler serviced in March');
    expect(await scoreOf('boiler', NOTHING, ['boiler serviced in March'])).toBeCloseTo(0.95 * alone, 5);
    expect(await scoreOf('boiler', NOTHING, ['boiler', 'boiler serviced in March'])).toBeCloseTo(
      0.95 * alone,
      5,
    );
    // The query itself is worth more than the same words of another wording.
    expect(await scoreOf('boiler', 'boiler serviced in March', ['the boiler'])).toBe(alone);
    const [exact] = (await search(NOTHING, ['We deploy on Tuesdays, never on Fridays.'])).results;
    expect(exact).toMatchObject({ key: 'deploy', score: 0.95 });
  });

  test('a hit by the query itself names no wording', async () => {
    const [hit] = (await search('when do we deploy', ['something about cabins'])).results;
    expect(hit?.key).toBe('deploy');
    expect(hit).not.toHaveProperty('wording');
  });

  test('blank and repeated ones are passed over', async () => {
    const alone = await search('when do we deploy', []);
    expect(await search('when do we deploy', [' ', ' when do we deploy ', '\n'])).toEqual(alone);
    expect(wordingsOf('a', ['b', ' b', 'c']).map(({ text, worth }) => [text, worth])).toEqual([
      ['a', 1],
      [' b', 0.95],
      ['c', 0.95],
    ]);
    expect(wordingsOf(' ', ['', ' ']).map(({ text }) => text)).toEqual([' ']);
  });

  test('may be in another language than the query, and show the passage that they fit', async () => {
    const [hit] = (await search(NOTHING, ['wann wird die Mülltonne geleert'])).results;
    expect(hit).toMatchObject({ key: 'müll', wording: 'wann wird die Mülltonne geleert' });
    const { text = '', start = 0, marks = [] } = hit?.passage ?? {};
    expect(marks.map(([from, to]) => text.slice(from - start, to - start))).toContain('Mülltonne');
  });

  test('`explain` says what it costs to be found by one, and misspelt words are read in the query alone', async () => {
    const { results, understood } = await search('boilr', ['depoly days'], { explain: true });
    expect(understood?.corrected?.map(({ word }) => word)).toEqual(['boilr']);
    expect(results[0]?.key).toBe('boiler');
    const [hit] = (await search(NOTHING, ['we deploy'], { explain: true })).results;
    const lost = hit?.why?.boosts.find(({ name }) => name === 'other wording')?.points ?? 0;
    expect(lost).toBeLessThan(0);
    const sum = (hit?.why?.boosts ?? []).reduce((total, { points }) => total + points, 0);
    const [alone] = (await search('we deploy', [], { explain: true })).results;
    const without = (alone?.why?.boosts ?? []).reduce((total, { points }) => total + points, 0);
    expect(sum - without).toBeCloseTo(lost, 2);
  });
});

describe('where and among what further wordings look', () => {
  const keys = async (query: string, queries: string[], more: Partial<Body> = {}) =>
    (await search(query, queries, { threshold: 0.3, ...more })).results.map(({ key }) => key);
  const both = ['when do we deploy', 'who services the boiler'];

  test('filters and operators of the query narrow them', async () => {
    expect((await keys(NOTHING, both)).sort()).toEqual(['boiler', 'deploy']);
    expect(await keys(NOTHING, both, { tags: ['house'] })).toEqual(['boiler']);
    expect(await keys(`${NOTHING} tag:ops`, both)).toEqual(['deploy']);
    // The query may be nothing but operators.
    expect(await keys('tag:ops', both)).toEqual(['deploy']);
  });

  test('operators in them are plain words', async () => {
    expect(await keys(NOTHING, ['when do we deploy tag:house -Tuesdays'])).toContain('deploy');
  });

  test('every namespace, and never one that the key may not read', async () => {
    const wanted = ['invoices of suppliers paid', 'combination of the vault'];
    expect((await keys(NOTHING, wanted, { namespace: '*' })).sort()).toEqual(['invoice', 'vault']);
    const { key } = await daemon.as(daemon.ownerKey)(createKey, {
      body: { name: 'narrow', scope: 'read', namespaces: ['work', 'default'] },
    });
    const as = daemon.as(key);
    const { results } = await as(searchMemories, {
      body: { query: NOTHING, queries: wanted, namespace: '*', threshold: 0.3 },
    });
    expect(results.map((hit) => hit.key)).toEqual(['invoice']);
    const { elsewhere } = await as(searchMemories, { body: { query: NOTHING, queries: wanted } });
    expect(elsewhere?.map(({ namespace }) => namespace)).toEqual(['work']);
  });

  test('another namespace that answers one of them is named', async () => {
    expect((await search(NOTHING, [])).elsewhere).toBeUndefined();
    const wording = 'invoices of suppliers are paid within thirty days';
    const { elsewhere } = await search(NOTHING, ['zymurgy', wording]);
    expect(elsewhere?.map(({ namespace }) => namespace)).toEqual(['work']);
    const alone = (await search(wording, [])).elsewhere?.[0]?.best ?? 0;
    expect(elsewhere?.[0]?.best).toBeCloseTo(0.95 * alone, 5);
  });
});

test.each([
  ['/memory-search', 'query'],
  ['/memory/search', 'query'],
  ['/memory/ask', 'question'],
])('%s refuses what is too much, and names the field', async (path, field) => {
  const of = (queries: unknown) => refusal(path, { [field]: 'boiler', queries });
  expect(await of(Array.from({ length: 8 }, (_, n) => `wording ${n}`))).toEqual([
    400,
    'queries',
    expect.stringMatching(/allowed: up to 7/u) as unknown,
  ]);
  expect((await of(['fine', ''])).slice(0, 2)).toEqual([400, 'queries.1']);
  expect((await of(['x'.repeat(8193)])).slice(0, 2)).toEqual([400, 'queries.0']);
  expect((await of('boiler')).slice(0, 2)).toEqual([400, 'queries']);
});

test('ask takes them', async () => {
  const { citations } = await daemon.call(askMemory, {
    body: { question: 'When do we deploy?', queries: ['release day', 'Tag der Veröffentlichung'] },
  });
  expect(citations.map(({ key }) => key)).toContain('deploy');
});
