import { Worker } from 'node:worker_threads';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Stop } from '../../platform/clock.ts';
import type { MatchAnswer, MatchQuestion } from './grep-worker.ts';
import type { LinePattern } from './line-match.ts';

/** A thread that one call has for itself until it ends. */
export interface Matching {
  /** Lines of some texts; undefined once the time of the call is over, which ends what the thread is at. */
  match(wanted: Pick<MatchQuestion, 'texts' | 'context' | 'most'>): Promise<MatchAnswer | undefined>;
  /** Waits for something, but no longer than the time of the call. */
  inTime<T>(waiting: Promise<T>): Promise<T | undefined>;
  end(): void;
}

export interface Matchers {
  /** Begins a call where its account has none and a thread is free; waits for that. */
  begin(account: AccountId, pattern: LinePattern): Promise<Matching>;
  /** Ends all threads. */
  stop: Stop;
}

/** Times in ms. */
interface Times {
  /** For which the thread of a call is at its texts, all together. */
  thread: number;
  /** Of the whole call: texts are read, and looked through for secrets. */
  call: number;
  /** After which a thread that nobody needs gives its memory back. */
  idle: number;
}

const TIMES: Times = { thread: 2_000, call: 10_000, idle: 60_000 };
/** Calls that are answered at a time, of different accounts. */
const AT_ONCE = 2;
const MOST_MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** Makes what holds patterns against texts in threads of their own: whatever a pattern does there, its call ends in time. */
export function createMatchers({ thread, call, idle }: Times = TIMES): Matchers {
  const running = new Set<AccountId>();
  const waiting = new Set<{ account: AccountId; begin: () => void }>();
  const free = new Set<Worker>();
  let rest: NodeJS.Timeout | undefined;

  function stop(): void {
    clearTimeout(rest);
    for (const worker of free) void worker.terminate();
    free.clear();
  }

  function takeThread(): Worker {
    const [worker] = free;
    if (worker) {
      free.delete(worker);
      return worker;
    }
    const made = new Worker(new URL('./grep-worker.ts', import.meta.url), { resourceLimits: MOST_MEMORY });
    made.unref();
    made.once('exit', () => free.delete(made));
    // One that breaks ends, which who asked it hears; nobody else waits for it.
    made.on('error', () => undefined);
    return made;
  }

  async function place(account: AccountId): Promise<void> {
    if (running.size >= AT_ONCE || running.has(account))
      await new Promise<void>((resolve) => {
        const one = {
          account,
          begin() {
            waiting.delete(one);
            running.add(account);
            resolve();
          },
        };
        waiting.add(one);
      });
    running.add(account);
  }

  function leave(account: AccountId): void {
    running.delete(account);
    for (const next of waiting) {
      if (running.size >= AT_ONCE) return;
      if (!running.has(next.account)) next.begin();
    }
  }

  return {
    async begin(account, pattern) {
      await place(account);
      clearTimeout(rest);
      const worker = takeThread();
      const over = Promise.withResolvers<undefined>();
      const clock = setTimeout(over.resolve, call, undefined).unref();
      /** Whether the thread may be at something still. */
      let isBusy = false;
      let left = thread;
      return {
        async match(wanted) {
          isBusy = true;
          const from = performance.now();
          const slow = setTimeout(over.resolve, left, undefined).unref();
          const heard = answerOf(worker, { ...pattern, ...wanted });
          const answer = await Promise.race([heard, over.promise]);
          clearTimeout(slow);
          left = Math.max(0, left - (performance.now() - from));
          if (answer) isBusy = false;
          return answer;
        },
        inTime: (promised) => Promise.race([promised, over.promise]),
        end() {
          clearTimeout(clock);
          if (isBusy) void worker.terminate();
          else free.add(worker);
          rest = setTimeout(stop, idle).unref();
          leave(account);
        },
      };
    },
    stop,
  };
}

/** The answer of a thread; undefined where it ended instead, out of memory, say. */
function answerOf(worker: Worker, question: MatchQuestion): Promise<MatchAnswer | undefined> {
  const { promise, resolve } = Promise.withResolvers<MatchAnswer | undefined>();
  const hear = (answer: MatchAnswer) => resolve(answer);
  const end = () => resolve(undefined);
  worker.once('message', hear).once('exit', end);
  worker.postMessage(question);
  return promise.finally(() => worker.off('message', hear).off('exit', end));
}
