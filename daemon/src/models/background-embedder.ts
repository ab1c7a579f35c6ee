import { Worker } from 'node:worker_threads';
import { createThread, type Thread } from '@reverie/shared/threads/thread';
import { type Breaker, createBreaker, type ServerState } from './breaker.ts';
import type { QuantisedVector, WeightedText } from './embedder.ts';

/** Texts in their parts. */
type Texts = readonly (readonly WeightedText[])[];

/** Makes vectors away from the main thread, in the order of the texts. */
export interface BackgroundEmbedder {
  encode(texts: Texts): Promise<QuantisedVector[]>;
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
  let embedding: Embedding | undefined;

  async function encode(texts: Texts, { isAgain = false } = {}): Promise<QuantisedVector[]> {
    const running = (embedding ??= startThread(script));
    try {
      await inTime(running.loading, loadingMs, 'loading what makes vectors');
      const vectors = await inTime(running.thread.ask(texts), batchMs, 'making vectors');
      breaker.succeeded();
      return vectors;
    } catch (cause) {
      // What ended because it is not wanted any more is no failure.
      const isWanted = embedding === running;
      if (isWanted) embedding = undefined;
      running.thread.rest();
      const { nothing } = running;
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
      embedding?.thread.rest();
      embedding = undefined;
    },
    retryAt: () => now() + breaker.wait(),
    state: breaker.state,
  };
}

interface Embedding {
  thread: Thread<Texts, QuantisedVector[]>;
  loading: Promise<void>;
  /** The vector of a text that says nothing; undefined before the thread is loaded. */
  nothing?: QuantisedVector | undefined;
}

function startThread(script: URL): Embedding {
  const thread = createThread<Texts, QuantisedVector[]>({
    begin: () => new Worker(script),
    ended: 'the embedding thread ended',
  });
  const running: Embedding = {
    thread,
    loading: thread.ask([[]]).then(([nothing]) => void (running.nothing = nothing)),
  };
  return running;
}

/** Rejects where something takes longer than so many ms. */
function inTime<T>(promised: Promise<T>, ms: number, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms).unref();
  return Promise.race([promised, promise]).finally(() => clearTimeout(timer));
}
