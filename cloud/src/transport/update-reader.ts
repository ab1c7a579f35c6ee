import { Worker } from 'node:worker_threads';
import { createThread } from '@reverie/shared/threads/thread';
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
  const queue = createFairQueue<ReadingJob>(mostOfAccount);
  const thread = createThread<Uint8Array[], boolean[]>({
    begin: () =>
      new Worker(new URL('./update-reader-worker.ts', import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: heapMb },
      }),
    ended: 'the thread that reads updates ended',
    idle: IDLE,
  });
  let isReading = false;

  const refused = (bodies: readonly Uint8Array[]) => bodies.map(() => false);

  function finish(reading: ReadingJob, answers: Readability): void {
    queue.done(reading);
    reading.done(answers);
  }

  async function answersTo(bodies: readonly Uint8Array[]): Promise<Readability> {
    let asked: Promise<boolean[]>;
    try {
      // Copies: a view would take the whole buffer below it along.
      const copies = bodies.map((body) => Uint8Array.from(body));
      asked = thread.ask(copies, { transfer: copies.map(({ buffer }) => buffer) });
    } catch {
      // No memory for the copies, or no thread: not the fault of what is to be read, and no reason to keep the others waiting for ever.
      return 'later';
    }
    // What made it end is refused, and nothing is stored unread; the others are read by another thread.
    return asked.catch(() => refused(bodies));
  }

  /** One message at a time is with the thread: who comes next is chosen when it is done. */
  function turn(): void {
    const reading = isReading ? undefined : queue.next();
    if (!reading) return;
    isReading = true;
    void answersTo(reading.bodies).then((answers) => {
      isReading = false;
      finish(reading, answers);
      turn();
    });
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
    stop() {
      thread.rest();
      for (let next = queue.next(); next; next = queue.next()) finish(next, refused(next.bodies));
    },
  };
}
