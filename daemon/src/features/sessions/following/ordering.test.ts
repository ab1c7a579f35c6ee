import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogRecord } from '@reverie/session-logs/format';
import { createOrdering } from './ordering.ts';

const NOW = Date.UTC(2026, 10, 28);

function record(session: string, item: string, at: number): LogRecord {
  const entry = { item, at, kind: 'prompt', text: item, byPerson: true } as const;
  return { type: 'user', known: true, reads: [{ session, kind: 'entry', entry }] };
}
const entryOf = ({ reads: [read] }: LogRecord) => {
  if (read?.kind !== 'entry') throw new Error('no entry');
  return read.entry;
};

test('whatever a clock says, times can be, and the order is that of the log', () => {
  const time = fc.oneof(
    fc.integer({ min: NOW - 10_000, max: NOW + 10_000 }),
    fc.constantFrom(
      0,
      -1,
      7,
      8.64e15,
      NOW + 599_000,
      NOW + 601_000,
      Date.UTC(1999, 11, 31),
      Date.UTC(2198, 0),
    ),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a', 'b'), time), { maxLength: 30 }),
      time,
      (given, born) => {
        const ordering = createOrdering({ born, now: () => NOW, isDatabase: false });
        const latest = new Map<string, number>();
        for (const [n, [session, at]] of given.entries()) {
          const entry = entryOf(ordering.apply(record(session, `i${n}`, at)));
          expect(entry.at).toBeGreaterThanOrEqual(Date.UTC(2000, 0));
          expect(entry.at).toBeLessThanOrEqual(NOW + 600_000);
          expect(entry.orderedAt).toBeGreaterThanOrEqual(latest.get(session) ?? 0);
          latest.set(session, entry.orderedAt ?? 0);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test('an entry that comes again stays where it stood', () => {
  const ordering = createOrdering({ born: NOW, now: () => NOW, isDatabase: false });
  const placed = (item: string, at: number) => entryOf(ordering.apply(record('s', item, at))).orderedAt;
  expect([placed('a', NOW - 9), placed('b', NOW - 5), placed('a', NOW - 1)]).toEqual([
    NOW - 9,
    NOW - 5,
    NOW - 9,
  ]);
});
