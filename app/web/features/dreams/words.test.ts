import type { DreamJob, Insight } from '@reverie/shared/contract/dreams';
import { describe, expect, it } from 'vitest';
import { changeWords, progressOf, stateOf } from './words.ts';

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
    const insight = (change: Insight['change']) => changeWords({ change } as Insight);
    expect(insight(null)).toBeUndefined();
    expect(insight({ kind: 'merge', keep: 'a', hide: ['b', 'c', 'd', 'e'] })).toContain(
      'b, c and 2 others behind a',
    );
    expect(insight({ kind: 'link', from: 'a', to: 'b' })).toContain('a and b');
  });
});
