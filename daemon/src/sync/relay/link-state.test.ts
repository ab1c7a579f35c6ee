import { expect, test } from 'vitest';
import { type LinkEvent, type LinkState, LONGEST_WAIT, next } from './link-state.ts';

const at = (now: number, random = 0.5) => ({ now, random });
const closed = (code: Extract<LinkEvent, { type: 'closed' }>['code'], retryAfterMs = 0): LinkEvent => ({
  type: 'closed',
  code,
  detail: 'why',
  retryAfterMs,
});

/** The waits of a relay that never answers. */
function waits(random: number, times: number): number[] {
  let state: LinkState = { kind: 'connecting', attempt: 0 };
  return Array.from({ length: times }, () => {
    const waiting = next(state, closed('unreachable'), at(1000, random));
    if (waiting.kind !== 'waiting') throw new Error(`it is ${waiting.kind}`);
    state = next(waiting, { type: 'retried' }, at(waiting.retryAt));
    return waiting.retryAt - 1000;
  });
}

test('the bound of the wait doubles up to a minute, and the wait is anywhere below it', () => {
  expect(waits(1, 9)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  expect(waits(0, 9)).toEqual(Array.from({ length: 9 }, () => 50));
  expect(Math.max(...waits(0.9999, 2000))).toBeLessThanOrEqual(LONGEST_WAIT);
});

test('a connection that was open begins with short waits again', () => {
  let state: LinkState = { kind: 'connecting', attempt: 7 };
  state = next(state, { type: 'opened' }, at(5));
  expect(state).toEqual({ kind: 'open', since: 5 });
  expect(next(state, closed('later'), at(6, 1))).toMatchObject({ kind: 'waiting', attempt: 1, retryAt: 506 });
});

test('while it tries again it still says what failed, until it is open', () => {
  const waiting = next({ kind: 'connecting', attempt: 0 }, closed('unreachable'), at(1));
  const trying = next(waiting, { type: 'retried' }, at(2));
  expect(trying).toMatchObject({
    kind: 'connecting',
    failure: { code: 'unreachable', detail: 'why', at: 1 },
  });
  expect(next(trying, { type: 'opened' }, at(3))).not.toHaveProperty('failure');
});

test('it waits at least as long as the relay asks for, and never more than a minute', () => {
  const open: LinkState = { kind: 'open', since: 0 };
  expect(next(open, closed('rate_limited', 20_000), at(0))).toMatchObject({ retryAt: 20_000 });
  expect(next(open, closed('later', 9_000_000), at(0))).toMatchObject({ retryAt: LONGEST_WAIT });
});

test.each(['revoked', 'gone', 'version'] as const)('after %s only a person starts it again', (code) => {
  const stopped = next({ kind: 'open', since: 0 }, closed(code), at(9));
  expect(stopped).toEqual({ kind: 'stopped', failure: { code, detail: 'why', at: 9 } });
  expect(next(stopped, { type: 'opened' }, at(10))).toBe(stopped);
  expect(next(stopped, { type: 'retried' }, at(10))).toEqual({ kind: 'connecting', attempt: 0 });
});

test('after a refusal of which the relay says when to come again, it comes again', () => {
  const open: LinkState = { kind: 'open', since: 0 };
  expect(next(open, closed('forbidden', 60_000), at(0))).toMatchObject({ kind: 'waiting', retryAt: 60_000 });
  expect(next(open, closed('forbidden'), at(0))).toMatchObject({ kind: 'stopped' });
});

test('pausing and unlinking win over what a socket says afterwards', () => {
  const paused = next({ kind: 'open', since: 0 }, { type: 'paused' }, at(1));
  expect(next(paused, closed('silent'), at(2))).toBe(paused);
  expect(next(paused, { type: 'opened' }, at(2))).toBe(paused);
  expect(next(paused, { type: 'resumed' }, at(3))).toEqual({ kind: 'connecting', attempt: 0 });
  const dormant = next(paused, { type: 'unlinked' }, at(4));
  for (const event of [
    closed('later'),
    { type: 'retried' },
    { type: 'paused' },
    { type: 'resumed' },
  ] as const)
    expect(next(dormant, event, at(5))).toBe(dormant);
});
