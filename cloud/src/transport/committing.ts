import type { Appended, AppendOutcome, UpdateLog } from '../update-log/update-log.ts';
import { sizeOf } from '../update-log/update-log.ts';

/** An entry on its way to the disk, and who waits for it. */
export interface WaitingAppend<C> {
  from: C;
  appended: Appended;
}

/** An entry with what became of it. */
export interface DoneAppend<C> extends WaitingAppend<C> {
  outcome: AppendOutcome;
}

export interface CommitterDeps<C> {
  log: Pick<UpdateLog, 'append'>;
  /** Told of each batch once it is on disk. */
  committed(done: readonly DoneAppend<C>[]): void;
  /** Told of a batch of which nothing was stored, such as when the disk is full. */
  failed(lost: readonly WaitingAppend<C>[], cause: unknown): void;
}

/** Commits in groups: what came in one turn of the event loop waits for the disk together. */
export interface Committer<C> {
  add(waiting: WaitingAppend<C>): void;
  /** Resolves when everything that was added is on disk, or failed. */
  idle(): Promise<void>;
}

/** One batch at most: more would make the first of them wait long. */
const MOST_ENTRIES = 4096;
const MOST_BYTES = 16 * 1024 * 1024;

export function createCommitter<C>({ log, committed, failed }: CommitterDeps<C>): Committer<C> {
  let queue: WaitingAppend<C>[] = [];
  let running: Promise<void> | undefined;

  function take(): WaitingAppend<C>[] {
    let bytes = 0;
    let count = 0;
    for (const { appended } of queue) {
      bytes += sizeOf(appended.entry);
      count += 1;
      if (count >= MOST_ENTRIES || bytes >= MOST_BYTES) break;
    }
    const batch = queue.slice(0, count);
    queue = queue.slice(count);
    return batch;
  }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      // After the sockets were read: all that they brought in this turn goes with it.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = take();
      let outcomes: readonly AppendOutcome[];
      try {
        outcomes = await log.append(batch.map(({ appended }) => appended));
      } catch (cause) {
        failed(batch, cause);
        continue;
      }
      committed(
        batch.flatMap((waiting, index) => {
          const outcome = outcomes[index];
          return outcome ? [{ ...waiting, outcome }] : [];
        }),
      );
    }
  }

  const start = () => {
    running ??= run().finally(() => {
      running = undefined;
      if (queue.length > 0) start();
    });
  };

  return {
    add(waiting) {
      queue.push(waiting);
      start();
    },
    async idle() {
      while (running) await running;
    },
  };
}
