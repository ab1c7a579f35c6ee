import { setTimeout as pause } from 'node:timers/promises';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Stop } from '../../../platform/clock.ts';
import { dreamEvent } from './job-events.ts';
import { type DreamRun, type RunDeps, runDream } from './run.ts';
import { type JobEvent, type JobState, nextState } from './job-state.ts';
import { findJob, interruptedJobs, type Job, nextJob, saveState } from './jobs.store.ts';
import { forgetUnproposed, unmarkUnderWay } from './kept-answers.ts';
import { standForward } from '../thread/yielding.ts';

/** Takes dreams from the queue, one at a time. */
export interface Dreamer {
  /** Told after a commit that queued a dream. */
  wake(): void;
  /** How far the running dream is; undefined for others. */
  stateOf(id: string): JobState | undefined;
  cancel(account: AccountId, id: string): void;
  /** Goes on with what a crash interrupted, then with the queue. */
  start(): Stop;
}

export interface DreamerDeps extends RunDeps {
  /** Memories of an account whose facts are still to be found: a dream waits a little for them. */
  pendingFacts: (account: AccountId) => number;
}

/** How long a dream waits at most for facts, and how often it looks, in ms. */
const WAIT = { most: 60_000, each: 50 } as const;

const CANCELLED = { code: 'cancelled', message: 'It was cancelled' } as const;

export function createDreamer(deps: DreamerDeps): Dreamer {
  const { store, log, insights } = deps;
  let state: 'new' | 'idle' | 'busy' | 'stopped' = 'new';
  let running: DreamRun | undefined;
  /** The dream that waits for facts; it counts as running. */
  let waiting: Job | undefined;
  const isStopped = () => state === 'stopped';

  async function work(): Promise<void> {
    if (state !== 'idle') return;
    state = 'busy';
    try {
      // Not in the request that asked for it: its reply goes out first.
      await new Promise((resolve) => setImmediate(resolve));
      for (let job = next(); job && !isStopped(); job = next()) await dream(job);
    } catch (err) {
      log.error(
        { err },
        'dreams cannot go on; the next one that is started, or the next start of Reverie, tries again',
      );
    } finally {
      running = undefined;
      waiting = undefined;
      standForward();
      if (!isStopped()) state = 'idle';
    }
  }

  function next(): Job | undefined {
    return store.read((db) => interruptedJobs(db)[0] ?? nextJob(db));
  }

  async function dream(queued: Job): Promise<void> {
    const isResumed = queued.state.status === 'running';
    const events: JobEvent[] = [
      ...(isResumed ? [{ kind: 'interrupted' } as const] : []),
      { kind: 'started', at: insights.clock.now() },
    ];
    const job = { ...queued, state: events.reduce(nextState, queued.state) };
    store.write((db) => {
      saveState(db, job.id, job.state);
      const more = { strategies: job.state.strategies.map(({ strategy }) => strategy), resumed: isResumed };
      insights.record(db, dreamEvent('dream.started', { job, state: job.state, more }));
    });
    waiting = job;
    await factsOf(job.account);
    // It may have been cancelled meanwhile.
    if (isStopped() || waiting?.id !== job.id) return;
    waiting = undefined;
    running = runDream(deps, job);
    await running.ended;
    running = undefined;
  }

  async function factsOf(account: AccountId): Promise<void> {
    const until = performance.now() + WAIT.most;
    while (!isStopped() && waiting && performance.now() < until && deps.pendingFacts(account) > 0)
      await pause(WAIT.each, undefined, { ref: false });
  }

  return {
    wake: () => void work(),
    stateOf: (id) => (running?.job.id === id ? running.state() : undefined),
    cancel(account, id) {
      if (running?.job.id === id) return running.fail(CANCELLED);
      store.write((db) => {
        const job = findJob(db, account, id);
        if (!job) return;
        const failed = nextState(job.state, { kind: 'failed', at: insights.clock.now(), error: CANCELLED });
        forgetUnproposed(db, job, job.state);
        unmarkUnderWay(db, job);
        saveState(db, id, failed);
        insights.record(db, dreamEvent('dream.failed', { job, state: failed, more: { error: CANCELLED } }));
      });
      if (waiting?.id === id) waiting = undefined;
    },
    start() {
      state = 'idle';
      void work();
      return () => {
        state = 'stopped';
        running?.suspend();
      };
    },
  };
}
