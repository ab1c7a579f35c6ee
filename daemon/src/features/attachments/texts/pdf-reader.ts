import { Worker } from 'node:worker_threads';
import type { Stop } from '../../../platform/clock.ts';
import type { FromReader, ReadingLimits, TextLeftOut, ToReader } from './messages.ts';

/** The text of a PDF by its pages; those without text are not among them. */
export interface ReadText {
  pages: { page: number; text: string }[];
  left_out: TextLeftOut | null;
}

/** Reads PDFs, one at a time, in a thread that is begun with the first of them. */
export interface PdfReader {
  /** What a file says, as far as it was read. Rejects where the reader is stopped. */
  read(file: string): Promise<ReadText>;
  /** Gives the memory of the thread back; it is begun again where it is needed. */
  rest: Stop;
}

interface Limits extends ReadingLimits {
  /** Of one file, ms. */
  time: number;
  /** Of the thread, bytes, what lies outside of its heap included. */
  memory: number;
}

const MIB = 1024 * 1024;
export const LIMITS: Limits = { pages: 2_000, characters: 2_000_000, time: 120_000, memory: 384 * MIB };
/** The thread ends by itself with so much in its heap, MiB. */
const MOST_HEAP = { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 16 };
/** How often the memory of the thread is looked at, ms: a stream that unpacks to gigabytes does so at some hundred MB a second. */
const LOOK_EVERY = 50;

/** Makes the reader: whatever a file does there, the thread ends by its time and memory, and nobody waits for it. */
export function createPdfReader(limits: Limits = LIMITS): PdfReader {
  let worker: Worker | undefined;
  const rest = (): void => {
    const own = worker;
    worker = undefined;
    void own?.terminate();
  };

  function begin(): Worker {
    const own = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      resourceLimits: MOST_HEAP,
      // What the library says of the things that are wrong in a file is nobody's.
      stdout: true,
      stderr: true,
    });
    own.stdout.resume();
    own.stderr.resume();
    own.on('error', () => undefined);
    own.on('exit', () => {
      if (worker === own) worker = undefined;
    });
    own.unref();
    return own;
  }

  async function read(file: string): Promise<ReadText> {
    const own = (worker ??= begin());
    const pages: ReadText['pages'] = [];
    const { promise, resolve, reject } = Promise.withResolvers<TextLeftOut | null>();
    let isDone = false;
    const hear = (message: FromReader): void => {
      if (message.kind === 'page') pages.push({ page: message.page, text: message.text });
      else {
        isDone = true;
        resolve(message.left_out);
      }
    };
    const fail = (cause: NodeJS.ErrnoException): void =>
      resolve(cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'limit' : 'broken');
    const end = (): void => reject(new Error('the reading of PDFs was stopped'));
    own.on('message', hear).on('error', fail).on('exit', end);
    const time = setTimeout(() => resolve('limit'), limits.time);
    const look = setInterval(() => {
      void memoryOf(own).then((bytes) => bytes > limits.memory && resolve('limit'));
    }, LOOK_EVERY);
    try {
      own.postMessage({ file, pages: limits.pages, characters: limits.characters } satisfies ToReader);
      return { pages, left_out: await promise };
    } finally {
      clearTimeout(time);
      clearInterval(look);
      own.off('message', hear).off('error', fail).off('exit', end);
      // It may be at it still, or full of it.
      if (!isDone && worker === own) rest();
    }
  }

  return { read, rest };
}

/** Bytes that a thread holds; none where it ended meanwhile. */
async function memoryOf(worker: Worker): Promise<number> {
  const heap = await worker.getHeapStatistics().catch(() => undefined);
  return heap ? heap.used_heap_size + heap.external_memory : 0;
}
