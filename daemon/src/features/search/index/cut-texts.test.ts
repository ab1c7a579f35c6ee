import { expect, test } from 'vitest';
import { loadStaticTable } from '../../../models/static-table.ts';
import { createCutTexts, type CutTexts } from './cut-texts.ts';
import type { CutText } from '../query/known-words.ts';
import { createMeanings } from '../query/meanings.ts';

const { texts: ofMeanings, words } = createMeanings(loadStaticTable);

/** What a text would be cut into now, in arrays of its own. */
function plain({ from, count, keys, rows, kinds }: CutText) {
  const to = from + count;
  return { keys: keys.slice(from, to), rows: rows.slice(from, to), kinds: kinds.slice(from, to) };
}

/** Texts of a number of words, and which of them were fetched. */
function library(texts: CutTexts, bodyOf: (id: number) => string) {
  const fetched: number[] = [];
  return {
    fetched,
    read: (...ids: number[]) =>
      texts.of(ids, (missing) => {
        fetched.push(...missing);
        return new Map(missing.map((id) => [id, bodyOf(id)]));
      }),
  };
}

test('a text is fetched once, and read as it was cut', () => {
  const bodies = ['', 'The kettle whistles at noon.', 'Bruno lives in Porto.'];
  const { read, fetched } = library(ofMeanings, (id) => bodies[id] ?? '');
  const first = read(1, 2);
  const again = read(2, 1);
  expect(fetched).toEqual([1, 2]);
  for (const id of [1, 2]) {
    const cut = plain(words.cut(bodies[id] ?? ''));
    expect(cut.keys.length).toBeGreaterThan(3);
    for (const found of [first, again]) expect(plain(found.get(id) as CutText)).toEqual(cut);
  }
});

test('of many texts those stay that were read last, and one question reads all of its own, however long', () => {
  const bodyOf = (id: number) => `kettle ${'bread '.repeat(id % 7)}number${id} porto`;
  const { read, fetched } = library(
    createCutTexts(() => words, 100),
    bodyOf,
  );
  const isRight = (ids: readonly number[]) => {
    const found = read(...ids);
    for (const id of ids) expect(plain(found.get(id) as CutText)).toEqual(plain(words.cut(bodyOf(id))));
  };
  isRight([1, 2]);
  isRight([3, 1]);
  expect(fetched).toEqual([1, 2, 3]);
  for (let id = 10; id < 40; id++) isRight([id, 1]);
  // One that is read again and again stays; another that was not is gone.
  expect(fetched.filter((id) => id === 1)).toHaveLength(1);
  isRight([2]);
  expect(fetched.filter((id) => id === 2)).toHaveLength(2);
  // Questions of all sizes, to more than there is room for, met in all states of the halves.
  for (let size = 1; size < 60; size++)
    isRight(Array.from({ length: size }, (_, at) => (at * 7 + size) % 64));
  isRight([600]);
});

test('what is removed is forgotten: a chunk, or all of a namespace, and nothing of it is left', () => {
  const inSecond = 2 * 2 ** 31 + 5;
  const texts = createCutTexts(() => words);
  const { read, fetched } = library(texts, () => 'some words');
  const found = read(7, inSecond);
  const of7 = found.get(7) as CutText;
  texts.forget(7);
  expect(plain(of7).keys.every((key) => key === 0)).toBe(true);
  expect(plain(found.get(inSecond) as CutText).keys.every((key) => key !== 0)).toBe(true);
  fetched.length = 0;
  read(7, inSecond);
  expect(fetched).toEqual([7]);
  texts.forgetNamespace(2);
  read(7, inSecond);
  expect(fetched).toEqual([7, inSecond]);
});
