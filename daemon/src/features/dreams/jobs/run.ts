import type { DreamJob } from '@reverie/shared/contract/dreams';
import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import type { Store, WriteDb } from '../../../db/open-store.ts';
import type { Log } from '../../../platform/log.ts';
import type { InsightDeps } from '../deps.ts';
import { saveScore } from '../insights/insights.store.ts';
import { propose } from '../insights/proposing.service.ts';
import { contestantsOf } from '../insights/tournament.service.ts';
import type { Ranked } from '../insights/tournament.ts';
import { createMinds, type Minds } from '../reader/within-budget.ts';
import type { FromThread } from '../thread/messages.ts';
import { startThread } from '../thread/thread.ts';
import { answeredWithout, isOver, type JobState, unfinished } from './job-state.ts';
import { forgetUnproposed, isUnderWay, keepMarks, markUnderWay } from './kept-answers.ts';
import type { DreamRecord } from './record.ts';

export interface RunDeps {
  store: Store;
  log: Log;
  insights: InsightDeps;
  /** What threads are started with. */
  thread: { database: string; embedder: string };
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

/** Proposals that are written in one transaction, and scores: requests get their turn between two. */
const SLICE = { proposals: 20, scores: 200 } as const;
/** Between two records of how far a strategy is, in ms. */
const TOLD_EVERY = 1000;
/** The strongest proposals of a strategy that are taken; beyond it nobody reads them. */
const MOST_PROPOSALS = 1000;
const BROKEN = {
  code: 'worker_failed',
  message: 'The dream could not go on. The log says why; starting it again is safe.',
} as const;

/** Runs a dream in a thread and writes down what comes of it, in the order in which the thread says it. */
export function runDream(deps: RunDeps, record: DreamRecord): DreamRun {
  const { store, log, insights, minds } = deps;
  const { job, state } = record;
  const at = () => insights.clock.now();
  const abort = new AbortController();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  /** Strategies that threw. */
  const broken: Strategy[] = [];
  /** Memories that were deleted since it began: the thread may have read them before. */
  const gone: number[] = [];
  let told = -TOLD_EVERY;
  const isEnded = () => abort.signal.aborted || isOver(state());

  function close(): void {
    thread.end();
    abort.abort();
    end();
  }

  function fail(error: NonNullable<DreamJob['error']>): void {
    if (isEnded()) return;
    try {
      record.write([{ kind: 'failed', at: at(), error }]);
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

  /** One slice in each transaction, requests between two; ends early where the dream does. */
  async function inSlices<T>(
    all: readonly T[],
    size: number,
    write: (slice: readonly T[]) => void,
  ): Promise<void> {
    for (let from = 0; from < all.length && !isEnded(); from += size) {
      write(all.slice(from, from + size));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function hear(message: FromThread): Promise<void> {
    if (isEnded()) return;
    switch (message.kind) {
      case 'viewed':
        return record.write([message]);
      case 'stepped':
        if (message.total > 0 && performance.now() - told < TOLD_EVERY) return record.note(message);
        told = performance.now();
        return record.write([message]);
      case 'answered': {
        const { marks, ...answered } = message;
        return store.write((db) => {
          // What a model said of memories that were cleared meanwhile goes with them.
          if (!isUnderWay(db, job)) return record.write([{ kind: 'cleared' }], db);
          keepMarks(db, job, marks);
          record.write([gone.length > 0 ? answeredWithout(answered, gone) : answered], db);
        });
      }
      case 'finished': {
        const { proposals, reading, ...finished } = message;
        await inSlices(proposals.slice(0, MOST_PROPOSALS), SLICE.proposals, (slice) =>
          store.write((db) => {
            const made = slice.filter((proposal) => propose(db, insights, { job, proposal }));
            record.write([{ kind: 'proposed', strategy: message.strategy, insights: made.length }], db);
          }),
        );
        if (isEnded()) return;
        // How far it read memories that were cleared meanwhile says nothing.
        return store.write((db) =>
          record.write([{ ...finished, ...(isUnderWay(db, job) && { reading }) }], db),
        );
      }
      case 'failed': {
        const { strategy, reason } = message;
        log.error({ job: job.id, strategy, reason }, 'a strategy of a dream failed');
        broken.push(strategy);
        return;
      }
      case 'dreamed':
        return thread.tell({ kind: 'rank', ...(await contestantsOf(store, job)) });
      case 'ranked':
        return conclude(message.ranked);
      case 'generate':
      case 'ask':
        return;
    }
  }

  async function conclude(ranked: readonly Ranked[]): Promise<void> {
    const winner = ranked[0] ?? null;
    await inSlices(ranked, SLICE.scores, (slice) =>
      store.write((db) => {
        for (const { id, score } of slice) saveScore(db, id, { score, winner: id === winner?.id });
      }),
    );
    if (isEnded()) return;
    const message = `${broken.join(', ')} failed; the others did their work. The log says why.`;
    record.write([
      broken.length === 0
        ? { kind: 'completed', at: at(), winner }
        : { kind: 'failed', at: at(), winner, error: { code: 'strategy_failed', message } },
    ]);
    close();
  }

  const think = createMinds(minds, log, {
    job,
    used: () => state().tokensUsed,
    spend(tokens) {
      if (!isEnded()) record.write([{ kind: 'spent', tokens }]);
    },
    signal: abort.signal,
  });

  store.write((db) => {
    // It goes on, and somebody cleared the namespace since.
    if (!markUnderWay(db, job) || state().strategies.every(({ answered }) => answered === undefined)) return;
    forgetUnproposed(db, job, state());
    record.write([{ kind: 'cleared' }], db);
  });
  const model = minds.model(job.account);
  let tail = Promise.resolve();
  const thread = startThread(
    {
      database: deps.thread.database,
      embedder: deps.thread.embedder,
      account: job.account,
      namespace: job.namespace,
      strategies: unfinished(state()),
      now: job.clock ?? at(),
      task: job.task,
      model: model?.model ?? null,
      tokensLeft: model ? Math.max(0, job.tokensBudget - state().tokensUsed) : 0,
      answered: Object.fromEntries(state().strategies.map(({ strategy, answered }) => [strategy, answered])),
      canAsk: minds.ask !== undefined,
    },
    {
      hear(message) {
        // What was answered before is on disk by then.
        if (message.kind === 'generate' || message.kind === 'ask')
          void tail.then(() => think(message)).then(thread.tell);
        else
          tail = tail
            .then(() => hear(message))
            .catch((err: unknown) => breakOff(err, 'a dream could not be written down'));
      },
      broke(cause) {
        tail = tail.then(() => {
          if (!isEnded()) breakOff(cause, 'the thread of a dream broke');
        });
      },
    },
  );
  return {
    ...{ id: job.id, state, ended, fail },
    forget(db, memory) {
      if (isEnded()) return;
      gone.push(memory);
      record.forget(db, memory);
    },
    suspend: close,
  };
}
