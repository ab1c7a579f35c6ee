import { Worker } from 'node:worker_threads';
import { type Breaker, createBreaker, type ServerState } from './breaker.ts';
import type { QuantisedVector, WeightedText } from './embedder.ts';

export interface EmbeddingRequest {
  id: number;
  texts: readonly (readonly WeightedText[])[];
}

export interface EmbeddingReply {
  id: number;
  vectors: QuantisedVector[];
}

/** The id of what the thread says first: that it is loaded. */
export const LOADED = 0;

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

/** The built-in table in a thread, and how it does. */
export interface ThreadEmbedder extends BackgroundEmbedder {
  state(): ServerState;
}

/** How long the thread has, in milliseconds, and what it runs. */
export interface EmbedderLimits {
  now: () => number;
  /** A batch that takes longer is given up; it counts from when the thread is loaded. */
  readonly batchMs?: number;
  /** A thread that is not loaded by then never will be. */
  readonly loadingMs?: number;
  readonly script?: URL;
}

const BATCH_MS = 60_000;
const LOADING_MS = 120_000;
const SCRIPT = new URL('./embedding-worker.ts', import.meta.url);

/**
 * A worker thread with its own copy of the built-in table, started when there is work. Texts that it fails on are given to it one by one;
 * the one that is to blame has a vector of zeros, and is found by its words. Where the thread does not load, it is left alone for a while.
 */
export function createBackgroundEmbedder({
  now,
  batchMs = BATCH_MS,
  loadingMs = LOADING_MS,
  script = SCRIPT,
}: EmbedderLimits): ThreadEmbedder {
  const breaker: Breaker = createBreaker({ now, random: Math.random });
  let thread: Thread | undefined;

  async function encode(
    texts: EmbeddingRequest['texts'],
    { isAgain = false } = {},
  ): Promise<QuantisedVector[]> {
    const running = (thread ??= startThread(script));
    try {
      const vectors = await running.ask(texts, { batchMs, loadingMs });
      breaker.succeeded();
      return vectors;
    } catch (cause) {
      // What ended because it is not wanted any more is no failure.
      const isWanted = thread === running;
      if (isWanted) thread = undefined;
      running.end();
      const nothing = running.nothing();
      if (!isWanted) throw cause;
      if (!nothing) {
        breaker.failed((cause as Error).message);
        throw cause;
      }
      // Where all of Reverie stood still, as with Ctrl+Z, the time was up, and no text is to blame: none is given up at once.
      if (texts.length === 1 && isAgain) return [nothing];
      const each: QuantisedVector[] = [];
      for (const text of texts) each.push(...(await encode([text], { isAgain: true })));
      return each;
    }
  }

  return {
    encode: (texts) => encode(texts),
    rest() {
      thread?.end();
      thread = undefined;
    },
    retryAt: () => now() + breaker.wait(),
    state: breaker.state,
  };
}

interface Thread {
  ask(
    texts: EmbeddingRequest['texts'],
    limits: { batchMs: number; loadingMs: number },
  ): Promise<QuantisedVector[]>;
  /** The vector of a text that says nothing; undefined before the thread is loaded. */
  nothing(): QuantisedVector | undefined;
  end(): void;
}

function startThread(script: URL): Thread {
  // The length of its vectors once it is loaded. That it ended may be heard before what it said last: only memory that both have tells.
  const dimensions = new Int32Array(new SharedArrayBuffer(4));
  const isLoaded = () => Atomics.load(dimensions, 0) > 0;
  const worker = new Worker(script, { workerData: dimensions });
  let next = LOADED;
  // Whoever waits hears of it, too; where nobody does, it is no failure.
  worker.on('error', () => undefined);
  // A thread that waits for work does not keep the process alive.
  worker.unref();
  return {
    ask(texts, { batchMs, loadingMs }) {
      const id = (next += 1);
      return new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined;
        const count = (ms: number, what: string) => {
          clearTimeout(timer);
          timer = setTimeout(() => fail(new Error(`${what} took longer than ${ms} ms`)), ms).unref();
        };
        const settle = () => {
          clearTimeout(timer);
          worker.off('message', receive);
          worker.off('error', fail);
          worker.off('exit', end);
        };
        const receive = (reply: EmbeddingReply) => {
          if (reply.id === LOADED) count(batchMs, 'making vectors');
          if (reply.id !== id) return;
          settle();
          resolve(reply.vectors);
        };
        const fail = (cause: Error) => {
          settle();
          reject(cause);
        };
        const end = () => fail(new Error('the embedding thread ended'));
        worker.on('message', receive);
        worker.on('error', fail);
        worker.on('exit', end);
        if (isLoaded()) count(batchMs, 'making vectors');
        else count(loadingMs, 'loading what makes vectors');
        worker.postMessage({ id, texts } satisfies EmbeddingRequest);
      });
    },
    nothing: () => (isLoaded() ? { data: new Int8Array(Atomics.load(dimensions, 0)), scale: 0 } : undefined),
    end: () => void worker.terminate(),
  };
}
