import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateWindow } from './rate-window.ts';

test('property: within any second no more go than allowed, and who waits as told may go', () => {
  const steps = fc.array(fc.nat({ max: 700 }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), steps, (rate, pauses) => {
      const window = createRateWindow(() => rate);
      const gone: number[] = [];
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        const wait = window.wait(now);
        expect(wait === 0).toBe(window.room(now) > 0);
        now += wait;
        expect(window.wait(now)).toBe(0);
        window.count(now);
        gone.push(now);
      }
      for (const from of gone)
        expect(gone.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(rate);
    }),
  );
});

test('a clock that is set back holds nothing up', () => {
  const window = createRateWindow(() => 1);
  window.count(1_000_000);
  expect(window.wait(5000)).toBe(0);
});
