import { expect, test } from 'vitest';
import { loadStaticTable } from '../../models/static-table.ts';
import { createMeanings } from './meanings.ts';

const meanings = () => createMeanings(loadStaticTable());

test('a text is fetched once, and read as it was cut', () => {
  const { texts, words } = meanings();
  const asked: number[][] = [];
  const bodies = new Map([
    [1, 'The kettle whistles at noon.'],
    [2, 'Bruno lives in Porto.'],
  ]);
  const fetch = (ids: readonly number[]) => {
    asked.push([...ids]);
    return new Map(ids.map((id) => [id, bodies.get(id) ?? '']));
  };
  const first = texts.of([1, 2], fetch);
  const again = texts.of([2, 1], fetch);
  expect(asked).toEqual([[1, 2]]);
  expect(again.get(2)).toBe(first.get(2));
  const { count, keys, kinds } = words.cut('Bruno lives in Porto.');
  expect(first.get(2)).toMatchObject({ count, keys: keys.slice(0, count), kinds: kinds.slice(0, count) });
});

test('what is removed is forgotten: a chunk, or all of a namespace', () => {
  const { texts } = meanings();
  const inSecond = 2 * 2 ** 31 + 5;
  let fetched: number[] = [];
  const fetch = (ids: readonly number[]) => {
    fetched = [...ids];
    return new Map(ids.map((id) => [id, 'some words']));
  };
  texts.of([7, inSecond], fetch);
  texts.forget(7);
  texts.of([7, inSecond], fetch);
  expect(fetched).toEqual([7]);
  texts.forgetNamespace(2);
  texts.of([7, inSecond], fetch);
  expect(fetched).toEqual([inSecond]);
});
