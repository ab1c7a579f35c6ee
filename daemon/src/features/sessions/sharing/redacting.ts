import { Worker } from 'node:worker_threads';
import type { KnownSecret, LeavingText, Looked, Redaction, Withheld } from './ports.ts';

type Asked =
  | { kind: 'entry'; entry: LeavingText; folder: string | null; known: readonly KnownSecret[] }
  | { kind: 'texts'; texts: readonly string[]; known: readonly KnownSecret[] }
  | { kind: 'learn'; texts: readonly string[] };

export type RedactionQuestion = { id: number } & Asked;

export type RedactionAnswer = { id: number } & (
  | { kind: 'entry'; entry: LeavingText; rules: readonly string[] }
  | { kind: 'texts'; texts: string[]; rules: readonly string[] }
  | { kind: 'learn'; secrets: readonly KnownSecret[] }
  | { kind: 'refused'; why: Withheld }
);

/** A thread that nobody asks anything gives its memory back after a while, ms. */
const IDLE = 60_000;
const MOST_MEMORY = 512;

/** Takes secrets out in a thread of its own, begun when it is needed. Where it breaks, what it was asked is refused: nothing leaves unseen. */
export function createRedaction(): Redaction {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;
  const waiting = new Map<number, (answer: RedactionAnswer) => void>();

  function begin(): Worker {
    const own = new Worker(new URL('./redaction-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
    });
    own.unref();
    own.on('message', (answer: RedactionAnswer) => {
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    });
    const broke = () => {
      if (worker !== own) return;
      worker = undefined;
      for (const [id, tell] of waiting) tell({ id, kind: 'refused', why: 'unreadable' });
      waiting.clear();
    };
    own.on('error', broke);
    own.on('messageerror', broke);
    own.on('exit', broke);
    return own;
  }

  function ask(asked: Asked): Promise<RedactionAnswer> {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (waiting.size > 0) return;
      const own = worker;
      worker = undefined;
      void own?.terminate();
    }, IDLE).unref();
    worker ??= begin();
    const id = (last += 1);
    const thread = worker;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      thread.postMessage({ id, ...asked } satisfies RedactionQuestion);
    });
  }

  return {
    async entry(entry, within): Promise<Looked> {
      const answer = await ask({ kind: 'entry', entry, ...within });
      if (answer.kind === 'refused') return { kind: 'withheld', why: answer.why };
      // What tells it apart has to stay what it is, and may hold no secret.
      if (answer.kind !== 'entry' || answer.entry.item !== entry.item)
        return { kind: 'withheld', why: 'unreadable' };
      return { kind: 'clean', entry: answer.entry, rules: answer.rules };
    },
    async texts(texts, known) {
      const answer = await ask({ kind: 'texts', texts, known });
      if (answer.kind !== 'texts') throw new Error('a text could not be looked through for secrets');
      return answer;
    },
    async learn(texts) {
      const answer = await ask({ kind: 'learn', texts });
      if (answer.kind !== 'learn') throw new Error('a text could not be looked through for secrets');
      return answer.secrets;
    },
  };
}
