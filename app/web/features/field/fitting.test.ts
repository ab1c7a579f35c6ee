import { describe, expect, test } from 'vitest';
import { beginsAs, fittingEntries, type FieldEntry } from './fitting.ts';

const entry = (label: string, more: Partial<FieldEntry> = {}): FieldEntry => ({
  id: label,
  group: 'Places',
  icon: 'note',
  label,
  run: () => undefined,
  ...more,
});
const entries = [
  entry('Today', { verb: 'Go to' }),
  entry('Webhooks', { verb: 'Go to' }),
  entry('Dark', { words: ['theme'] }),
  entry('API keys'),
  entry('küche', { verb: 'Go to', isQuiet: true }),
];
const labels = (text: string) => fittingEntries(entries, text).map(({ label }) => label);

describe('the entries of the field', () => {
  test('stand there in their order while nothing is written, without those that are looked for by name', () => {
    expect(labels('')).toEqual(['Today', 'Webhooks', 'Dark', 'API keys']);
  });

  test('are found by the beginnings of words, in any order and by other words for them, and by nothing else', () => {
    expect(labels('webh')).toEqual(['Webhooks']);
    expect(labels('keys api')).toEqual(['API keys']);
    expect(labels('theme')).toEqual(['Dark']);
    expect(labels('Küch')).toEqual(['küche']);
    expect(labels('go to kuche')).toEqual(['küche']);
    expect(labels('hooks')).toEqual([]);
    expect(labels('zzz')).toEqual([]);
  });

  test('that are called so stand first', () => {
    const two = [entry('Show the keys'), entry('Keys of programs')];
    expect(fittingEntries(two, 'key').map(({ label }) => label)).toEqual([
      'Keys of programs',
      'Show the keys',
    ]);
    expect(two.map((one) => beginsAs(one, 'key'))).toEqual([false, true]);
  });
});
