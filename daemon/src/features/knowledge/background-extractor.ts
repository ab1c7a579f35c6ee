import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FactSource, Statement } from './fact.ts';

export interface ExtractionRequest {
  id: number;
  sources: readonly FactSource[];
}

export interface ExtractionReply {
  id: number;
  /** One entry a source; null where its text made the rules fail. */
  facts: (readonly Statement[] | null)[];
  /** Why it cannot be loaded, with the id `LOADED`. */
  failed?: string;
}

/** Finds facts away from the daemon's process, in the order of the sources. */
export interface BackgroundExtractor {
  /** Rejects with `ExtractorNotLoaded` where no text is to blame, else because of one of these texts. */
  extract(sources: readonly FactSource[]): Promise<ExtractionReply['facts']>;
  /** Ends the process, to free its memory; the next `extract` starts it again. */
  rest(): void;
}

/** The process ended or hung before it was loaded, so that no text is to blame. */
export class ExtractorNotLoaded extends Error {}

/** The id of what the process says first: that it is loaded. */
export const LOADED = 0;

/** Limits of the process in milliseconds and MiB, and the script that it runs. */
export interface ExtractorLimits {
  /**
   * A batch that takes longer is given up: a rule may have met a text that it never ends on. It counts from when the process is loaded,
   * for that takes as long on a busy machine, and would cost a memory its facts.
   */
  readonly batchMs?: number;
  /** A process that is not loaded by then never will be. */
  readonly loadingMs?: number;
  /** Its old generation at most, in MiB. */
  readonly heapMb?: number;
  readonly script?: URL;
}

const BATCH_MS = 20_000;
const LOADING_MS = 120_000;
const HEAP_MB = 256;
const SCRIPT = new URL('./extraction-process.ts', import.meta.url);

/**
 * A process with the parsers, started when there is work: they take 400 ms to load and 60 MB. It is no thread, for V8 ends the whole
 * process where one allocation passes a thread's limit, and the daemon with it.
 */
export function createBackgroundExtractor({
  batchMs = BATCH_MS,
  loadingMs = LOADING_MS,
  heapMb = HEAP_MB,
  script = SCRIPT,
}: ExtractorLimits = {}): BackgroundExtractor {
  let child: ChildProcess | undefined;
  const loaded = new WeakSet<ChildProcess>();
  let next = LOADED;

  function started(): ChildProcess {
    // It breaks itself off later than it is ended from here, where there still is somebody to do it.
    const made = fork(fileURLToPath(script), [String(2 * batchMs)], {
      execArgv: [`--max-old-space-size=${heapMb}`],
      // What V8 says where it gives up is long, and what a parser says may quote a memory.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const forget = () => {
      if (child === made) child = undefined;
    };
    // A batch hears of it, too; between two of them nobody is to blame, and the next one starts another process.
    made.on('error', forget);
    made.on('disconnect', forget);
    made.on('message', ({ id, failed }: ExtractionReply) => {
      if (id === LOADED && failed === undefined) loaded.add(made);
    });
    // A process that waits for work does not keep the daemon alive.
    made.unref();
    made.channel?.unref();
    return made;
  }

  return {
    extract(sources) {
      const running = (child ??= started());
      const id = (next += 1);
      return new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined;
        const count = (ms: number, what: string) => {
          clearTimeout(timer);
          timer = setTimeout(() => fail(new Error(`${what} took longer than ${ms} ms`)), ms).unref();
        };
        const settle = () => {
          clearTimeout(timer);
          running.off('message', receive);
          running.off('error', fail);
          running.off('disconnect', end);
        };
        const receive = (reply: ExtractionReply) => {
          if (reply.id === LOADED && reply.failed !== undefined) fail(new Error(reply.failed));
          else if (reply.id === LOADED) count(batchMs, 'finding facts');
          if (reply.id !== id) return;
          settle();
          resolve(reply.facts);
        };
        const fail = (cause: Error) => {
          settle();
          if (child === running) child = undefined;
          running.kill('SIGKILL');
          reject(loaded.has(running) ? cause : new ExtractorNotLoaded(cause.message, { cause }));
        };
        // All that it had said is heard before this; that it exited may be heard before.
        const end = () => fail(new Error('the process that finds facts ended'));
        running.on('message', receive);
        running.on('error', fail);
        running.on('disconnect', end);
        if (loaded.has(running)) count(batchMs, 'finding facts');
        else count(loadingMs, 'loading what finds facts');
        running.send({ id, sources } satisfies ExtractionRequest, (err) => {
          if (err) fail(err);
        });
      });
    },
    rest() {
      child?.kill('SIGKILL');
      child = undefined;
    },
  };
}
