import type { DreamJob } from '@reverie/shared/contract/dreams';
import type { WriteDb } from '../../../db/open-store.ts';
import { createMinds, type Minds } from '../reader/within-budget.ts';
import type { ToThread, DreamWork } from '../thread/messages.ts';
import { startThread, type ThreadEars } from '../thread/thread.ts';
import { type Dreaming, type HeardDeps, NEVER, writeDown } from './heard.ts';
import { isOver, type JobState, unfinished } from './job-state.ts';
import { forgetUnproposed, markUnderWay } from './kept-answers.ts';
import type { DreamRecord } from './record.ts';

export interface RunDeps extends HeardDeps {
  /** What threads are started with. */
  thread: Pick<DreamWork, 'database' | 'embedder'>;
  minds: Minds;
}

/** One dream while it runs. */
export interface DreamRun {
  readonly id: string;
  /** How far it is, newer than what is stored. */
  state(): JobState;
  /** Resolves when nothing more happens: it is over, or was suspended. */
  readonly ended: Promise<void>;
  /** Ends it as failed. */
  fail(error: NonNullable<DreamJob['error']>): void;
  /** A memory is being deleted: what was answered of it goes in that transaction, and what is answered later counts for nothing. */
  forget(db: WriteDb, memory: number): void;
  /** Ends the thread and leaves the dream as running, to go on after the next start. */
  suspend(): void;
}

const BROKEN = {
  code: 'worker_failed',
  message: 'The dream could not go on. The log says why; starting it again is safe.',
} as const;

/** Runs a dream in a thread and writes down what comes of it, in the order in which the thread says it. */
export function runDream(deps: RunDeps, record: DreamRecord): DreamRun {
  const { log, insights, minds } = deps;
  const { job, state } = record;
  const abort = new AbortController();
  const { signal } = abort;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const isEnded = () => signal.aborted || isOver(state());
  const dream: Dreaming = { record, broken: [], gone: [], steppedAt: NEVER, isEnded };

  function close(): void {
    abort.abort();
    resolve();
  }

  function fail(error: NonNullable<DreamJob['error']>): void {
    if (isEnded()) return;
    try {
      record.write([{ kind: 'failed', at: insights.clock.now(), error }]);
    } finally {
      close();
    }
  }

  function breakOff(err: unknown, what: string): void {
    log.error({ err, job: job.id }, what);
    try {
      fail(BROKEN);
    } catch (cause) {
      // A full disk, say: it is still `running` there, and goes on after the next start.
      log.error({ err: cause, job: job.id }, 'the end of a dream could not be written down');
    }
  }

  const think = createMinds(minds, log, {
    job,
    used: () => state().tokensUsed,
    spend(tokens) {
      if (!isEnded()) record.write([{ kind: 'spent', tokens }]);
    },
    signal,
  });
  deps.store.write((db) => forgetCleared(db, record));
  /** What was said last, once it is written down. */
  let tail: Promise<ToThread | undefined> = Promise.resolve(undefined);
  const ears = {
    hear(message) {
      // What was answered before is on disk by then.
      if (message.kind === 'generate' || message.kind === 'ask') return tail.then(() => think(message));
      tail = tail
        .then(async () => {
          const reply = await writeDown(deps, dream, message);
          if (isOver(state())) close();
          return reply;
        })
        .catch((err: unknown) => {
          breakOff(err, 'a dream could not be written down');
          return undefined;
        });
      return tail;
    },
    broke(cause) {
      tail = tail.then(() => {
        if (!isEnded()) breakOff(cause, 'the thread of a dream broke');
        return undefined;
      });
    },
  } satisfies ThreadEars;
  startThread(workOf(deps, record), ears, signal);
  return {
    ...{ id: job.id, state, ended, fail },
    forget(db, memory) {
      if (isEnded()) return;
      dream.gone.push(memory);
      record.forget(db, memory);
    },
    suspend: close,
  };
}

/** A dream that goes on after the namespace was cleared lets go of what it was answered of the memories that are gone. */
function forgetCleared(db: WriteDb, record: DreamRecord): void {
  const { job, state } = record;
  if (!markUnderWay(db, job) || state().strategies.every(({ answered }) => answered === undefined)) return;
  forgetUnproposed(db, job, state());
  record.write([{ kind: 'cleared' }], db);
}

/** What the thread is started with. */
function workOf(
  { thread, minds, insights }: Pick<RunDeps, 'thread' | 'minds' | 'insights'>,
  { job, state }: DreamRecord,
): Omit<DreamWork, 'cancelled'> {
  const { strategies, tokensUsed } = state();
  const given = minds.model(job.account, job.namespace);
  const model = given && 'model' in given ? given.model : undefined;
  return {
    database: thread.database,
    embedder: thread.embedder,
    account: job.account,
    namespace: job.namespace,
    strategies: unfinished(state()),
    now: job.clock ?? insights.clock.now(),
    task: job.task,
    model: model?.model ?? null,
    withheld: given && 'withheld' in given ? given.withheld : null,
    tokensLeft: model ? Math.max(0, job.tokensBudget - tokensUsed) : 0,
    answered: Object.fromEntries(strategies.map(({ strategy, answered }) => [strategy, answered])),
    canAsk: minds.ask !== undefined,
  };
}
