import { expect, it } from 'vitest';
import { grammarWords } from '../../../language/grammar.ts';
import { listed } from '../../../language/word-lists.ts';
import { classOf } from '../notes/word-classes.ts';
import { viewOf } from '../testing/view.ts';
import { readNamespace } from '../notes/reading.ts';
import { isClaim, isPassing, tellsChange } from './claims.ts';

const sentenceOf = (value: string) => {
  const [memory] = readNamespace(viewOf([{ at: '2026-01-01', key: 'a', value }])).memories;
  const [sentence] = memory?.sentences ?? [];
  if (!sentence) throw new Error('the text has a sentence');
  return sentence;
};
const CHANGES = listed('dreams/told-changes');
const PASSING = listed('dreams/passing');
const MEMBERS = listed('dreams/classes').map((line) => {
  const [name = '', words = ''] = line.split(': ');
  return [name, words] as const;
});
it.each(CHANGES)('tells a change: %s', (words) => {
  expect(tellsChange(sentenceOf(`The pump ${words} stands there.`))).toBe(true);
});

it.each(PASSING)('passes: %s', (words) => {
  expect(isPassing(sentenceOf(`The pump ${words} 4 there.`))).toBe(true);
});

it.each(MEMBERS)('of one class: %s', (name, words) => {
  const of = words.split(' ').map((word) => classOf(word));
  expect(new Set(of)).toEqual(new Set([name]));
});

it.each(['From May on the pump stands there.', 'Our new pump stands there.', 'Neue Pumpe steht da.'])(
  'tells a change without such a word: %s',
  (text) => {
    expect(tellsChange(sentenceOf(text))).toBe(true);
  },
);

it.each([
  ...(['supposed', 'planned', 'used-to', 'opinion'] as const).flatMap(grammarWords),
  'from May',
  'until 2019',
  'e.g.',
  'idea: it',
])('is no plain claim: %s', (words) => {
  expect([
    isClaim(sentenceOf(`The pump ${words} stands there.`)),
    isClaim(sentenceOf('The pump stands there.')),
  ]).toEqual([false, true]);
});
