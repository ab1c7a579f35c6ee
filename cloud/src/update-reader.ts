import { Worker } from 'node:worker_threads';
import { isReadable } from './admission.ts';
import { createFairQueue } from './fair-queue.ts';

/** Whether each of some bodies can be read; `later` where so much of the account waits already that its device has to send them again. */
export type Readability = readonly boolean[] | 'later';

/** Tells whether bodies can be read as Yjs updates. */
export interface UpdateReader {
  /** At once for little; what is large is read beside the event loop, one message after the other, by turns of the accounts. */
  read(account: string, bodies: readonly Uint8Array[]): readonly boolean[] | Promise<Readability>;
  stop(): void;
}

/** What is read at once, bytes: less than a millisecond. an entry of the most structures takes half a second. */
const LITTLE = 64 * 1024;
/** What waits of one account at most, bytes: four of the largest entries, whose devices wait with more. */
const MOST_OF_ACCOUNT = 32 * 1024 * 1024;
/** A thread that read something large gives its memory back after a while, ms. */
const IDLE = 30_000;
/** What 8 MiB of the smallest structures take is less. */
const HEAP_MB = 1024;

interface ReadingJob {
  bodies: readonly Uint8Array[];
  done: (answers: Readability) => void;
}

export function createUpdateReader(mostOfAccount = MOST_OF_ACCOUNT, heapMb = HEAP_MB): UpdateReader {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const queue = createFairQueue<ReadingJob>(mostOfAccount);
  let current: ReadingJob | undefined;

  function finish(reading: ReadingJob, answers: Readability): void {
    queue.done(reading);
    reading.done(answers);
  }

  const refuse = (reading: ReadingJob) =>
    finish(
      reading,
      reading.bodies.map(() => false),
    );

  function give({ bodies }: ReadingJob): void {
    worker ??= start();
    // Copies: a view would take the whole buffer below it along.
    const copies = bodies.map((body) => Uint8Array.from(body));
    worker.postMessage(
      copies,
      copies.map(({ buffer }) => buffer),
    );
  }

  /** One message at a time is with the thread: who comes next is chosen when it is done. */
  function turn(): void {
    if (current) return;
    clearTimeout(idle);
    current = queue.next();
    if (!current) {
      if (worker) idle = setTimeout(end, IDLE).unref();
      return;
    }
    try {
      give(current);
    } catch {
      // No memory for the copies, or no thread: not the fault of what is to be read, and no reason to keep the others waiting for ever.
      const reading = current;
      current = undefined;
      finish(reading, 'later');
      turn();
    }
  }

  function end(): void {
    clearTimeout(idle);
    void worker?.terminate();
    worker = undefined;
    if (current) refuse(current);
    current = undefined;
    for (let next = queue.next(); next; next = queue.next()) refuse(next);
  }

  function start(): Worker {
    const made = new Worker(new URL('./update-reader-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    const answered = (answers: readonly boolean[] | undefined) => {
      const reading = current;
      current = undefined;
      if (reading && answers) finish(reading, answers);
      else if (reading) refuse(reading);
      turn();
    };
    made.on('message', (answers: readonly boolean[]) => {
      if (worker === made) answered(answers);
    });
    // What made it end is refused, and nothing is stored unread; the others are read by another thread.
    const failed = () => {
      if (worker !== made) return;
      worker = undefined;
      answered(undefined);
    };
    made.on('error', failed);
    made.on('exit', failed);
    made.unref();
    return made;
  }

  return {
    read(account, bodies) {
      const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
      if (bytes <= LITTLE) return bodies.map((body) => isReadable({ enc: false, body }));
      return new Promise((done) => {
        if (queue.add(account, { bodies, done }, bytes)) turn();
        else done('later');
      });
    },
    stop: end,
  };
}
