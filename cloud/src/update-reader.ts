import { Worker } from 'node:worker_threads';
import { isReadable } from './admission.ts';

/** Tells whether bodies can be read as Yjs updates. */
export interface UpdateReader {
  /** At once for little; what is large is read beside the event loop, one message after the other. */
  read(bodies: readonly Uint8Array[]): readonly boolean[] | Promise<readonly boolean[]>;
  stop(): void;
}

/** What is read at once, bytes: less than a millisecond. 8 MiB of small structures take seconds. */
const LITTLE = 64 * 1024;
/** A thread that read something large gives its memory back after a while, ms. */
const IDLE = 30_000;
/** What 8 MiB of the smallest structures take is less. */
const HEAP_MB = 1024;

interface Reading {
  count: number;
  done: (answers: readonly boolean[]) => void;
}

export function createUpdateReader(): UpdateReader {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const queue: Reading[] = [];

  function rest(): void {
    clearTimeout(idle);
    idle = setTimeout(end, IDLE).unref();
  }

  function refuseAll(): void {
    for (const { count, done } of queue.splice(0)) done(Array.from({ length: count }, () => false));
  }

  function end(): void {
    clearTimeout(idle);
    void worker?.terminate();
    worker = undefined;
    refuseAll();
  }

  function start(): Worker {
    const made = new Worker(new URL('./update-reader-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    made.on('message', (answers: readonly boolean[]) => {
      if (worker !== made) return;
      queue.shift()?.done(answers);
      if (queue.length === 0) rest();
    });
    // What made it end cannot be told from what waited behind it: all of that is refused, and nothing is stored unread.
    const failed = () => {
      if (worker !== made) return;
      worker = undefined;
      refuseAll();
    };
    made.on('error', failed);
    made.on('exit', failed);
    made.unref();
    return made;
  }

  return {
    read(bodies) {
      if (bodies.reduce((sum, { length }) => sum + length, 0) <= LITTLE)
        return bodies.map((body) => isReadable({ enc: false, body }));
      return new Promise((done) => {
        clearTimeout(idle);
        worker ??= start();
        queue.push({ count: bodies.length, done });
        // Copies: a view would take the whole buffer below it along.
        const copies = bodies.map((body) => Uint8Array.from(body));
        worker.postMessage(
          copies,
          copies.map(({ buffer }) => buffer),
        );
      });
    },
    stop: end,
  };
}
