import { describe, expect, it } from 'vitest';
import { CHANGE_WORDS, tellsChange } from './change-words.ts';

describe.each(Object.entries(CHANGE_WORDS))('words of change: %s', (_, words) => {
  it.each(words)('"%s" tells a change', (word) => {
    expect(tellsChange(`Etwas ${word} 250.`)).toBe(true);
    expect(tellsChange(`${word.toUpperCase()}: 250`)).toBe(true);
    // A part of another word is none.
    if (!word.includes(' ')) expect(tellsChange(`x${word}x`)).toBe(false);
  });

  it('stand in their order, each once', () => {
    const inOrder = [...new Set(words)].sort((a, b) => a.localeCompare(b));
    expect([...words].sort((a, b) => a.localeCompare(b))).toEqual(inOrder);
    expect(words.filter((word) => word !== word.toLowerCase() || /\s{2}/u.test(word))).toEqual([]);
  });
});

it('a phrase may be broken over two lines', () => {
  expect(tellsChange('We do it that way no\n  longer.')).toBe(true);
});

it.each(['The news is on at eight.', 'She knows it.', 'Sein Neffe wohnt dort.', 'The price is 250 euro.'])(
  '%s tells none',
  (text) => {
    expect(tellsChange(text)).toBe(false);
  },
);
