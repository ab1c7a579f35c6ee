import type { DreamJob, Insight } from '@reverie/shared/contract/dreams/dreams';
import { describe, expect, it } from 'vitest';
import { titleOf } from './readable.ts';
import { changeWords, choicesOf, doneWords, effectOf, progressOf, stateOf, strategyState } from './words.ts';

const job: DreamJob = {
  id: 'dream_1',
  status: 'running',
  stages: 1,
  insights: 2,
  started_at: '2026-11-20T09:00:00.000Z',
  completed_at: null,
  namespace: 'default',
  created_at: '2026-11-20T09:00:00.000Z',
  task: null,
  trigger: 'request',
  strategies: [
    { strategy: 'refine', state: 'complete', done: 10, total: 10, insights: 2, ms: 5 },
    { strategy: 'contradict', state: 'running', done: 5, total: 10, insights: 0, ms: 5 },
  ],
  memories: 10,
  sampled: null,
  tokens: { used: 0, budget: 0 },
  reading: null,
  winner: null,
  error: null,
};

describe('how a dream is told', () => {
  it('counts finished strategies and the share of the running one', () => {
    expect(progressOf(job)).toBe(0.75);
    expect(progressOf({ ...job, strategies: [] })).toBe(0);
    expect(progressOf({ ...job, strategies: [], status: 'complete' })).toBe(1);
  });

  it('tells a cancelled job from a failed one', () => {
    const failed = { ...job, status: 'failed' } as const;
    expect(stateOf({ ...failed, error: { code: 'cancelled', message: '' } }).word).toBe('cancelled');
    expect(stateOf({ ...failed, error: { code: 'worker_failed', message: '' } }).tone).toBe('bad');
  });

  it('says what accepting does', () => {
    const insight = (change: Insight['change']) => changeWords({ change });
    expect(insight(null)).toMatch(/^Accepting keeps this as a note .* stays as it is\.$/);
    expect(insight({ kind: 'merge', keep: 'a', hide: ['b'] })).toContain('hides the other note behind');
    expect(insight({ kind: 'merge', keep: 'a', hide: ['b', 'c'] })).toContain('hides the other notes behind');
    expect(insight({ kind: 'archive', keys: ['a', 'b'] })).toMatch(/puts them away.* brings them back\.$/);
    expect(insight({ kind: 'link', from: 'a', to: 'b' })).toContain('between the two notes');
  });

  it('says what was done, and of two that disagree which one is kept', () => {
    const side = { key: 'a', date: '2026-11-20T09:00:00.000Z' };
    const change = { kind: 'disagree', older: side, newer: { ...side, key: 'b' } } as const;
    const told = (resolution: Insight['resolution']) => doneWords({ change, resolution });
    expect([told('newer'), told('older'), told('both')]).toEqual([
      'The newer note is kept, the other one hidden.',
      'The older note is kept, the other one hidden.',
      'Both notes are kept; it will not be asked again.',
    ]);
    const done = (now: Insight['change']) => doneWords({ change: now, resolution: null });
    expect(done({ kind: 'merge', keep: 'a', hide: ['b'] })).toBe(
      'One note is kept, the other one is hidden.',
    );
    expect(done({ kind: 'link', from: 'a', to: 'b' })).toBe('The two notes are linked.');
    expect(done(null)).toBe('Kept as a note of its own.');
  });

  it('calls each decision what it is, whatever accepting does', () => {
    const changes: Insight['change'][] = [
      { kind: 'merge', keep: 'a', hide: ['b'] },
      { kind: 'archive', keys: ['a'] },
      { kind: 'update', key: 'a', value: 'b' },
      { kind: 'link', from: 'a', to: 'b' },
      {
        kind: 'disagree',
        older: { key: 'a', date: '2026-03-02T09:00:00Z' },
        newer: { key: 'b', date: '2026-07-02T09:00:00Z' },
      },
      null,
    ];
    const told = changes.map((change) => choicesOf({ strategy: 'refine', change }));
    expect(new Set(told.map(({ accept }) => accept)).size).toBe(changes.length);
    for (const { accept, reject } of told) expect(`${accept} ${reject}`).not.toMatch(/accept|reject|refine/i);
    expect(choicesOf({ strategy: 'forecast', change: null }).reject).toBe('Not due');
  });

  it('tells a strategy that waits from one that was skipped', () => {
    const [done, running] = job.strategies;
    if (!done || !running) throw new Error('the job has two');
    const waiting = { ...running, state: 'waiting' } as const;
    expect(strategyState(waiting, true)).toBe('waits for its turn');
    expect(strategyState(waiting, false)).toBe('was skipped');
    // A job that was cancelled leaves what it was at as it was.
    expect(strategyState(running, false)).toBe('was stopped before the end');
    expect(strategyState(done, true)).toBe('2 found');
    expect(strategyState({ ...done, ms: 1500 }, false)).toBe('2 found, in 1.5 s');
  });
});

it('says of several at once what becomes of each', () => {
  const of = (change: Insight['change']) => effectOf({ change });
  const side = { key: 'a', date: '2026-11-20T09:00:00.000Z' };
  expect(of({ kind: 'merge', keep: 'a', hide: ['b', 'c'] })).toBe('a stays, b, c hidden');
  expect(of({ kind: 'disagree', older: side, newer: { ...side, key: 'b' } })).toBe('b stays, a hidden');
  expect(of(null)).toBe('kept as a note of its own');
});

it('the tab of the browser says how many wait, and nothing where none does', () => {
  expect([titleOf('Today', 3), titleOf('Today', 0), titleOf('Dreams', undefined)]).toEqual([
    '(3) Today · Reverie',
    'Today · Reverie',
    'Dreams · Reverie',
  ]);
});
