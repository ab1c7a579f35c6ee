import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { type PlacedNote, planSheets, type PlannedSheet } from './sheets.ts';

const note = (id: number, more: Partial<PlacedNote> = {}): PlacedNote => ({
  id,
  time: id,
  length: 100,
  lacksFirst: true,
  lacksSecond: true,
  ...more,
});
const read = { lacksFirst: false, lacksSecond: false };
const notes = (count: number, more: (id: number) => Partial<PlacedNote> = () => ({})) =>
  Array.from({ length: count }, (_, at) => note(at + 1, more(at + 1)));

/** Notes are near where their numbers have one remainder. */
const nearBy =
  (remainder: number, among: readonly PlacedNote[]) =>
  (id: number): { id: number; nearness: number }[] =>
    among.flatMap((other) =>
      other.id !== id && other.id % remainder === id % remainder ? [{ id: other.id, nearness: 1 }] : [],
    );
const plan = (all: readonly PlacedNote[], room: number, remainder = 4): PlannedSheet[] =>
  planSheets({ notes: all, nearOf: nearBy(remainder, all), room, isStopped: () => false });

test('what fits on one sheet is one, with what was read before', () => {
  expect(
    plan(
      notes(5, (id) => (id < 3 ? read : {})),
      500,
    ),
  ).toEqual([{ ids: [1, 2, 3, 4, 5], turn: 'only' }]);
});

test('nothing is to be read where all was', () => {
  expect(
    plan(
      notes(500, () => read),
      300,
    ),
  ).toEqual([]);
});

test('of a larger store near notes share a sheet, and each stands on two', () => {
  const sheets = plan(notes(40), 1000);
  const first = sheets.filter(({ turn }) => turn === 'first');
  expect(first.map(({ ids }) => new Set(ids.map((id) => id % 4)).size)).toEqual([1, 1, 1, 1]);
  const times = Map.groupBy(
    sheets.flatMap(({ ids }) => ids),
    (id) => id,
  );
  expect([...times.values()].map(({ length }) => length)).toEqual(Array(40).fill(2));
});

test('a few new notes come with what was read and is near, on one sheet', () => {
  const all = notes(200, (id) => (id > 197 ? {} : read));
  const [sheet, ...more] = plan(all, 2000);
  expect([sheet?.turn, more]).toEqual(['only', []]);
  expect(sheet?.ids).toEqual(expect.arrayContaining([198, 199, 200]));
  expect(sheet?.ids.every((id) => id % 4 !== 1)).toBe(true);
  expect(sheet?.ids.length).toBeGreaterThan(10);
});

test('what an interrupted reading left is laid out as before, without what it read', () => {
  const all = notes(40);
  const before = plan(all, 1000);
  const done = new Set(before[0]?.ids);
  const after = plan(
    all.map((one) => (done.has(one.id) ? { ...one, lacksFirst: false } : one)),
    1000,
  );
  expect(after).toEqual(before.slice(1));
});

test('a note that is longer than a sheet stands alone', () => {
  const sheets = plan([note(1), note(2, { length: 5000 }), note(3)], 1000, 1);
  expect(sheets.filter(({ ids }) => ids.includes(2)).every(({ ids }) => ids.length === 1)).toBe(true);
});

test('every unread note stands on a sheet, no sheet is too large, and none has a note twice', () => {
  const some = fc.array(
    fc.record({
      length: fc.integer({ min: 1, max: 400 }),
      lacksFirst: fc.boolean(),
      lacksSecond: fc.boolean(),
    }),
    { minLength: 1, maxLength: 80 },
  );
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 7 }), (given, remainder) => {
      const all = given.map((one, at) => note(at + 1, one));
      const sheets = plan(all, 500, remainder);
      const standing = (turn: string) =>
        new Set(sheets.flatMap((one) => (one.turn === turn || one.turn === 'only' ? one.ids : [])));
      for (const { id, lacksFirst, lacksSecond } of all) {
        expect([id, !lacksFirst || standing('first').has(id)]).toEqual([id, true]);
        expect([id, !lacksSecond || standing('second').has(id)]).toEqual([id, true]);
      }
      for (const { ids } of sheets) {
        expect(new Set(ids).size).toBe(ids.length);
        const size = ids.reduce((sum, id) => sum + (all[id - 1]?.length ?? 0), 0);
        expect(size <= 500 || ids.length === 1).toBe(true);
      }
    }),
    { numRuns: runs(50, 1000) },
  );
});
