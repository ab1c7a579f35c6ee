import { Worker } from 'node:worker_threads';
import type { DreamWork, FromThread, PlannedSheets } from './messages.ts';

/** A thread may hold so much before it, and not the daemon, runs out of memory, in MiB; with less for what is young it collects garbage sooner. */
const MOST_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

/**
 * Looks through a namespace in a thread of its own and hands on what it finds, one message after the other; resolves to what is to be read.
 * The thread is gone by then. Rejects where it broke (out of memory, or a bug), where `hear` throws, and with the signal's reason.
 */
export async function lookThrough(
  work: Omit<DreamWork, 'cancelled'>,
  hear: (message: Exclude<FromThread, { kind: 'planned' }>) => Promise<void> | void,
  signal: AbortSignal,
): Promise<PlannedSheets> {
  signal.throwIfAborted();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { ...work, cancelled: flag.buffer } satisfies DreamWork,
    resourceLimits: MOST_MEMORY,
  });
  // A dream does not keep the process alive: it goes on after the next start.
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<PlannedSheets>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  /** Messages are taken in order, each once the one before is written down. */
  let tail = Promise.resolve();
  worker.on('message', (message: FromThread) => {
    tail = tail.then(async () => {
      if (message.kind === 'planned') resolve(message);
      else await hear(message);
    });
    tail.catch(reject);
  });
  worker.on('error', reject);
  worker.on('messageerror', reject);
  worker.on('exit', () => {
    // What it said last may still wait in line.
    void tail.then(() => reject(new Error('the thread of the dream ended early')), reject);
  });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    // A finder that looks at it ends by itself; the others are cut.
    Atomics.store(flag, 0, 1);
    void worker.terminate();
  }
}
