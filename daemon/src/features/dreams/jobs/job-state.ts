import type { DreamJob, DreamState, StrategyProgress } from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';

/** How far a language model has read a namespace. */
export interface ReadingState {
  /** Memories that are read, and that there are. */
  readonly read: number;
  readonly of: number;
  /** About so many tokens the rest takes. */
  readonly tokensLeft: number;
}

/** How far a strategy is; the first of those that a model reads for also keeps how far that is. */
export interface StrategyRecord extends StrategyProgress {
  readonly reading?: ReadingState | undefined;
}

/** A dream between its start and its end. Times in milliseconds since 1970, UTC. */
export interface JobState {
  readonly status: DreamState;
  readonly strategies: readonly StrategyRecord[];
  readonly memories: number;
  readonly sampledOf: number | null;
  readonly tokensUsed: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly winner: string | null;
  readonly error: DreamJob['error'];
}

interface Winner {
  readonly id: string;
  readonly score: number;
}

/** What happens to a dream. */
export type JobEvent =
  | { kind: 'started'; at: number; isResumed?: boolean }
  | { kind: 'viewed'; memories: number; of: number }
  | { kind: 'stepped'; strategy: Strategy; done: number; total: number; ms: number }
  | { kind: 'proposed'; strategy: Strategy; insights: number }
  | { kind: 'read'; strategy: Strategy; reading: ReadingState }
  | { kind: 'finished'; strategy: Strategy; ms: number; note?: string | undefined }
  | { kind: 'spent'; tokens: number }
  | { kind: 'interrupted' }
  | { kind: 'completed'; at: number; winner: Winner | null }
  | { kind: 'failed'; at: number; error: NonNullable<DreamJob['error']>; winner?: Winner | null };

export function newJob(strategies: readonly Strategy[]): JobState {
  return {
    status: 'queued',
    strategies: strategies.map((strategy) => ({
      strategy,
      state: 'waiting',
      done: 0,
      total: 0,
      insights: 0,
      ms: 0,
    })),
    memories: 0,
    sampledOf: null,
    tokensUsed: 0,
    startedAt: null,
    completedAt: null,
    winner: null,
    error: null,
  };
}

/** Whether a dream has ended, so that nothing can happen to it any more. */
export function isOver({ status }: Pick<JobState, 'status'>): boolean {
  return status === 'complete' || status === 'failed';
}

/** The strategies that are still to be done, in order. */
export function unfinished({ strategies }: Pick<JobState, 'strategies'>): Strategy[] {
  return strategies.filter(({ state }) => state !== 'complete').map(({ strategy }) => strategy);
}

/** What an event makes of a dream. A dream that is over stays as it is: what comes later is late. */
export function nextState(job: JobState, event: JobEvent): JobState {
  if (isOver(job)) return job;
  if (job.status === 'queued' && event.kind !== 'started' && event.kind !== 'failed') return job;
  switch (event.kind) {
    case 'started':
      return { ...job, status: 'running', startedAt: job.startedAt ?? event.at };
    case 'viewed':
      return { ...job, memories: event.memories, sampledOf: event.of > event.memories ? event.of : null };
    case 'stepped':
      return change(job, event.strategy, ({ ms }) => ({
        state: 'running',
        done: event.done,
        total: event.total,
        ms: Math.max(ms, event.ms),
      }));
    case 'proposed':
      return change(job, event.strategy, ({ insights }) => ({ insights: insights + event.insights }));
    case 'read':
      return change(job, event.strategy, () => ({ reading: event.reading }));
    case 'finished':
      return change(job, event.strategy, ({ total }) => ({
        state: 'complete',
        done: total,
        ms: event.ms,
        ...(event.note !== undefined && { note: event.note }),
      }));
    case 'spent':
      return { ...job, tokensUsed: job.tokensUsed + event.tokens };
    case 'interrupted':
      // What a strategy proposed before stays, and is not proposed again when it starts anew.
      return {
        ...job,
        strategies: job.strategies.map((one) =>
          one.state === 'running' ? { ...one, state: 'waiting', done: 0, total: 0, ms: 0 } : one,
        ),
      };
    case 'completed':
      return {
        ...job,
        status: 'complete',
        completedAt: event.at,
        winner: event.winner?.id ?? null,
      };
    case 'failed':
      return { ...job, status: 'failed', completedAt: event.at, error: event.error };
  }
}

function change(
  job: JobState,
  strategy: Strategy,
  how: (before: StrategyRecord) => Partial<StrategyRecord>,
): JobState {
  return {
    ...job,
    strategies: job.strategies.map((one) =>
      one.strategy === strategy && one.state !== 'complete' ? { ...one, ...how(one) } : one,
    ),
  };
}

/** How far a strategy is, as it is shown. */
export function progressOf({ reading: _, ...progress }: StrategyRecord): StrategyProgress {
  return progress;
}

/** How many insights a dream has brought. */
export function countInsights({ strategies }: Pick<JobState, 'strategies'>): number {
  return strategies.reduce((sum, { insights }) => sum + insights, 0);
}

/** How many strategies a dream has finished. */
export function countStages({ strategies }: Pick<JobState, 'strategies'>): number {
  return strategies.filter(({ state }) => state === 'complete').length;
}

/**
 * The share (0..1) of a namespace that a model has read, and about how many more dreams with such a budget the rest takes; null where it
 * reads nothing.
 */
export function readingOf({ strategies }: Pick<JobState, 'strategies'>, budget: number): DreamJob['reading'] {
  const reading = strategies.find((one) => one.reading !== undefined)?.reading;
  // Without a budget no number of such dreams reads the rest.
  if (!reading || budget === 0) return null;
  const { read, of, tokensLeft } = reading;
  return {
    share: of === 0 ? 1 : Math.floor((100 * read) / of) / 100,
    dreams_left: Math.ceil(tokensLeft / budget),
    tokens_left: tokensLeft,
  };
}
