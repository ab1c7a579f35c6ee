import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DenseIds } from './dense-ids.ts';

/** As chunks have them, and such as meet at one place of the table. */
const anyId = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 40 }))
    .map(([of, n]) => of * 2 ** 31 + n),
  fc.integer({ min: 0, max: 2 ** 20 }).map((n) => n * 2 ** 32),
);

test('it holds what a list holds, each id at the place that is told', () => {
  const change = fc.record({ id: anyId, kind: fc.constantFrom('add', 'add', 'remove') });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
      const ids = new DenseIds();
      const model: number[] = [];
      for (const { id, kind } of changes) {
        const place = model.indexOf(id);
        expect(ids.placeOf(id)).toBe(place);
        if (kind === 'add' && place < 0) {
          expect(ids.add(id)).toBe(model.length);
          model.push(id);
        }
        if (kind === 'remove') {
          expect(ids.remove(id)).toBe(place);
          const last = place < 0 ? undefined : model.pop();
          if (last !== undefined && place < model.length) model[place] = last;
        }
      }
      expect([...ids.all.subarray(0, ids.size)]).toEqual(model);
      for (const [place, id] of model.entries()) expect(ids.placeOf(id)).toBe(place);
    }),
  );
});

test('many take some 20 bytes each, are found, and are gone when it is cleared', () => {
  const ids = new DenseIds();
  const idOf = (n: number) => 5 * 2 ** 31 + 3 * n;
  for (let n = 0; n < 100_000; n++) ids.add(idOf(n));
  expect(ids.bytes).toBeLessThan(100_000 * 25);
  for (let n = 0; n < 100_000; n += 7)
    expect([ids.placeOf(idOf(n)), ids.placeOf(idOf(n) + 1)]).toEqual([n, -1]);
  ids.clear();
  expect([ids.size, ids.placeOf(idOf(7))]).toEqual([0, -1]);
  expect(ids.add(idOf(7))).toBe(0);
});
