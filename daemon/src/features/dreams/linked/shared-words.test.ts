import { expect, it } from 'vitest';
import { viewOf } from '../testing/view.ts';
import { readNamespace } from '../notes/reading.ts';
import { sharedWords } from './shared-words.ts';

const words = (one: string, other: string, ...more: readonly string[]) =>
  sharedWords(
    readNamespace(
      viewOf([
        { at: '2026-03-01', key: 'a', value: one },
        { at: '2026-08-01', key: 'b', value: other },
        ...more.map((value, at) => ({ at: '2026-09-01', key: `c${at}`, value })),
      ]),
    ),
  ).map(({ written, sentences }) => [written, ...sentences]);

it.each([
  {
    word: 'Strépy',
    one: 'He drew the boat lift at Strépy.',
    other: 'Joris is a guide at Strepy on weekends.',
  },
  {
    word: 'Kolibri',
    one: 'Broke the tip of my Kolibri iron.',
    other: 'She sells a kolibri with three tips.',
  },
  {
    word: 'Gorse',
    one: "Bought it at Gorse's yard in May.",
    other: 'We met old Gorse, who told of it gladly.',
  },
])('names $word: whatever dictionaries say, however it is written', ({ word, one, other }) => {
  expect(words(one, other).map(([written]) => written)).toContain(word);
});

it('gives the sentences in which it stands', () => {
  expect(words('It rained. He drew the lift at Strépy.', 'Nothing new. Joris guides at Strépy.')).toEqual([
    ['Strépy', 'He drew the lift at Strépy.', 'Joris guides at Strépy.'],
  ]);
});

it.each([
  {
    why: 'that a third memory has, too',
    of: ['The lift at Strépy.', 'A guide at Strépy.', 'Wrote to Strépy.'],
  },
  { why: 'whose capital is owed to its place', of: ['Weather was fine.', '"Weather again!"'] },
  { why: 'that nobody writes with a capital', of: ['A box of brackets.', 'Two brackets more.'] },
])('names no word $why', ({ of: [one = '', other = '', ...more] }) => {
  expect(words(one, other, ...more)).toEqual([]);
});

it('is silent on memories of one conversation, and not on those of one day', () => {
  const notes = [
    { at: '2026-03-01', key: 'a', value: 'The lift at Strépy.' },
    { at: '2026-03-01', key: 'b', value: 'A guide at Strépy.' },
  ];
  expect(sharedWords(readNamespace(viewOf(notes.map((one) => ({ ...one, session: 's' })))))).toEqual([]);
  expect(sharedWords(readNamespace(viewOf(notes)))).toHaveLength(1);
});
