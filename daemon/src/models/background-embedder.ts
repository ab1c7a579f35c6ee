import { Worker } from 'node:worker_threads';
import type { QuantisedVector, WeightedText } from './embedder.ts';

export interface EmbeddingRequest {
  id: number;
  texts: readonly (readonly WeightedText[])[];
}

export interface EmbeddingReply {
  id: number;
  vectors: QuantisedVector[];
}

/** Makes vectors away from the main thread, in the order of the texts. */
export interface BackgroundEmbedder {
  encode(texts: EmbeddingRequest['texts']): Promise<QuantisedVector[]>;
  /** Ends the thread, to free its memory; the next `encode` starts it again. */
  rest(): void;
  /** Finds out which model it is, where that is not known yet; rejects while its server does not answer. */
  ready?(): Promise<void>;
  /** When it may be asked again after a failure, in milliseconds since 1970. */
  retryAt?(): number;
}

/** A worker thread with its own copy of the built-in table, started when there is work. */
export function createBackgroundEmbedder(): BackgroundEmbedder {
  let worker: Worker | undefined;
  let next = 0;

  return {
    encode(texts) {
      const running = (worker ??= startWorker());
      const id = (next += 1);
      return new Promise((resolve, reject) => {
        const settle = () => {
          running.off('message', receive);
          running.off('error', fail);
          running.off('exit', end);
        };
        const receive = (reply: EmbeddingReply) => {
          if (reply.id !== id) return;
          settle();
          resolve(reply.vectors);
        };
        const fail = (cause: Error) => {
          settle();
          worker = undefined;
          reject(cause);
        };
        const end = () => fail(new Error('the embedding thread ended'));
        running.on('message', receive);
        running.on('error', fail);
        running.on('exit', end);
        running.postMessage({ id, texts } satisfies EmbeddingRequest);
      });
    },
    rest() {
      void worker?.terminate();
      worker = undefined;
    },
  };
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./embedding-worker.ts', import.meta.url));
  // A thread that waits for work does not keep the process alive.
  worker.unref();
  return worker;
}
