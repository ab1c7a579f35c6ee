import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLASSES, classOf } from '../notes/word-classes.ts';
import { viewOf } from '../testing/view.ts';
import { readingOf } from '../notes/reading.ts';
import { isPassing, LISTS, tellsChange } from './claims.ts';

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1);
const sentenceOf = (value: string) => {
  const [memory] = readingOf(viewOf([{ at: '2026-01-01', key: 'a', value }])).memories;
  const [sentence] = memory?.sentences ?? [];
  if (!sentence) throw new Error('the text has a sentence');
  return sentence;
};
const CHANGES = linesOf(LISTS.changes);
const PASSING = linesOf(LISTS.passing);
const MEMBERS = linesOf(CLASSES).map((line) => {
  const [name = '', words = ''] = line.split(': ');
  return [name, words] as const;
});
const LISTED: readonly (readonly [string, readonly string[]])[] = [
  ['told-changes.txt', CHANGES],
  ['passing.txt', PASSING],
  ['classes.txt', MEMBERS.map(([name]) => name)],
  ...MEMBERS.map(([name, words]) => [name, words.split(' ')] as const),
];

describe.each(LISTED)('%s', (_, lines) => {
  it('is sorted, and has each once', () => {
    expect(lines).toEqual([...new Set(lines)].sort());
  });
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
