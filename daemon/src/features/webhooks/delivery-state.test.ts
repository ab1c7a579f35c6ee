import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DeliveryEvent,
  type DeliveryState,
  type ReceiverHealth,
  healthAfterFailure,
  isGivenUp,
  newDelivery,
  nextState,
  RETRIES,
  retryWait,
} from './delivery-state.ts';

const policy = { minMs: 60_000, maxMs: 3_600_000 };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const random = fc.double({ min: 0, max: 1, noNaN: true });
const event: fc.Arbitrary<DeliveryEvent> = fc.oneof(
  fc.record({ kind: fc.constant('succeeded' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('hopeless' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('cancelled' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('replayed' as const) }),
  fc.record({
    kind: fc.constant('failed' as const),
    at: fc.nat(),
    retryAfterMs: fc.option(fc.nat({ max: 10 * HOUR })),
    random,
  }),
);
const failed = (at: number, retryAfterMs: number | null = null): DeliveryEvent => ({
  kind: 'failed',
  at,
  retryAfterMs,
  random: 0.5,
});

function run(events: readonly DeliveryEvent[]): DeliveryState[] {
  const states = [newDelivery];
  for (const one of events) states.push(nextState(policy, states.at(-1) ?? newDelivery, one));
  return states;
}

describe('a delivery', () => {
  test('is tried six times in all, at waits of equal ratios from a minute to an hour', () => {
    const states = run(Array.from({ length: 6 }, () => failed(0)));
    expect(states.slice(1, 6).map((state) => state.kind === 'pending' && state.dueAt)).toEqual([
      60_000,
      166_989,
      464_758,
      1_293_495,
      HOUR,
    ]);
    expect(states[6]).toEqual({ kind: 'dead', tries: 6, endedAt: 0 });
  });

  test('waits as long as the receiver asks, at least its own wait and at most the longest', () => {
    const [, long] = run([failed(1000, 120_000)]);
    const [, short] = run([failed(1000, 5)]);
    const [, endless] = run([failed(1000, 99 * HOUR)]);
    expect([long, short, endless].map((state) => state?.kind === 'pending' && state.dueAt)).toEqual([
      121_000,
      61_000,
      1000 + HOUR,
    ]);
  });

  test('property: it ends after at most six tries, and only a replay begins it anew', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const states = run(events);
        for (const [at, given] of events.entries()) {
          const [before, after] = [states[at], states[at + 1]];
          if (!before || !after) throw new Error('a state is missing');
          expect(after.tries).toBeLessThanOrEqual(RETRIES + 1);
          if (before.kind !== 'pending' && given.kind !== 'replayed') expect(after).toBe(before);
          if (given.kind === 'replayed') expect(after.kind).toBe('pending');
          if (given.kind === 'replayed' && before.kind !== 'pending') expect(after).toEqual(newDelivery);
          if (before.kind === 'pending' && given.kind === 'failed')
            expect(after.kind).toBe(before.tries < RETRIES ? 'pending' : 'dead');
          if (before.kind === 'pending' && given.kind === 'succeeded') expect(after.kind).toBe('delivered');
        }
      }),
    );
  });

  test('property: waits stay within 10 % of their schedule, whatever the two ends are', () => {
    const ends = fc.tuple(fc.integer({ min: 10, max: 1e6 }), fc.integer({ min: 0, max: 1e8 }));
    fc.assert(
      fc.property(ends, fc.integer({ min: 1, max: RETRIES }), random, ([minMs, more], retry, luck) => {
        const both = { minMs, maxMs: minMs + more };
        const exact = minMs * (both.maxMs / minMs) ** ((retry - 1) / (RETRIES - 1));
        const wait = retryWait(both, retry, luck);
        expect(wait).toBeGreaterThanOrEqual(Math.floor(exact * 0.9));
        expect(wait).toBeLessThanOrEqual(Math.ceil(exact * 1.1));
      }),
    );
  });
});

describe('the health of a receiver', () => {
  const well: ReceiverHealth = { failingSince: null, lastFailureAt: null };

  test('is given up after five days of failures that follow each other within a day', () => {
    let health = well;
    for (let at = 0; at <= 5 * DAY; at += 12 * HOUR) {
      expect(isGivenUp(health)).toBe(false);
      health = healthAfterFailure(health, at);
    }
    expect(isGivenUp(health)).toBe(true);
  });

  test('two failures a week apart are not a week of failures', () => {
    const health = healthAfterFailure(healthAfterFailure(well, 0), 7 * DAY);
    expect(health).toEqual({ failingSince: 7 * DAY, lastFailureAt: 7 * DAY });
    expect(isGivenUp(health)).toBe(false);
  });
});
