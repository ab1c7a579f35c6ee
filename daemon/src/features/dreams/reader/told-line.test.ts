import { expect, test } from 'vitest';
import { toldLine } from './told-line.ts';

const said = [
  {
    key: 'home/plumber',
    value: 'Zdeněk Horák fixed the drain at 14:30, took 90 euro in cash and gave no receipt.',
    time: Date.parse('2026-03-03T10:00:00Z'),
  },
  {
    key: 'inbox/letter',
    value: 'Claim of 131.40 euro for Z. Horák, invoice 2281, not paid.',
    time: Date.parse('2026-08-20T10:00:00Z'),
  },
].map((memory) => ({ memory, words: memory.value }));

test.each([
  'The letter claims what Horák was paid in cash: 90 euro.',
  'Horák: paid in cash on 3 March 2026, claimed again. The letter says invoice 2281.',
  'No receipt for the drain; the claim is 131.40 euro.',
])('%s', async (line) => {
  expect(await toldLine(` ${line}\n`, said)).toBe(line);
});

test.each([
  ['a figure of its own', 'The letter claims 221.40 euro of Horák in all.'],
  ['a figure that is part of another one', 'The letter claims 31.40 euro, Horák took 90 euro in cash.'],
  ['another time', 'Horák fixed the drain at 4:30, took cash.'],
  ['a number in words', 'Horák took the cash nine times.'],
  ['a day of its own', 'Horák: paid in cash on 4 March 2026.'],
  ['a name of its own', 'The plumber Novak took 90 euro in cash.'],
  ['a name of its own that is a word, too', 'The plumber Frank took 90 euro in cash.'],
  ['nothing', '…'],
])('not %s', async (_, line) => {
  expect(await toldLine(line, said)).toBeUndefined();
});

test('what is denied has to be denied there', async () => {
  const words = 'The cat gets tablets in the morning.';
  const cat = [{ memory: { key: 'cat', value: words, time: 0 }, words }];
  expect(await toldLine('The cat gets tablets.', cat)).toBeDefined();
  expect(await toldLine('The cat gets no tablets.', cat)).toBeUndefined();
});

test('what was worked out from them may be said', async () => {
  expect(await toldLine('Due on 4 December 2026.', said)).toBeUndefined();
  expect(await toldLine('Due on 4 December 2026.', said, ['4 December 2026'])).toBeDefined();
});

test('what a memory says beyond the words that are quoted bears out nothing', async () => {
  const part = said.map((one) => ({ ...one, words: 'Horák' }));
  expect(await toldLine('Horák took 90 euro in cash.', part)).toBeUndefined();
  expect(await toldLine('Horák took 90 euro in cash.', said)).toBeDefined();
  expect(await toldLine('Horák took cash.', [])).toBeUndefined();
});
