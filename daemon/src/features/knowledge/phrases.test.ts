import { beforeAll, expect, test } from 'vitest';
import { loadFindDates } from '../../language/dates.ts';
import { loadTagWords } from '../../language/parts-of-speech.ts';
import { isThing, type PhraseReader } from './phrases.ts';

let reader: PhraseReader;
beforeAll(async () => {
  const [tagWords, findDates] = await Promise.all([loadTagWords(), loadFindDates()]);
  reader = { tagWords, findDates, now: 0 };
});

test.each(['the staging database', 'Hetzner CX22', 'head of engineering', 'payments-api', 'signing key'])(
  '%s is a thing',
  (text) => expect(isThing(reader, text)).toBe(true),
);

test.each(['', 'the', 'runs quickly', 'it', 'bread, milk', 'A1 B2 C3 D4 E5 F6'])('“%s” is none', (text) =>
  expect(isThing(reader, text)).toBe(false),
);

test('a name may be as long as is asked', () => {
  expect(isThing(reader, 'A1 B2 C3', 3)).toBe(true);
  expect(isThing(reader, 'A1 B2 C3', 2)).toBe(false);
});
