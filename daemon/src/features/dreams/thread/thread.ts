import { Worker } from 'node:worker_threads';
import { createThread } from '@reverie/shared/threads/thread';
import type { DreamWork, FromThread, PlannedSheets } from './messages.ts';

/** A thread may hold so much before it, and not the daemon, runs out of memory, in MiB; with less for what is young it collects garbage sooner. */
const MOST_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

/**
 * Looks through a namespace in a thread of its own and hands on what it finds, one message after the other; resolves to what is to be read.
 * The thread is gone by then. Rejects where it broke (out of memory, or a bug), where `hear` throws, and with the signal's reason.
 */
export async function lookThrough(
  work: Omit<DreamWork, 'cancelled'>,
  hear: (message: FromThread) => Promise<void> | void,
  signal: AbortSignal,
): Promise<PlannedSheets> {
  signal.throwIfAborted();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const thread = createThread<DreamWork, PlannedSheets, FromThread>({
    begin: () => new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits: MOST_MEMORY }),
    ended: 'the thread of the dream ended early',
  });
  const cut = Promise.withResolvers<never>();
  const abort = () => cut.reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  /** Messages are taken in order, each once the one before is written down. */
  let tail = Promise.resolve();
  const take = (message: FromThread): void => {
    tail = tail.then(() => hear(message));
    tail.catch(cut.reject);
  };
  async function answered(): Promise<PlannedSheets> {
    try {
      return await thread.ask({ ...work, cancelled: flag.buffer }, { hear: take });
    } finally {
      // What it said last may still wait in line.
      await tail;
    }
  }
  try {
    return await Promise.race([answered(), cut.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    // A finder that looks at it ends by itself; the others are cut.
    Atomics.store(flag, 0, 1);
    thread.rest();
  }
}
