import { Worker } from 'node:worker_threads';
import type { Redacted } from '../redaction/redaction.ts';
import type { Leaving, Looked, Redaction } from './ports.ts';

export interface RedactionQuestion {
  id: number;
  texts: readonly string[];
}

export type RedactionAnswer =
  | { id: number; kind: 'looked'; redacted: readonly Redacted[] }
  | { id: number; kind: 'refused'; why: 'too_large' | 'unreadable' };

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

  function ask(texts: readonly string[]): Promise<RedactionAnswer> {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (waiting.size > 0) return;
      const own = worker;
      worker = undefined;
      void own?.terminate();
    }, IDLE).unref();
    worker ??= begin();
    const id = (last += 1);
    const asked = worker;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      asked.postMessage({ id, texts } satisfies RedactionQuestion);
    });
  }

  return {
    async entry(entry): Promise<Looked> {
      // A record that nobody knows may hold anything.
      if (entry.kind === 'other') return { kind: 'withheld', why: 'other' };
      const answer = await ask(textsOf(entry));
      if (answer.kind === 'refused') return { kind: 'withheld', why: answer.why };
      const [text = '', author_name = '', tool = '', call = '', ...files] = answer.redacted.map(
        (one) => one.text,
      );
      return {
        kind: 'clean',
        rules: answer.redacted.flatMap(({ findings }) => findings.map(({ rule }) => rule)),
        entry: {
          ...{ kind: entry.kind, text, author_name, files },
          tool: entry.tool === null ? null : tool,
          call: entry.call === null ? null : call,
        },
      };
    },
    async text(text) {
      const answer = await ask([text]);
      const [redacted] = answer.kind === 'looked' ? answer.redacted : [];
      if (!redacted) throw new Error('a text could not be looked through for secrets');
      return { text: redacted.text, rules: redacted.findings.map(({ rule }) => rule) };
    },
  };
}

function textsOf({ text, author_name, tool, call, files }: Leaving): string[] {
  return [text, author_name, tool ?? '', call ?? '', ...files];
}
