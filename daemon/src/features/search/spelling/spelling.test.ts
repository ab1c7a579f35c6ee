import { askMemory } from '@reverie/shared/contract/search/ask';
import { clearNamespace, deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { correctableWords, respelled } from './respelling.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const NAMESPACE = 'notes';

const put = (key: string, value: string, { namespace = NAMESPACE, call = daemon.call } = {}) =>
  call(setMemory, { body: { key, value, namespace } });
const search = async (query: string, { namespace = NAMESPACE, call = daemon.call } = {}) => {
  const { results, understood } = await call(searchMemories, { body: { query, namespace, explain: true } });
  return { results, keys: results.map(({ key }) => key), corrected: understood?.corrected };
};
const readAs = async (query: string, where?: Parameters<typeof search>[1]) =>
  (await search(query, where)).corrected?.flatMap(({ read_as }) => read_as) ?? [];
const clear = (namespace = NAMESPACE) => daemon.call(clearNamespace, { body: { namespace } });

beforeEach(() => clear());

describe('a misspelt word', () => {
  beforeEach(async () => {
    await put('syrup', 'Elderberry syrup: boil the elderberry juice with sugar for an hour.');
    await put('bike', 'The grey bicycle needs new brakes.');
    await put('memo', 'The management of the building replaced the refrigerator.');
  });

  it.each([
    ['elderbery', 'elderberry', 'syrup'],
    ['Edlerberry', 'elderberry', 'syrup'],
    ['elderxberry', 'elderberry', 'syrup'],
    ['alderbery', 'elderberry', 'syrup'],
    ['bicylce', 'bicycle', 'bike'],
    ['managemnt', 'management', 'memo'],
    ['refridgerater', 'refrigerator', 'memo'],
  ])('%s is read as %s', async (query, word, key) => {
    const { keys, corrected } = await search(query);
    expect(corrected).toEqual([{ word: query.toLowerCase(), read_as: [word] }]);
    expect(keys[0]).toBe(key);
  });

  it('scores less than the right spelling, in the same order', async () => {
    const [wrong, right] = [await search('elderbery sugar'), await search('elderberry sugar')];
    expect(wrong.keys).toEqual(right.keys);
    for (const [at, { score, why }] of wrong.results.entries()) {
      expect(score).toBeLessThan(right.results[at]?.score ?? 0);
      expect(why?.boosts.map(({ name }) => name)).toContain('misspelt');
    }
    expect(right.corrected).toBeUndefined();
  });

  it.each([
    '"elderbery" syrup',
    'ELDERBERY',
    'elderBery',
    'elderbery.md',
    'elderbery2',
    'tke bke',
    'zzzzzz',
    'building',
  ])('is none: %s', async (query) => {
    expect((await search(query)).corrected).toBeUndefined();
  });

  it('is any of several words where it may be', async () => {
    await put('a', 'The quay was slippery: kelph and seaweed.');
    await put('b', 'kelpy water');
    expect((await readAs('kelpx')).sort()).toEqual(['kelph', 'kelpy']);
    const { keys } = await search('kelpx');
    expect(keys.slice(0, 2).sort()).toEqual(['a', 'b']);
  });
});

describe('letters', () => {
  it.each([
    ['Wohnng', 'Die Wohnung in Köln ist gemietet', 'wohnung'],
    ['Kölnn', 'Die Wohnung in Köln ist gemietet', 'koln'],
    ['grosss', 'ein Tisch, groß genug: größer als grosse', 'gross'],
    ['малоко', 'Купить молоко и хлеб', 'молоко'],
    ['καλημρα', 'είπε καλημέρα', 'καλημερα'],
    ['שלוום', 'שלום לכולם', 'שלום'],
  ])('%s', async (query, value, word) => {
    await put('note', value);
    expect(await readAs(query)).toEqual([word]);
  });

  it.each([
    ['会議室で話', '会議室に集合'],
    ['สวัสดีคับผม', 'สวัสดีครับผม'],
    ['안녕하세오', '안녕하세요'],
  ])('are not those of %s', async (query, value) => {
    await put('note', value);
    expect(await readAs(query)).toEqual([]);
  });
});

describe('only words that are there', () => {
  it('are offered: not deleted, overwritten or cleared ones, and new ones at once', async () => {
    await put('a', 'zorvaplant in the garden');
    expect(await readAs('zorvaplnt')).toEqual(['zorvaplant']);
    await put('b', 'mirkobalt in the cellar');
    expect(await readAs('mirkoblt')).toEqual(['mirkobalt']);
    await put('b', 'nothing of it any more');
    expect(await readAs('mirkoblt')).toEqual([]);
    await daemon.call(deleteMemory, { body: { key: 'a', namespace: NAMESPACE } });
    expect(await readAs('zorvaplnt')).toEqual([]);
    await put('c', 'mirkobalt once more');
    expect(await readAs('mirkoblt')).toEqual(['mirkobalt']);
    await clear();
    await put('d', 'something else');
    expect(await readAs('mirkoblt')).toEqual([]);
  });

  it('are offered: none of another namespace, and none of another account', async () => {
    await put('here', 'something else');
    await put('there', 'zorvaplant', { namespace: 'other' });
    expect(await readAs('zorvaplnt')).toEqual([]);
    expect(await readAs('zorvaplnt', { namespace: 'other' })).toEqual(['zorvaplant']);
    const call = daemon.as(daemon.addAccount('write').key);
    await put('mine', 'mirkobalt', { namespace: 'other', call });
    expect(await readAs('zorvaplnt', { namespace: 'other', call })).toEqual([]);
    expect(await readAs('mirkoblt', { namespace: 'other', call })).toEqual(['mirkobalt']);
    expect(await readAs('mirkoblt', { namespace: 'other' })).toEqual([]);
    await clear('other');
  });

  it('are offered after any writes, deletions and searches', async () => {
    const names = ['zorvaplant', 'mirkobalt', 'quendrisol', 'taprovenk'];
    const misspelt = names.map((name) => name.slice(0, 3) + name.slice(4));
    const key = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ key, words: fc.subarray(names, { minLength: 1 }) }),
      fc.record({ key, words: fc.constant([]) }),
      fc.record({ asked: fc.nat(names.length - 1) }),
      fc.constant('clear' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await clear();
        const there = new Map<string, readonly string[]>();
        const look = async (at: number) => {
          const isThere = [...there.values()].some((words) => words.includes(names[at] ?? ''));
          expect(await readAs(misspelt[at] ?? '')).toEqual(isThere ? [names[at]] : []);
        };
        for (const one of steps) {
          if (one === 'clear') {
            await clear();
            there.clear();
          } else if ('asked' in one) await look(one.asked);
          else if (one.words.length > 0) {
            await put(one.key, one.words.join(' and '));
            there.set(one.key, one.words);
          } else if (there.delete(one.key))
            await daemon.call(deleteMemory, { body: { key: one.key, namespace: NAMESPACE } });
        }
        for (const at of names.keys()) await look(at);
      }),
      { numRuns: runs(12, 25) },
    );
  });
});

describe('in every namespace', () => {
  const everywhere = { namespace: '*' };

  it('a word is read as one of any of them, new ones included, and only where none has it as it stands', async () => {
    await put('here', 'zorvaplant in the garden', { namespace: 'one' });
    expect(await readAs('zorvaplnt', everywhere)).toEqual(['zorvaplant']);
    await put('there', 'mirkobalt in the cellar', { namespace: 'two' });
    expect(await readAs('mirkoblt', everywhere)).toEqual(['mirkobalt']);
    const { results, keys } = await search('mirkoblt', everywhere);
    expect([keys[0], results[0]?.namespace]).toEqual(['there', 'two']);
    await put('too', 'mirkoblt is its name', { namespace: 'three' });
    expect(await readAs('mirkoblt', everywhere)).toEqual([]);
    expect(await readAs('mirkoblt', { namespace: 'two' })).toEqual(['mirkobalt']);
    for (const namespace of ['one', 'two', 'three']) await clear(namespace);
    await put('d', 'something else');
    expect(await readAs('zorvaplnt', everywhere)).toEqual([]);
  });

  it('of another account none is read', async () => {
    const call = daemon.as(daemon.addAccount('write').key);
    await put('mine', 'quendrisol', { namespace: 'one', call });
    expect(await readAs('quendrsol', { ...everywhere, call })).toEqual(['quendrisol']);
    await put('here', 'something else');
    expect(await readAs('quendrsol', everywhere)).toEqual([]);
  });
});

describe('a question', () => {
  const ask = (question: string) =>
    daemon.call(askMemory, { body: { question, namespace: NAMESPACE, explain: true } });

  it('is answered as it was meant, and says so', async () => {
    await put('syrup', 'The elderberry recipe: boil the juice with sugar for an hour.');
    await put('bike', 'The grey bicycle needs new brakes.');
    const { found, certainty, answer, understood } = await ask('What is the elderbery recipe?');
    expect(understood?.corrected).toEqual([{ word: 'elderbery', read_as: ['elderberry'] }]);
    expect(found).toBe(true);
    expect(certainty).not.toBe('sure');
    expect(answer).toContain('boil the juice');
  });

  it('is not answered about another name', async () => {
    await put('anneke', 'Then Annika moved to Lisbon.');
    for (const question of ['Where does Annica live?', 'where does annica live?'])
      expect((await ask(question)).understood?.corrected).toBeUndefined();
  });
});

describe('words that may be corrected', () => {
  it.each([
    ['the recipe, (elderbery)! and “quoted words” too', ['recipe', 'elderbery']],
    ["the elderbery's colour – Grün", ['elderbery', 'colour', 'grun']],
    ['src/elderbery.ts e-lderbery https://elderbery.org elderbery_x @elderbery', []],
    ['elderbery elderbery', ['elderbery']],
    [`${'x'.repeat(33)} abc 1234 A`, []],
    ['unclosed "quote elderbery', ['unclosed', 'quote', 'elderbery']],
  ])('%s', (query, words) => {
    expect(correctableWords(query)).toEqual(words);
  });

  it('are replaced where they stand, and nothing else is', () => {
    const corrections = [{ word: 'elderbery', read_as: ['elderberry', 'elder'], isCapital: false }];
    expect(respelled('An (Elderbery), "elderbery" elderbery\'s; elderbery-x', corrections)).toBe(
      'An (elderberry elder), "elderbery" elderberry elder\'s; elderbery-x',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(respelled(text, [])).toBe(text);
        expect(respelled(text, [{ word: 'never', read_as: ['ever'], isCapital: false }])).toBe(text);
      }),
    );
  });
});
