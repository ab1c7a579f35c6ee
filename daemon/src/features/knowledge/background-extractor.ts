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
  extract(sources: readonly FactSource[]): Promise<ExtractionReply['facts']>;
  /** Ends the thread, to free its memory; the next `extract` starts it again. */
  rest(): void;
}

/** The id of what the thread says first: that it is loaded. */
export const LOADED = 0;

/**
 * A batch that takes longer, in milliseconds, is given up: a rule may have met a text that it never ends on. It counts from when the thread is
 * loaded, for that takes as long on a busy machine, and would cost a memory its facts.
 */
const PATIENCE = 20_000;

/** A worker thread with the parsers, started when there is work: they take 400 ms to load and 60 MB. */
export function createBackgroundExtractor(patience = PATIENCE): BackgroundExtractor {
  let worker: Worker | undefined;
  const loaded = new WeakSet<Worker>();
  let next = LOADED;
  return {
    extract(sources) {
      const running = (worker ??= startWorker());
      const id = (next += 1);
      return new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined;
        const count = () => {
          timer = setTimeout(() => {
            fail(new Error(`finding facts took longer than ${patience} ms`));
            void running.terminate();
          }, patience).unref();
        };
        const settle = () => {
          clearTimeout(timer);
          running.off('message', receive);
          running.off('error', fail);
          running.off('exit', end);
        };
        const receive = (reply: ExtractionReply) => {
          if (reply.id === LOADED) {
            loaded.add(running);
            count();
          }
          if (reply.id !== id) return;
          settle();
          resolve(reply.facts);
        };
        const fail = (cause: Error) => {
          settle();
          if (worker === running) worker = undefined;
          reject(cause);
        };
        const end = () => fail(new Error('the thread that finds facts ended'));
        running.on('message', receive);
        running.on('error', fail);
        running.on('exit', end);
        if (loaded.has(running)) count();
        running.postMessage({ id, sources } satisfies ExtractionRequest);
      });
    },
    rest() {
      void worker?.terminate();
      worker = undefined;
    },
  };
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./extraction-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // A thread that waits for work does not keep the process alive.
  worker.unref();
  return worker;
}
