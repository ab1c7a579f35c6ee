import { expect, it } from 'vitest';
import { listed } from '../../../language/word-lists.ts';
import { knownNames } from '../notes/known-names.ts';
import { readNamespace } from '../notes/reading.ts';
import { viewOf } from '../testing/view.ts';
import { codesIn } from './codes.ts';
import { mentionsOf } from './mentions.ts';
import { germanWordsIn, romanceWordsIn } from './other-languages.ts';

const mentionsIn = (value: string) => {
  const [memory] = readNamespace(viewOf([{ at: '2026-01-01', key: 'a', value }])).memories;
  if (!memory) throw new Error('there is a memory');
  return mentionsOf(memory, knownNames());
};
const idsIn = (text: string) => codesIn(text).map(({ id }) => id);

it('reads a code that nobody else has', () => {
  expect(idsIn('The lamp is a QX-4471.')).toEqual(['qx4471']);
});

it.each([
  ...listed('dreams/everybodys-codes').map((row) => row.replace('*', '12').replaceAll('#', '7')),
  ...listed('dreams/everybodys-errors'),
  ...listed('dreams/exceptions').map((row) => `${row}Exception`),
  ...listed('dreams/measure-units').map((row) => `4711.5${row}`),
  ...listed('dreams/file-words').map((row) => `${row}.v2_A1`),
])('everybody has: %s', (code) => {
  expect(idsIn(`It says ${code} there.`)).toEqual([]);
});

it.each(listed('dreams/everybodys-names'))('many have heard: %s', (name) => {
  expect(knownNames().isKnown(name)).toBe(true);
});

it.each(listed('dreams/medicine-endings'))('is a medicine: -%s', (ending) => {
  const { isKnown } = knownNames();
  expect([isKnown(`zxqv${ending}`), isKnown(`zxqv${ending}s`), isKnown('zxqv')]).toEqual([true, true, false]);
});

it.each(listed('dreams/titles'))('a name behind a title is marked: %s', (title) => {
  const capital = `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
  const marked = (text: string) => mentionsIn(text).find(({ id }) => id === 'zxqvari')?.isMarked;
  expect([marked(`We met ${capital} Zxqvari.`), marked('We met Zxqvari.')]).toEqual([true, false]);
});

it.each(listed('dreams/street-words'))('a street or the like is known to everybody: %s', (word) => {
  const capital = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const [one] = mentionsIn(`We met in Zxqvari ${capital}.`).filter(({ id }) => id === 'zxqvari');
  expect(one?.kind).toBe('known');
});

it.each(listed('dreams/joined-endings'))('joined words are no name: -%s', (ending) => {
  expect(mentionsIn(`We met a husky-${ending} thing.`).filter(({ text }) => text.includes('-'))).toEqual([]);
});

it.each([
  ...listed('dreams/before-programs').map((words) => `We ${words} zxqvari, it was good.`),
  ...listed('dreams/after-programs').map((word) => `We think zxqvari ${word} good.`),
])('a word in small letters is a program: %s', (text) => {
  expect(mentionsIn(text).find(({ text }) => text === 'zxqvari')?.isMarked).toBe(true);
});

it('a word in small letters without such words is none', () => {
  expect(mentionsIn('We think zxqvari good.').find(({ text }) => text === 'zxqvari')?.isMarked).toBe(false);
});

it.each(listed('dreams/after-bare-names'))('a joined name ends there: %s', (word) => {
  const isUnsure = (text: string) => mentionsIn(text).find(({ id }) => id === 'huskylint')?.isUnsure;
  expect([isUnsure(`We met husky-lint ${word} went.`), isUnsure('We met husky-lint people.')]).toEqual([
    false,
    true,
  ]);
});

it.each(listed('dreams/german-words'))('is German: %s', (word) => {
  expect([germanWordsIn(`x ${word} x`), germanWordsIn(`x ${word}x x`)]).toEqual([1, 0]);
});

it.each(listed('dreams/romance-words'))('is of a Romance language: %s', (word) => {
  expect(romanceWordsIn(`x ${word} x`)).toBe(1);
});

it.each([
  ['l’eau', 1],
  ["j'ai déjà", 2],
  ["it's", 0],
])('counts what is written with an apostrophe or an accent: %s', (text, count) => {
  expect(romanceWordsIn(text)).toBe(count);
});
