import { Worker } from 'node:worker_threads';
import type { Stop } from '../../../platform/clock.ts';
import type { FromThread, ToThread, FollowingWork } from './messages.ts';

export interface ThreadEars {
  /** A batch is taken when this returns. */
  hear(message: FromThread): void;
  /** It ended by itself: out of memory, or a bug. */
  broke(cause: Error): void;
}

/** A line of 64 MiB takes some hundred MiB while it is read; in MiB. */
const MOST_MEMORY = 1024;

/** Follows the logs of an agent in a thread of its own. */
export function startThread(work: FollowingWork, { hear, broke }: ThreadEars): Stop {
  let isEnded = false;
  const worker = new Worker(new URL('./log-thread.ts', import.meta.url), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
  });
  worker.unref();
  const end = (): void => {
    isEnded = true;
    void worker.terminate();
  };
  const fail = (cause: Error): void => {
    if (isEnded) return;
    end();
    broke(cause);
  };
  worker.on('message', (message: FromThread) => {
    if (isEnded) return;
    try {
      hear(message);
    } catch (cause) {
      return fail(cause instanceof Error ? cause : new Error(String(cause)));
    }
    // Later, for a port is read until it is empty: answered at once, a thread that keeps up would leave no turn to anybody else.
    if (message.kind === 'batch')
      setImmediate(() => {
        worker.postMessage({ kind: 'taken' } satisfies ToThread);
      });
  });
  worker.on('error', fail);
  worker.on('messageerror', fail);
  worker.on('exit', () => fail(new Error('the thread that reads the logs ended')));
  return end;
}
