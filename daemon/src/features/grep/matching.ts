import { Worker } from 'node:worker_threads';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { createThread } from '@reverie/shared/threads/thread';
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
  const free: ReturnType<typeof startThread>[] = [];

  const startThread = () =>
    createThread<MatchQuestion, MatchAnswer>({
      begin: () => new Worker(new URL('./grep-worker.ts', import.meta.url), { resourceLimits: MOST_MEMORY }),
      ended: 'the thread that looks for patterns ended',
      idle,
    });

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
      const own = free.pop() ?? startThread();
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
          // One that breaks ends, and nobody else waits for it.
          const heard = own.ask({ ...pattern, ...wanted }).catch(() => undefined);
          const answer = await Promise.race([heard, over.promise]);
          clearTimeout(slow);
          left = Math.max(0, left - (performance.now() - from));
          if (answer) isBusy = false;
          return answer;
        },
        inTime: (promised) => Promise.race([promised, over.promise]),
        end() {
          clearTimeout(clock);
          if (isBusy) own.rest();
          free.push(own);
          leave(account);
        },
      };
    },
    stop() {
      for (const one of free) one.rest();
    },
  };
}
