import { turnOfOnesOwn } from '@reverie/shared/time/turns';

/** How long work holds the thread before others have their turn, ms. */
export const AT_A_TIME_MS = 25;

/** Called between the pieces of some work: others may have their turn there. */
export type YieldToOthers = () => Promise<void>;

/**
 * Makes a function to be called between the pieces of some work: it lets others have their turn where the work has held the thread for
 * `AT_A_TIME_MS`, else it goes on at once. Of several that work so, one goes on at a time.
 */
export function createYielding(elapsed: () => number = () => performance.now()): YieldToOthers {
  let from = elapsed();
  return async () => {
    if (elapsed() - from < AT_A_TIME_MS) return;
    await turnOfOnesOwn();
    from = elapsed();
  };
}
