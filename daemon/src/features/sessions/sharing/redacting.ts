import { Worker } from 'node:worker_threads';
import { createThread } from '@reverie/shared/threads/thread';
import type { KnownSecret, LeavingText, Looked, Redaction, Withheld } from './ports.ts';

export type RedactionQuestion =
  | { kind: 'entry'; entry: LeavingText; folder: string | null; known: readonly KnownSecret[] }
  | { kind: 'texts'; texts: readonly string[]; known: readonly KnownSecret[] }
  | { kind: 'learn'; texts: readonly string[] };

export type RedactionAnswer =
  | { kind: 'entry'; entry: LeavingText; rules: readonly string[] }
  | { kind: 'texts'; texts: string[]; rules: readonly string[] }
  | { kind: 'learn'; secrets: readonly KnownSecret[] }
  | { kind: 'refused'; why: Withheld };

/** A thread that nobody asks anything gives its memory back after a while, ms. */
const IDLE = 60_000;
const MOST_MEMORY = 512;

/** Takes secrets out in a thread of its own, begun when it is needed. Where it breaks, what it was asked is refused: nothing leaves unseen. */
export function createRedaction(): Redaction {
  const thread = createThread<RedactionQuestion, RedactionAnswer>({
    begin: () =>
      new Worker(new URL('./redaction-worker.ts', import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
      }),
    ended: 'the thread that looks for secrets ended',
    idle: IDLE,
  });
  const ask = (question: RedactionQuestion): Promise<RedactionAnswer> =>
    thread.ask(question).catch(() => ({ kind: 'refused', why: 'unreadable' }));

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
