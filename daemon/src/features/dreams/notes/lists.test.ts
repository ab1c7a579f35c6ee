import { expect, it } from 'vitest';
import { stem } from '../../../language/porter.ts';
import { listed } from '../../../language/word-lists.ts';
import { isDone } from '../coming-up/dues.ts';
import { viewOf } from '../testing/view.ts';
import { readNamespace, tokensOf } from './reading.ts';
import { meaningOf } from './synonyms.ts';

const sentencesIn = (value: string) => {
  const [memory] = readNamespace(viewOf([{ at: '2026-01-01', key: 'a', value }])).memories;
  return memory?.sentences ?? [];
};
const SYNONYMS = listed('dreams/synonyms');
const wordsIn = (row: string) => row.split(/:? /u);

it.each(SYNONYMS)('mean the same, the first before the others, which are sorted: %s', (row) => {
  expect(row).toMatch(/^[\p{Ll}\d]+:(?: [\p{Ll}\d]+)+$/u);
  const [first = '', ...others] = wordsIn(row);
  expect(others).toEqual([...new Set(others)].sort());
  expect(new Set(wordsIn(row).map(meaningOf))).toEqual(new Set([stem(first)]));
});

it('gives no word two meanings', () => {
  const stems = SYNONYMS.flatMap((row) => wordsIn(row).map(stem));
  expect(stems).toEqual([...new Set(stems)]);
});

it.each(listed('dreams/small-words'))('says nothing: %s', (word) => {
  expect(
    tokensOf(`pump ${word}`).flatMap(({ text, shape, says }) => (says && shape === 'word' ? text : [])),
  ).toEqual(['pump']);
});

it.each(listed('dreams/foreign-words'))('tells another language: %s', (word) => {
  expect(sentencesIn(`X ${word} x ${word} x.`)[0]?.foreign).toBe(true);
  expect(sentencesIn(`X ${word}x x ${word}x x.`)[0]?.foreign).toBe(false);
});

it.each(listed('dreams/personal-verbs'))('is done by somebody: %s', (verb) => {
  const shapeOf = (text: string) => sentencesIn(text)[0]?.tokens[0]?.shape;
  expect([shapeOf(`Zxqv ${verb} it.`), shapeOf(`Zxqv ${verb}x it.`)]).toEqual(['name', 'word']);
});

it.each(listed('dreams/before-undone'))('is not done yet: %s paid', (word) => {
  expect([isDone(`It ${word} paid tomorrow`), isDone('It was paid tomorrow')]).toEqual([false, true]);
});
