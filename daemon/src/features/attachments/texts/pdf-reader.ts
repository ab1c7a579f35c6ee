import { Worker } from 'node:worker_threads';
import { createThread, ThreadEnded } from '@reverie/shared/threads/thread';
import type { Stop } from '../../../platform/clock.ts';
import type { PdfPage, PdfQuestion, ReadingLimits, TextLeftOut } from './messages.ts';

/** The text of a PDF by its pages; those without text are not among them. */
export interface ReadText {
  pages: PdfPage[];
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
  const thread = createThread<PdfQuestion, TextLeftOut | null, PdfPage>({
    begin() {
      worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
        resourceLimits: MOST_HEAP,
        // What the library says of the things that are wrong in a file is nobody's.
        stdout: true,
        stderr: true,
      });
      worker.stdout.resume();
      worker.stderr.resume();
      return worker;
    },
    ended: 'the reading of PDFs was stopped',
  });

  async function read(file: string): Promise<ReadText> {
    const pages: PdfPage[] = [];
    const over = Promise.withResolvers<'over'>();
    const time = setTimeout(over.resolve, limits.time, 'over');
    const look = setInterval(() => {
      void memoryOf(worker).then((bytes) => bytes > limits.memory && over.resolve('over'));
    }, LOOK_EVERY);
    try {
      const question = { file, pages: limits.pages, characters: limits.characters };
      const asked = thread.ask(question, { hear: (page) => pages.push(page) });
      const left_out = await Promise.race([asked.catch(whyEnded), over.promise]);
      if (left_out !== 'over') return { pages, left_out };
      // It may be at it still, or full of it.
      thread.rest();
      return { pages, left_out: 'limit' };
    } finally {
      clearTimeout(time);
      clearInterval(look);
    }
  }

  return { read, rest: thread.rest };
}

function whyEnded(cause: NodeJS.ErrnoException): TextLeftOut {
  if (cause instanceof ThreadEnded) throw cause;
  return cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'limit' : 'broken';
}

/** Bytes that a thread holds; none where it ended meanwhile. */
async function memoryOf(worker: Worker | undefined): Promise<number> {
  const heap = await worker?.getHeapStatistics().catch(() => undefined);
  return heap ? heap.used_heap_size + heap.external_memory : 0;
}
