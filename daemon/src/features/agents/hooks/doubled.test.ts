import { createFakeClock, type FakeClock } from '@reverie/shared/testing/fake-clock';
import { beforeEach, expect, test } from 'vitest';
import { createDoubled } from './doubled.ts';

let clock: FakeClock;
let isDoubled: ReturnType<typeof createDoubled>;
beforeEach(() => {
  clock = createFakeClock();
  isDoubled = createDoubled(clock);
});

const call = { account: 1, session: 's', event: 'prompt', prompt: 'Fix it', reason: '' } as const;

test('a call of the same content within ten seconds is the same one, counted from the first', () => {
  expect(isDoubled(call)).toBe(false);
  clock.advance(6_000);
  expect(isDoubled(call)).toBe(true);
  // Who says it again after ten seconds means it, however often hooks doubled it in between.
  clock.advance(4_000);
  expect(isDoubled(call)).toBe(false);
  clock.advance(9_999);
  expect(isDoubled(call)).toBe(true);
});

test.each([
  { account: 2 },
  { session: 't' },
  { event: 'end' as const },
  { prompt: 'Fix' },
  { reason: 'clear' },
])('with another %j it is another call', (other) => {
  expect(isDoubled(call)).toBe(false);
  expect(isDoubled({ ...call, ...other })).toBe(false);
});

test('a session that is gone on with at once begins and ends anew, and hooks that are there twice count once', () => {
  const start = { ...call, event: 'start', prompt: '', reason: 'resume' } as const;
  const end = { ...call, event: 'end', prompt: '' } as const;
  for (let run = 0; run < 3; run += 1)
    for (const one of [start, call, end]) {
      expect(isDoubled(one)).toBe(false);
      expect(isDoubled(one)).toBe(true);
      clock.advance(100);
    }
});

test('a thousand calls are remembered at most, the newest', () => {
  for (let n = 0; n < 1_001; n += 1) isDoubled({ ...call, prompt: String(n) });
  expect(isDoubled({ ...call, prompt: '1000' })).toBe(true);
  expect(isDoubled({ ...call, prompt: '0' })).toBe(false);
});
