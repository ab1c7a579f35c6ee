import { describe, expect, it } from 'vitest';
import { happeningsIn } from './happenings.ts';

const kindsOf = (text: string) => [...happeningsIn(text).keys()];

describe('happenings', () => {
  it.each([
    ['a code', 'Import died with ENOSPC.', 'disk full'],
    ['a message', 'write /tmp/x: no space left on device', 'disk full'],
    ['words in another order and form', 'The disk of the runner filled up, it is full.', 'disk full'],
    ['what is denied, however', "The bus didn't come.", 'late train'],
    ['what is denied by nobody', 'Stood there, nobody had the key.', 'locked out'],
    ['a past that has another stem', 'He forgets his bag', 'forgot'],
    ['a letter that came out as another', 'The label reads "Gr?nwald".', 'encoding'],
    ['German', 'Schon wieder Stromausfall.', 'power cut'],
  ])('knows a kind by %s', (_, text, kind) => {
    expect(kindsOf(text)).toContain(kind);
  });

  it('does not join words that stand far from each other', () => {
    expect(
      kindsOf('The disk was bought by somebody whom I met on the train, and he was full of joy.'),
    ).not.toContain('disk full');
    expect(kindsOf('The parcel came.')).not.toContain('no show');
  });

  it.each([
    ['what is denied', 'Nothing leaks any more.', 'leak'],
    ['a word of the same stem', 'Four drops of oil for the hinge.', 'pests'],
    ['a journey', 'A trip to the coast with the choir.', 'power cut'],
    ['a hive', 'The white hive has a young queen.', 'allergy'],
    ['a query of an address', 'See https://ledger.example/list?year=2026 for it.', 'encoding'],
    ['a question', 'Who?nobody knows.', 'no show'],
    ['a course', 'A crash course in Welsh.', 'crash'],
    ['a jab', 'Flu jab done.', 'fever'],
    ['where something hangs', 'The coat hangs behind the door.', 'hangs'],
  ])('does not take for one %s', (_, text, kind) => {
    expect(happeningsIn(text).get(kind)?.isWeak ?? true).toBe(true);
  });

  it('tells what only names a thing from what says that it happened', () => {
    expect(happeningsIn('A new boiler.').get('heating off')?.isWeak).toBe(true);
    expect(happeningsIn('No hot water, the boiler is old.').get('heating off')?.isWeak).toBe(false);
  });
});
