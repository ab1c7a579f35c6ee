import { Worker } from 'node:worker_threads';
import type { FromThread, ToThread, Work } from './messages.ts';

/** A dream's thread from outside. */
export interface DreamThread {
  tell(message: ToThread): void;
  /** Ends it at once; nothing is heard of it any more. */
  end(): void;
}

export interface ThreadEars {
  hear(message: FromThread): void;
  /** It ended before it was told to: out of memory, or a bug. */
  broke(cause: Error): void;
}

/** A thread may hold so much before it, and not the daemon, runs out of memory; in MiB. */
const MOST_MEMORY = 1536;

export function startThread(work: Omit<Work, 'cancelled'>, { hear, broke }: ThreadEars): DreamThread {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  let isEnded = false;
  const end = (): void => {
    isEnded = true;
    // A strategy that looks at it ends by itself; the others are cut.
    Atomics.store(flag, 0, 1);
    void worker.terminate();
  };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { ...work, cancelled: flag.buffer } satisfies Work,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
  });
  // A dream does not keep the process alive: it goes on after the next start.
  worker.unref();
  const fail = (cause: Error): void => {
    if (isEnded) return;
    end();
    broke(cause);
  };
  worker.on('message', (message: FromThread) => {
    if (!isEnded) hear(message);
  });
  worker.on('error', fail);
  worker.on('messageerror', fail);
  worker.on('exit', () => fail(new Error('the thread of the dream ended')));
  return {
    tell: (message) => {
      if (!isEnded) worker.postMessage(message);
    },
    end,
  };
}
