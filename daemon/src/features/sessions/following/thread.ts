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
  const messages: FromThread[] = [];
  // Each in a turn of its own, for a port is read until it is empty: nobody else would have one while a thread keeps up.
  const takeNext = (): void => {
    const message = messages.shift();
    if (isEnded || !message) return;
    try {
      hear(message);
    } catch (cause) {
      return fail(cause instanceof Error ? cause : new Error(String(cause)));
    }
    if (message.kind === 'batch') worker.postMessage({ kind: 'taken' } satisfies ToThread);
    if (messages.length > 0) setImmediate(takeNext);
  };
  worker.on('message', (message: FromThread) => {
    messages.push(message);
    if (messages.length === 1) setImmediate(takeNext);
  });
  worker.on('error', fail);
  worker.on('messageerror', fail);
  worker.on('exit', () => fail(new Error('the thread that reads the logs ended')));
  return end;
}
