import { Worker } from 'node:worker_threads';
import type { FactSource, Statement } from './fact.ts';

export interface ExtractionRequest {
  id: number;
  sources: readonly FactSource[];
}

export interface ExtractionReply {
  id: number;
  /** One entry a source; null where its text made the rules fail. */
  facts: (readonly Statement[] | null)[];
}

/** Finds facts away from the main thread, in the order of the sources. */
export interface BackgroundExtractor {
  /** Rejects with `ThreadNotLoaded` where no text is to blame, else because of one of these texts. */
  extract(sources: readonly FactSource[]): Promise<ExtractionReply['facts']>;
  /** Ends the thread, to free its memory; the next `extract` starts it again. */
  rest(): void;
}

/** The thread ended or hung before it had read anything: the texts are as good as they were. */
export class ThreadNotLoaded extends Error {}

/** The id of what the thread says first: that it is loaded. */
export const LOADED = 0;

/** How long the thread has, in milliseconds; and what it runs. */
export interface ExtractorLimits {
  /**
   * A batch that takes longer is given up: a rule may have met a text that it never ends on. It counts from when the thread is loaded,
   * for that takes as long on a busy machine, and would cost a memory its facts.
   */
  readonly batchMs?: number;
  /** A thread that is not loaded by then never will be. */
  readonly loadingMs?: number;
  readonly script?: URL;
}

const BATCH_MS = 20_000;
const LOADING_MS = 120_000;
const SCRIPT = new URL('./extraction-worker.ts', import.meta.url);

/** A worker thread with the parsers, started when there is work: they take 400 ms to load and 60 MB. */
export function createBackgroundExtractor({
  batchMs = BATCH_MS,
  loadingMs = LOADING_MS,
  script = SCRIPT,
}: ExtractorLimits = {}): BackgroundExtractor {
  let worker: Worker | undefined;
  const flags = new WeakMap<Worker, Int32Array>();
  // That a thread ended may be heard before what it said last: only memory that both have tells for sure.
  const isLoaded = (of: Worker) => Atomics.load(flags.get(of) ?? new Int32Array(1), 0) === 1;
  let next = LOADED;

  function started(): Worker {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const made = new Worker(script, { workerData: flag, resourceLimits: { maxOldGenerationSizeMb: 256 } });
    flags.set(made, flag);
    const forget = () => {
      if (worker === made) worker = undefined;
    };
    // A batch hears of it, too; between two of them nobody is to blame, and the next one starts another thread.
    made.on('error', forget);
    made.on('exit', forget);
    // A thread that waits for work does not keep the process alive.
    made.unref();
    return made;
  }

  return {
    extract(sources) {
      const running = (worker ??= started());
      const id = (next += 1);
      return new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined;
        const count = (ms: number, what: string) => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            fail(new Error(`${what} took longer than ${ms} ms`));
            void running.terminate();
          }, ms).unref();
        };
        const settle = () => {
          clearTimeout(timer);
          running.off('message', receive);
          running.off('error', fail);
          running.off('exit', end);
        };
        const receive = (reply: ExtractionReply) => {
          if (reply.id === LOADED) count(batchMs, 'finding facts');
          if (reply.id !== id) return;
          settle();
          resolve(reply.facts);
        };
        const fail = (cause: Error) => {
          settle();
          if (worker === running) worker = undefined;
          reject(isLoaded(running) ? cause : new ThreadNotLoaded(cause.message, { cause }));
        };
        const end = () => fail(new Error('the thread that finds facts ended'));
        running.on('message', receive);
        running.on('error', fail);
        running.on('exit', end);
        if (isLoaded(running)) count(batchMs, 'finding facts');
        else count(loadingMs, 'loading what finds facts');
        running.postMessage({ id, sources } satisfies ExtractionRequest);
      });
    },
    rest() {
      void worker?.terminate();
      worker = undefined;
    },
  };
}
