import type { DreamJob } from '@reverie/shared/contract/dreams';
import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import type { Store, WriteDb } from '../../../db/open-store.ts';
import type { Log } from '../../../platform/log.ts';
import { dreamEvent, stepOf } from './job-events.ts';
import { type DreamThread, startThread } from '../thread/thread.ts';
import { saveScore } from '../insights/insights.store.ts';
import { isOver, type JobEvent, type JobState, nextState, unfinished } from './job-state.ts';
import { type Job, saveState } from './jobs.store.ts';
import { forgetUnproposed, isUnderWay, keepMarks, markUnderWay, unmarkUnderWay } from './kept-answers.ts';
import type { FromThread } from '../thread/messages.ts';
import { createMinds, type Minds } from '../reader/within-budget.ts';
import { propose } from '../insights/proposing.service.ts';
import type { Proposal } from '../strategies/strategy.ts';
import { contestantsOf } from '../insights/tournament.service.ts';
import type { Ranked } from '../insights/tournament.ts';
import type { InsightDeps } from '../deps.ts';

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
  readonly job: Job;
  /** How far it is, newer than what is stored. */
  state(): JobState;
  /** Resolves when nothing more happens: it is over, or was suspended. */
  readonly ended: Promise<void>;
  /** Ends it as failed. */
  fail(error: NonNullable<DreamJob['error']>): void;
  /** Ends the thread and leaves the dream as running, to go on after the next start. */
  suspend(): void;
}

/** Proposals that are written in one transaction, and scores: requests get their turn between two. */
const SLICE = { proposals: 20, scores: 200 } as const;
/** Between two records of how far a strategy is, in ms. */
const TOLD_EVERY = 1000;
/** The strongest proposals of a strategy that are taken; beyond it nobody reads them. */
const MOST_PROPOSALS = 1000;

/** Runs a dream in a thread and writes down what comes of it. */
export function runDream(deps: RunDeps, job: Job): DreamRun {
  const { store, log, insights } = deps;
  let state = job.state;
  let suspended = false;
  let told = -TOLD_EVERY;
  /** Strategies that threw. */
  const broken: Strategy[] = [];
  const abort = new AbortController();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  const isEnded = () => suspended || isOver(state);

  function save(db: WriteDb, event: JobEvent): void {
    const next = nextState(state, event);
    if (event.kind === 'failed') forgetUnproposed(db, job, state);
    if (isOver(next)) unmarkUnderWay(db, job);
    saveState(db, job.id, next);
    // Only once it is on disk, so that a failed write leaves both as they were.
    db.afterCommit(() => (state = next));
  }

  function close(): void {
    thread.end();
    abort.abort();
    end();
  }

  function fail(error: NonNullable<DreamJob['error']>): void {
    if (isEnded()) return;
    try {
      store.write((db) => {
        save(db, { kind: 'failed', at: insights.clock.now(), error });
        const failed = nextState(state, { kind: 'failed', at: insights.clock.now(), error });
        insights.record(db, dreamEvent('dream.failed', { job, state: failed, more: { error } }));
      });
    } finally {
      close();
    }
  }

  async function hear(message: FromThread): Promise<void> {
    if (isEnded()) return;
    switch (message.kind) {
      case 'viewed':
        return store.write((db) => save(db, message));
      case 'stepped':
        return step(message);
      case 'answered':
        return keep(message);
      case 'finished':
        return finish(message);
      case 'failed':
        log.error(
          { job: job.id, strategy: message.strategy, reason: message.reason },
          'a strategy of a dream failed',
        );
        broken.push(message.strategy);
        return;
      case 'dreamed':
        return thread.tell({ kind: 'rank', ...(await contestantsOf(store, job)) });
      case 'ranked':
        return conclude(message.ranked);
      case 'generate':
      case 'ask':
        return;
    }
  }

  function step(message: FromThread & { kind: 'stepped' }): void {
    const isFirst = message.total === 0;
    if (!isFirst && performance.now() - told < TOLD_EVERY) {
      state = nextState(state, message);
      return;
    }
    told = performance.now();
    store.write((db) => {
      save(db, message);
      const stepped = nextState(state, message);
      insights.record(
        db,
        dreamEvent('dream.step', { job, state: stepped, more: stepOf(stepped, message.strategy) }),
      );
    });
  }

  function keep({ marks, ...answered }: FromThread & { kind: 'answered' }): void {
    store.write((db) => {
      // What a model said of memories that were cleared meanwhile goes with them.
      if (!isUnderWay(db, job)) return save(db, { kind: 'cleared' });
      keepMarks(db, job, marks);
      save(db, answered);
    });
  }

  async function finish(message: FromThread & { kind: 'finished' }): Promise<void> {
    const { strategy, ms, proposals, note, reading } = message;
    const taken = proposals.slice(0, MOST_PROPOSALS);
    for (let from = 0; from < taken.length; from += SLICE.proposals) {
      store.write((db) => {
        const made = taken.slice(from, from + SLICE.proposals).filter((proposal) => tryPropose(db, proposal));
        save(db, { kind: 'proposed', strategy, insights: made.length });
      });
      await turn();
      if (isEnded()) return;
    }
    store.write((db) => {
      // How far it read memories that were cleared meanwhile says nothing.
      const over: JobEvent = {
        kind: 'finished',
        strategy,
        ms,
        note,
        ...(isUnderWay(db, job) && { reading }),
      };
      save(db, over);
      const finished = nextState(state, over);
      insights.record(
        db,
        dreamEvent('dream.step', { job, state: finished, more: stepOf(finished, strategy) }),
      );
    });
  }

  function tryPropose(db: WriteDb, proposal: Proposal): boolean {
    return propose(db, insights, { job, proposal });
  }

  async function conclude(ranked: readonly Ranked[]): Promise<void> {
    const winner = ranked[0]?.id ?? null;
    for (let from = 0; from < ranked.length; from += SLICE.scores) {
      store.write((db) => {
        for (const { id, score } of ranked.slice(from, from + SLICE.scores))
          saveScore(db, id, { score, winner: id === winner });
      });
      await turn();
      if (isEnded()) return;
    }
    const at = insights.clock.now();
    const last: JobEvent =
      broken.length === 0
        ? { kind: 'completed', at, winner }
        : {
            kind: 'failed',
            at,
            error: {
              code: 'strategy_failed',
              message: `${broken.join(', ')} failed; the others did their work. The log says why.`,
            },
          };
    store.write((db) => {
      const over = nextState(state, last);
      save(db, last);
      if (winner !== null)
        insights.record(
          db,
          dreamEvent('dream.winner', { job, state: over, more: { winner: { ...ranked[0] } } }),
        );
      insights.record(
        db,
        dreamEvent(broken.length === 0 ? 'dream.completed' : 'dream.failed', {
          job,
          state: over,
          more: over.error ? { error: over.error } : { winner },
        }),
      );
    });
    close();
  }

  const think = createMinds(deps.minds, log, {
    job,
    used: () => state.tokensUsed,
    spend(tokens) {
      if (!isEnded()) store.write((db) => save(db, { kind: 'spent', tokens }));
    },
    signal: abort.signal,
  });

  let tail = Promise.resolve();
  const inOrder = (message: FromThread): void => {
    tail = tail
      .then(() => hear(message))
      .catch((err: unknown) => {
        log.error({ err, job: job.id }, 'a dream could not be written down');
        breakOff();
      });
  };
  const breakOff = (): void => {
    try {
      fail({
        code: 'worker_failed',
        message: 'The dream could not go on. The log says why; starting it again is safe.',
      });
    } catch (err) {
      // A full disk, say: it is still `running` there, and goes on after the next start.
      log.error({ err, job: job.id }, 'the end of a dream could not be written down');
    }
  };

  store.write((db) => {
    // It goes on, and somebody cleared the namespace since.
    if (!markUnderWay(db, job) || state.strategies.every(({ answered }) => answered === undefined)) return;
    forgetUnproposed(db, job, state);
    save(db, { kind: 'cleared' });
  });
  const model = deps.minds.model(job.account);
  const thread: DreamThread = startThread(
    {
      database: deps.thread.database,
      embedder: deps.thread.embedder,
      account: job.account,
      namespace: job.namespace,
      strategies: unfinished(state),
      now: job.clock ?? insights.clock.now(),
      task: job.task,
      model: model?.model ?? null,
      tokensLeft: model ? Math.max(0, job.tokensBudget - state.tokensUsed) : 0,
      answered: Object.fromEntries(state.strategies.map(({ strategy, answered }) => [strategy, answered])),
      canAsk: deps.minds.ask !== undefined,
    },
    {
      hear(message) {
        // What was answered before is on disk by then.
        if (message.kind === 'generate' || message.kind === 'ask')
          void tail.then(() => think(message)).then(thread.tell);
        else inOrder(message);
      },
      broke(cause) {
        tail = tail.then(() => {
          if (isEnded()) return;
          log.error({ err: cause, job: job.id }, 'the thread of a dream broke');
          breakOff();
        });
      },
    },
  );

  return {
    job,
    state: () => state,
    ended,
    fail,
    suspend() {
      suspended = true;
      close();
    },
  };
}

/** Lets requests through between two slices. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
