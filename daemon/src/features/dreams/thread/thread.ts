import { Worker } from 'node:worker_threads';
import type { FromThread, ToThread, DreamWork } from './messages.ts';

/** Who listens to a dream's thread. */
export interface ThreadEars {
  /** Answers what the thread waits for; undefined where it waits for nothing. */
  hear(message: FromThread): Promise<ToThread | undefined>;
  /** It ended before it was told to: out of memory, or a bug. */
  broke(cause: Error): void;
}

/** A thread may hold so much before it, and not the daemon, runs out of memory; in MiB. */
const MOST_MEMORY = 1536;

/** Starts the thread of a dream; when `ending` is aborted, the thread ends at once and nothing more is heard of it. */
export function startThread(
  work: Omit<DreamWork, 'cancelled'>,
  { hear, broke }: ThreadEars,
  ending: AbortSignal,
): void {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { ...work, cancelled: flag.buffer } satisfies DreamWork,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
  });
  // A dream does not keep the process alive: it goes on after the next start.
  worker.unref();
  let isEnded = false;
  function end(): void {
    isEnded = true;
    // A strategy that looks at it ends by itself; the others are cut.
    Atomics.store(flag, 0, 1);
    void worker.terminate();
  }
  function fail(cause: Error): void {
    if (isEnded) return;
    end();
    broke(cause);
  }
  async function listen(message: FromThread): Promise<void> {
    const reply = await hear(message);
    if (reply && !isEnded) worker.postMessage(reply);
  }
  ending.addEventListener('abort', end, { once: true });
  worker.on('message', (message: FromThread) => {
    if (!isEnded) void listen(message);
  });
  worker.on('error', fail);
  worker.on('messageerror', fail);
  worker.on('exit', () => fail(new Error('the thread of the dream ended')));
}
