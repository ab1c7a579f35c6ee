import { parentPort, type Transferable, type Worker } from 'node:worker_threads';

/** A thread that answers questions in their order. It is begun by the first one, and does not keep the process alive. */
export interface Thread<Question, Answer, Part = never> {
  /**
   * Resolves to the answer; `hear` is told what the thread says before. Rejects where the thread breaks or ends first, and the next question
   * begins another; throws where none can be begun.
   */
  ask(question: Question, how?: Asking<Part>): Promise<Answer>;
  /** Ends it, to free its memory. */
  rest(): void;
}

interface Asking<Part> {
  transfer?: readonly Transferable[];
  hear?: ((part: Part) => void) | undefined;
}

interface ThreadOptions {
  begin: () => Worker;
  /** What they hear who wait when it ends. */
  ended: string;
  /** After so many ms without a question it gives its memory back. */
  idle?: number | undefined;
}

/** That a thread ended, by `rest` or by itself, and told no reason. */
export class ThreadEnded extends Error {}

type FromThread<Answer, Part> = { kind: 'part'; part: Part } | { kind: 'answer'; answer: Answer };

/** Makes a thread whose script calls `answerQuestions`. */
export function createThread<Question, Answer, Part = never>(
  options: ThreadOptions,
): Thread<Question, Answer, Part> {
  const waiting: (PromiseWithResolvers<Answer> & Pick<Asking<Part>, 'hear'>)[] = [];
  let worker: Worker | undefined;
  let resting: NodeJS.Timeout | undefined;

  function end(cause: Error): void {
    clearTimeout(resting);
    void worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.splice(0)) reject(cause);
  }
  const rest = () => end(new ThreadEnded(options.ended));

  function hear(message: FromThread<Answer, Part>): void {
    if (message.kind === 'part') return waiting[0]?.hear?.(message.part);
    waiting.shift()?.resolve(message.answer);
    if (options.idle !== undefined && waiting.length === 0) resting = setTimeout(rest, options.idle).unref();
  }

  function begin(): Worker {
    const own = options.begin();
    own.unref();
    // One that was ended may still speak.
    const isCurrent = () => worker === own;
    const broke = (cause: Error) => isCurrent() && end(cause);
    own.on('message', (message: FromThread<Answer, Part>) => isCurrent() && hear(message));
    own.on('error', broke).on('messageerror', broke);
    own.on('exit', () => broke(new ThreadEnded(options.ended)));
    return own;
  }

  return {
    ask(question, { transfer = [], hear } = {}) {
      clearTimeout(resting);
      worker ??= begin();
      worker.postMessage(question, transfer);
      const answer = Promise.withResolvers<Answer>();
      waiting.push({ ...answer, hear });
      return answer.promise;
    },
    rest,
  };
}

/** Answers, in a thread, each question once the one before is answered; what is thrown ends the thread. */
export function answerQuestions<Question, Answer, Part = never>(
  answerTo: (question: Question, say: (part: Part) => void) => Answer | Promise<Answer>,
): void {
  const port = parentPort;
  if (!port) throw new Error('this is a thread, which its process begins');
  const send = (message: FromThread<Answer, Part>) => port.postMessage(message);
  const say = (part: Part) => send({ kind: 'part', part });
  let last = Promise.resolve();
  port.on('message', (question: Question) => {
    last = last.then(async () => send({ kind: 'answer', answer: await answerTo(question, say) }));
  });
}
