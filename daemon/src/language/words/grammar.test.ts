import { describe, expect, it } from 'vitest';
import { denies, GRAMMAR, grammarWords, pastIn, saidIn, says, tellsPast } from './grammar.ts';

describe.each(GRAMMAR)('the list %s', (list) => {
  const words = grammarWords(list);

  it('is sorted, and has each word once', () => {
    expect(words).toEqual([...new Set(words)].sort());
    expect(words.length).toBeGreaterThan(10);
  });

  it('is found in a text, each row of it, with a capital and behind other words', () => {
    for (const word of words) {
      const text = `So, ${word.charAt(0).toUpperCase()}${word.slice(1)}!`;
      expect([word, says(text, list)]).toEqual([word, true]);
    }
  });
});

it('finds where something is said, the longest of what begins alike', () => {
  const text = 'It is no longer needed, no.';
  expect(saidIn(text, 'denied').map(({ start, end }) => text.slice(start, end))).toEqual(['no longer', 'no']);
});

it.each([
  'The boiler failed.',
  'We were late.',
  'She’d already left.',
  'Der Zug war weg.',
  'Rain again, we stayed in.',
])('%s is told of the past', (text) => {
  expect(tellsPast(text)).toBe(true);
});

it.each([
  'The shop is closed on Mondays.',
  'We need red seed.',
  'It has to be renewed.',
  'Feed the cat.',
  'The boiler fails.',
])('%s is not', (text) => {
  expect(pastIn(text)).toEqual([]);
});

it.each([
  ['The van is not here.', true],
  ["The van isn't here.", true],
  ['Nobody came.', true],
  ['Kein Termin frei.', true],
  ['A note about knots.', false],
])('%s denies: %s', (text, isDenied) => {
  expect(denies(text)).toBe(isDenied);
});
