import { describe, expect, test } from 'vitest';
import { fittingEntries, type FieldEntry } from './fitting.ts';

const entry = (label: string, words: readonly string[] = []): FieldEntry => ({
  id: label,
  group: 'Go to',
  icon: 'note',
  label,
  words,
  run: () => undefined,
});
const entries = [entry('Today'), entry('Webhooks'), entry('Dark', ['theme']), entry('API keys')];
const labels = (text: string) => fittingEntries(entries, text).map(({ label }) => label);

describe('the entries of the field', () => {
  test('all of them stand there in their order while nothing is written', () => {
    expect(labels('')).toEqual(['Today', 'Webhooks', 'Dark', 'API keys']);
  });

  test('the beginning of a word finds them, other words for them too, nonsense none', () => {
    expect(labels('webh')[0]).toBe('Webhooks');
    expect(labels('theme')[0]).toBe('Dark');
    expect(labels('zzz')).toEqual([]);
  });
});
