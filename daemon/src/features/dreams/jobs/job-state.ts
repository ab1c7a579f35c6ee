import type { DreamJob, DreamState, StrategyProgress } from '@reverie/shared/contract/dreams';
import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import type { SheetFinding } from '../strategies/strategy.ts';

/** What a model found on a sheet, with the marks (hex) by which the memories that it names count as read. */
export interface KeptFinding extends SheetFinding {
  readonly marks?: readonly string[];
}

/**
 * What a model has answered for a strategy that is not over: its findings on sheets, and its reasons for proposals. Kept so that an
 * interrupted strategy is not paid for twice.
 */
export interface Answered {
  readonly found: readonly KeptFinding[];
  /** Reasons of proposals that stand, by their fingerprints (hex); empty where it gave none. */
  readonly held: Readonly<Record<string, string>>;
}

/** How far a strategy is, and what a model has answered for it so far. */
export interface StrategyRecord extends StrategyProgress {
  readonly answered?: Answered | undefined;
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
  | ({ kind: 'answered'; strategy: Strategy } & Partial<Answered>)
  | {
      kind: 'finished';
      strategy: Strategy;
      ms: number;
      note?: string | undefined;
      left?: number | undefined;
      reading?: StrategyProgress['reading'];
    }
  | { kind: 'spent'; tokens: number }
  /** The memories that it had read are gone. */
  | { kind: 'cleared' }
  /** One of them is, by its id. */
  | { kind: 'forgot'; memory: number }
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
    case 'answered':
      return change(job, event.strategy, ({ answered }) => ({
        answered: {
          found: [...(answered?.found ?? []), ...(event.found ?? [])],
          held: { ...answered?.held, ...event.held },
        },
      }));
    case 'finished':
      return change(job, event.strategy, ({ total }) => ({
        answered: undefined,
        state: 'complete',
        done: total,
        ms: event.ms,
        ...(event.note !== undefined && { note: event.note }),
        ...(event.left !== undefined && { left: event.left }),
        ...(event.reading && { reading: event.reading }),
      }));
    case 'spent':
      return { ...job, tokensUsed: job.tokensUsed + event.tokens };
    case 'cleared':
      return withoutReading(forgotten(job));
    case 'forgot':
      return {
        ...job,
        strategies: job.strategies.map((one) =>
          one.answered ? { ...one, answered: answeredWithout(one.answered, [event.memory]) } : one,
        ),
      };
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
        ...forgotten(job),
        status: 'complete',
        completedAt: event.at,
        winner: event.winner?.id ?? null,
      };
    case 'failed':
      return { ...forgotten(job), status: 'failed', completedAt: event.at, error: event.error };
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

/** Without what was answered: nobody goes on with it. */
function forgotten(job: JobState): JobState {
  return { ...job, strategies: job.strategies.map(progressOf) };
}

/** A model's answers without findings that quote deleted memories, and without any reason, for a reason may say anything. */
export function answeredWithout<T extends Partial<Answered>>(answered: T, gone: readonly number[]): T {
  const { found, held } = answered;
  return {
    ...answered,
    ...(found && { found: found.filter(({ quotes }) => !quotes.some(({ id }) => gone.includes(id))) }),
    ...(held && { held: Object.fromEntries(Object.keys(held).map((one) => [one, ''])) }),
  };
}

/** Whether what was answered may hold words of a memory. */
export function mayQuote({ strategies }: Pick<JobState, 'strategies'>, memory: number): boolean {
  return strategies.some(
    ({ answered }) =>
      answered?.found.some(({ quotes }) => quotes.some(({ id }) => id === memory)) === true ||
      Object.values(answered?.held ?? {}).some((reason) => reason !== ''),
  );
}

/** What it says of memories that are gone counts for nothing. */
function withoutReading(job: JobState): JobState {
  return { ...job, strategies: job.strategies.map(({ reading: _, ...one }) => one) };
}

/** How far a strategy is, without the model's answers, which stay inside. */
export function progressOf({ answered: _, ...progress }: StrategyRecord): StrategyProgress {
  return progress;
}

/** How many pairs only a model could have judged, and how to get one; undefined where there are none. */
export function leftBy({ strategies }: Pick<JobState, 'strategies'>): DreamJob['left'] {
  const pairs = strategies.reduce((sum, { left = 0 }) => sum + left, 0);
  if (pairs === 0) return undefined;
  const look = pairs === 1 ? '1 pair looks related' : `${pairs} pairs look related`;
  return { pairs, message: `${look}; a model would tell. \`reverie models\` finds one on this machine.` };
}

/** How many insights a dream has brought. */
export function countInsights({ strategies }: Pick<JobState, 'strategies'>): number {
  return strategies.reduce((sum, { insights }) => sum + insights, 0);
}

/** How many strategies a dream has finished. */
export function countStages({ strategies }: Pick<JobState, 'strategies'>): number {
  return strategies.filter(({ state }) => state === 'complete').length;
}

/** What of a budget goes into reading: the rest is for judging, and for a last sheet that does not fit. */
const FOR_READING = 0.8;

/**
 * The share (0..1) of a namespace that a model has read, and about how many more dreams with such a budget the rest takes; null where it
 * reads nothing.
 */
export function readingOf({ strategies }: Pick<JobState, 'strategies'>, budget: number): DreamJob['reading'] {
  const readings = strategies.flatMap(({ reading }) => reading ?? []);
  if (readings.length === 0) return null;
  const sum = (of: (one: (typeof readings)[number]) => number) =>
    readings.reduce((all, one) => all + of(one), 0);
  const [read, all, left] = [sum((one) => one.read), sum((one) => one.of), sum((one) => one.tokens_left)];
  // Without a budget, or where none was enough for a sheet or the model was out of reach, no number of such dreams reads the rest.
  if (budget === 0 || (read === 0 && left > 0)) return null;
  return {
    share: all === 0 ? 1 : Math.floor((100 * read) / all) / 100,
    dreams_left: Math.ceil(left / Math.max(1, FOR_READING * budget)),
  };
}
