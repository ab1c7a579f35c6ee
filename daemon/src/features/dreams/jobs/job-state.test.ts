import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countInsights,
  countStages,
  isOver,
  type JobEvent,
  type JobState,
  newJob,
  nextState,
  type ReadingState,
  readingOf,
  unfinished,
} from './job-state.ts';

const run = (events: readonly JobEvent[], from: JobState = newJob(['refine', 'rem'])) =>
  events.reduce(nextState, from);
const started: JobEvent = { kind: 'started', at: 5 };

describe('a dream', () => {
  test('goes from queued over running to complete', () => {
    const job = run([
      started,
      { kind: 'viewed', memories: 3, of: 3 },
      { kind: 'stepped', strategy: 'refine', done: 1, total: 2, ms: 4 },
      { kind: 'proposed', strategy: 'refine', insights: 2 },
      { kind: 'finished', strategy: 'refine', ms: 9 },
      { kind: 'finished', strategy: 'rem', ms: 1 },
      { kind: 'completed', at: 8, winner: { id: 'ins_1', score: 1 } },
    ]);
    expect(job).toMatchObject({
      status: 'complete',
      startedAt: 5,
      completedAt: 8,
      winner: 'ins_1',
      sampledOf: null,
    });
    expect([countStages(job), countInsights(job), unfinished(job)]).toEqual([2, 2, []]);
    expect(job.strategies[0]).toMatchObject({ state: 'complete', done: 2, total: 2, ms: 9 });
  });

  test('says how far its reading is, where there is one and a budget for the rest', () => {
    const read = (reading: ReadingState) => run([started, { kind: 'read', strategy: 'refine', reading }]);
    const half = read({ read: 50, of: 100, tokensLeft: 30_000 });
    expect(readingOf(half, 20_000)).toEqual({ share: 0.5, dreams_left: 2, tokens_left: 30_000 });
    expect(readingOf(half, 0)).toBeNull();
    expect(readingOf(read({ read: 0, of: 0, tokensLeft: 0 }), 500)).toMatchObject({
      share: 1,
      dreams_left: 0,
    });
    expect(readingOf(run([started]), 500)).toBeNull();
  });

  test('starts what was interrupted again, and keeps what was finished', () => {
    const job = run([
      started,
      { kind: 'finished', strategy: 'refine', ms: 9 },
      { kind: 'stepped', strategy: 'rem', done: 1, total: 2, ms: 4 },
      { kind: 'interrupted' },
      { kind: 'started', at: 90 },
    ]);
    expect(unfinished(job)).toEqual(['rem']);
    expect(job.strategies[1]).toMatchObject({ state: 'waiting', done: 0, total: 0 });
    expect(job.startedAt).toBe(5);
  });

  test('can be cancelled before it starts', () => {
    const error = { code: 'cancelled', message: 'x' } as const;
    const job = run([{ kind: 'failed', at: 3, error }, started]);
    expect(job).toMatchObject({ status: 'failed', completedAt: 3, startedAt: null, error });
  });

  test('says when it looked at a sample only', () => {
    expect(run([started, { kind: 'viewed', memories: 20, of: 30 }]).sampledOf).toBe(30);
  });

  const strategy = fc.constantFrom('refine' as const, 'rem' as const);
  const event: fc.Arbitrary<JobEvent> = fc.oneof(
    fc.record({ kind: fc.constant('started' as const), at: fc.nat() }),
    fc.record({
      kind: fc.constant('stepped' as const),
      strategy,
      done: fc.nat(),
      total: fc.nat(),
      ms: fc.nat(),
    }),
    fc.record({ kind: fc.constant('proposed' as const), strategy, insights: fc.nat(9) }),
    fc.record({ kind: fc.constant('finished' as const), strategy, ms: fc.nat() }),
    fc.record({ kind: fc.constant('spent' as const), tokens: fc.nat() }),
    fc.record({ kind: fc.constant('interrupted' as const) }),
    fc.record({ kind: fc.constant('completed' as const), at: fc.nat(), winner: fc.constant(null) }),
    fc.record({
      kind: fc.constant('failed' as const),
      at: fc.nat(),
      error: fc.constant({ code: 'worker_failed' as const, message: 'm' }),
    }),
  );

  test('never leaves an end, loses no finished strategy and no count, whatever comes in whatever order', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let job = newJob(['refine', 'rem']);
        for (const one of events) {
          const after = nextState(job, one);
          if (isOver(job)) expect(after).toEqual(job);
          expect(countStages(after)).toBeGreaterThanOrEqual(countStages(job));
          expect(countInsights(after)).toBeGreaterThanOrEqual(countInsights(job));
          expect(after.tokensUsed).toBeGreaterThanOrEqual(job.tokensUsed);
          expect(after.completedAt !== null).toBe(isOver(after));
          job = after;
        }
      }),
    );
  });
});
