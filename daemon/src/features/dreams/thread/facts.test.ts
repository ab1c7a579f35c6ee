import { expect, test } from 'vitest';
import { withSuperseders } from './facts.ts';
import type { FactRow } from './view.store.ts';

const fact = (memoryId: number, objectNorm: string, more: Partial<FactRow> = {}): FactRow => ({
  memoryId,
  subject: 'Anna',
  subjectNorm: 'anna',
  predicate: 'lives_in',
  said: 'lives in',
  object: objectNorm,
  objectNorm,
  kind: 'name',
  negated: 0,
  functional: 1,
  sentence: `Anna lives in ${objectNorm}.`,
  confidence: 0.9,
  observedAt: memoryId,
  validFrom: memoryId,
  ...more,
});

const endedBy = (...rows: FactRow[]) => withSuperseders(rows, 100).map(({ supersededBy }) => supersededBy);

test.each([
  [
    'the next value ends the one before',
    [fact(1, 'rome'), fact(2, 'oslo'), fact(3, 'bonn')],
    [2, 3, undefined],
  ],
  ['whatever the order of the rows', [fact(3, 'bonn'), fact(1, 'rome')], [undefined, 3]],
  ['the same value said again ends nothing', [fact(1, 'rome'), fact(2, 'rome')], [undefined, undefined]],
  ['a denial ends what it denies', [fact(1, 'rome'), fact(2, 'rome', { negated: 1 })], [2, undefined]],
  ['and not another value', [fact(1, 'rome'), fact(2, 'oslo', { negated: 1 })], [undefined, undefined]],
  [
    'of what there may be several, another one ends nothing',
    [fact(1, 'chess', { functional: 0 }), fact(2, 'tennis', { functional: 0 })],
    [undefined, undefined],
  ],
  [
    'another subject is another matter',
    [fact(1, 'rome'), fact(2, 'oslo', { subjectNorm: 'ben' })],
    [undefined, undefined],
  ],
  [
    'what holds since earlier ends nothing, though said later',
    [fact(2, 'rome'), fact(3, 'oslo', { validFrom: 1 })],
    [undefined, 2],
  ],
  [
    'a change within one memory counts alike',
    [fact(1, 'rome'), fact(1, 'oslo', { validFrom: 2 })],
    [1, undefined],
  ],
  [
    'two values told at once do not end each other',
    [fact(1, 'rome'), fact(1, 'oslo')],
    [undefined, undefined],
  ],
  [
    'what only begins later ends nothing yet',
    [fact(1, 'rome'), fact(2, 'oslo', { validFrom: 101 })],
    [undefined, undefined],
  ],
])('%s', (_, rows, ended) => {
  expect(endedBy(...rows)).toEqual(ended);
});

test('0 and 1 become what they mean', () => {
  expect(withSuperseders([fact(1, 'rome', { negated: 1 })], 100)[0]).toMatchObject({
    negated: true,
    functional: true,
  });
});
