import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Stop } from '../../../platform/clock.ts';
import { standForward } from '../thread/yielding.ts';
import type { Hold } from './hold.ts';
import { findJob, type Job, nextJob } from './jobs.store.ts';
import { openRecord } from './record.ts';
import { type DreamRun, runDream } from './run.ts';
import type { RunDeps } from './run-deps.ts';

/** Takes dreams from the queue, one at a time. */
export interface Dreamer {
  /** Told after a commit that queued a dream. */
  wake(): void;
  cancel(account: AccountId, id: string): void;
  /** Goes on with what a crash interrupted, then with the queue. */
  start(): Stop;
}

export interface DreamerDeps extends RunDeps {
  /** Has dreams that have not begun wait. */
  hold: Pick<Hold, 'now' | 'onEnded'>;
}

const CANCELLED = { code: 'cancelled', message: 'It was cancelled' } as const;

type Phase = { kind: 'new' | 'idle' | 'busy' | 'stopped' } | { kind: 'dreaming'; run: DreamRun };

export function createDreamer(deps: DreamerDeps): Dreamer {
  const { store, log, insights } = deps;
  let phase: Phase = { kind: 'new' };
  const running = (id?: string) =>
    phase.kind === 'dreaming' && (id === undefined || phase.run.id === id) ? phase.run : undefined;
  const isStopped = () => phase.kind === 'stopped';

  const next = () => (isStopped() || deps.hold.now() ? undefined : store.read(nextJob));

  async function work(): Promise<void> {
    if (phase.kind !== 'idle') return;
    phase = { kind: 'busy' };
    try {
      // Not in the request that asked for it: its reply goes out first.
      await new Promise((resolve) => setImmediate(resolve));
      for (let job = next(); job; job = next()) await dream(job);
    } catch (err) {
      log.error(
        { err },
        'dreams cannot go on; the next one that is started, or the next start of Reverie, tries again',
      );
    } finally {
      standForward();
      if (!isStopped()) phase = { kind: 'idle' };
    }
  }

  async function dream(job: Job): Promise<void> {
    const record = openRecord(deps, job);
    const isResumed = job.state.status === 'running';
    record.write([
      ...(isResumed ? [{ kind: 'interrupted' } as const] : []),
      { kind: 'started', at: insights.clock.now(), isResumed },
    ]);
    const run = runDream(deps, record);
    phase = { kind: 'dreaming', run };
    await run.ended;
    if (!isStopped()) phase = { kind: 'busy' };
  }

  return {
    wake: () => void work(),
    cancel(account, id) {
      const run = running(id);
      if (run) return run.fail(CANCELLED);
      const job = store.read((db) => findJob(db, account, id));
      if (job) openRecord(deps, job).write([{ kind: 'failed', at: insights.clock.now(), error: CANCELLED }]);
    },
    start() {
      phase = { kind: 'idle' };
      const letGo = deps.hold.onEnded(() => void work());
      void work();
      return () => {
        letGo();
        running()?.suspend();
        phase = { kind: 'stopped' };
      };
    },
  };
}
