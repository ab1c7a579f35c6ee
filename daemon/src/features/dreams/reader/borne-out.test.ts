import { expect, test } from 'vitest';
import { isBorneOut } from './borne-out.ts';

const NOTES = `"home/plumber" (3 March 2026)
Zdeněk Horák fixed the drain at 14:30, took 90 euro in cash and gave no receipt.
"inbox/letter" (20 August 2026)
Claim of 131.40 euro for Z. Horák, invoice 2281, not paid.`;

test.each([
  'The letter claims what Horák was paid in cash: 90 euro.',
  'Horák: paid in cash on 3 March 2026, claimed again. The letter says invoice 2281.',
  'No receipt for the drain; the claim is 131.40 euro.',
])('%s', (sentence) => {
  expect(isBorneOut(sentence, NOTES)).toBe(true);
});

test.each([
  ['a figure of its own', 'The letter claims 221.40 euro of Horák in all.'],
  ['a figure that is part of another one', 'The letter claims 31.40 euro, Horák took 90 euro in cash.'],
  ['the end of a time', 'Horák fixed the drain at 4:30, took cash.'],
  ['a number in words', 'Horák took the cash twice, the letter claims it.'],
  ['a name of its own', 'The plumber Novak took 90 euro in cash.'],
  ['a name of its own that is a word, too', 'The plumber Frank took 90 euro in cash.'],
  ['a word that is in no dictionary', 'The letter claims what was paid via qonkpay in cash.'],
  ['other things', 'It would be wise to phone a lawyer and to keep every paper in future.'],
  ['nothing', '…'],
])('not %s', (_, sentence) => {
  expect(isBorneOut(sentence, NOTES)).toBe(false);
});

test('what is denied has to be denied there', () => {
  const notes = 'The cat gets tablets in the morning.';
  expect(isBorneOut('The cat gets tablets.', notes)).toBe(true);
  expect(isBorneOut('The cat gets no tablets.', notes)).toBe(false);
});
