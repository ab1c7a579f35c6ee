import { describe, expect, test } from 'vitest';
import { advance, backOff, type DaemonEffect, type DaemonInput, type DaemonState } from './state.ts';

/** Runs inputs from the beginning; answers the last state and all effects. */
function after(...inputs: DaemonInput[]): { now: DaemonState; effects: DaemonEffect[] } {
  let now: DaemonState = { kind: 'looking', failures: 0 };
  const effects: DaemonEffect[] = [];
  for (const input of inputs) {
    const step = advance(now, input);
    now = step.next;
    effects.push(...step.effects);
  }
  return { now, effects };
}

const found: DaemonInput = { kind: 'found', nonce: 'a', at: 0 };
const kinds = (effects: readonly DaemonEffect[]) => effects.map(({ kind }) => kind);

describe('the daemon', () => {
  test('is used where it runs, and started at once where it does not', () => {
    expect(after(found)).toMatchObject({ now: { kind: 'running', nonce: 'a' } });
    expect(kinds(after(found).effects)).toEqual(['cancel_wait', 'connect']);
    const { now, effects } = after({ kind: 'absent' });
    expect([now.kind, kinds(effects)]).toEqual(['starting', ['start']]);
  });

  test('that died is looked for first, for somebody may have started it, then started after a pause', () => {
    const { now, effects } = after(found, { kind: 'lost', at: 100_000 }, { kind: 'absent' });
    expect(now).toEqual({ kind: 'waiting', failures: 1, ms: 500 });
    expect(kinds(effects).slice(2)).toEqual(['disconnect', 'look', 'wait']);
    expect(advance(now, { kind: 'waited' }).next.kind).toBe('starting');
  });

  test('that dies again and again waits longer each time, up to a minute', () => {
    let now: DaemonState = { kind: 'running', nonce: '0', since: 0, failures: 0 };
    const waits: number[] = [];
    for (let round = 1; round <= 9; round += 1)
      for (const input of [
        { kind: 'lost', at: 1 },
        { kind: 'absent' },
        { kind: 'waited' },
        { kind: 'started' },
        { kind: 'found', nonce: String(round), at: 0 },
      ] satisfies DaemonInput[]) {
        now = advance(now, input).next;
        if (now.kind === 'waiting') waits.push(now.ms);
      }
    expect(waits.slice(0, 4)).toEqual([500, 2_000, 8_000, 32_000]);
    expect(waits.at(-1)).toBe(60_000);
    const stable = advance(now, { kind: 'lost', at: 60_000 });
    expect(stable.next).toEqual({ kind: 'looking', failures: 1 });
  });

  test('that refuses to start is told of, tried again by itself and when a person asks', () => {
    const { now, effects } = after({ kind: 'absent' }, { kind: 'start_failed', why: 'The disk is full' });
    expect(now).toMatchObject({ kind: 'refused', why: 'The disk is full' });
    expect(effects.slice(1)).toEqual([
      { kind: 'tell', why: 'The disk is full' },
      { kind: 'wait', ms: 30_000 },
    ]);
    expect(advance(now, { kind: 'waited' }).next).toMatchObject({ kind: 'looking', failures: 1 });
    const again = advance(now, { kind: 'retry' });
    expect([again.next, kinds(again.effects)]).toEqual([
      { kind: 'looking', failures: 0 },
      ['cancel_wait', 'look'],
    ]);
  });

  test('whose place another program took is never connected to', () => {
    const { now, effects } = after({ kind: 'unproved', why: 'Another program answers' });
    expect([now.kind, kinds(effects)]).toEqual(['refused', ['tell', 'wait']]);
  });

  test('that a person stopped is left alone, whatever comes late', () => {
    const late: DaemonInput[] = [found, { kind: 'absent' }, { kind: 'waited' }, { kind: 'retry' }];
    expect(after(found, { kind: 'stop' }, ...late).now).toEqual({ kind: 'stopped' });
  });

  test('what comes late changes nothing', () => {
    for (const input of [
      { kind: 'absent' },
      { kind: 'started' },
      { kind: 'waited' },
      found,
    ] satisfies DaemonInput[])
      expect(after(found, input).now).toMatchObject({ kind: 'running', nonce: 'a', since: 0 });
  });

  test('waits 0.5 s first', () =>
    expect([0, 1, 2, 3, 30].map(backOff)).toEqual([500, 500, 1000, 2000, 60_000]));
});
