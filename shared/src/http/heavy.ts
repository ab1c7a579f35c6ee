import { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { Problem } from '../contract/problems.ts';
import { turnOfOnesOwn } from '../time/turns.ts';

/** How many heavy requests of one account are answered at a time, and how many more of them may wait. */
export interface HeavyLimits {
  atOnce: number;
  waiting: number;
}

/** How long a client may take nothing of a heavy answer before its connection is cut: the answer stays in memory until then, ms. */
const UNTAKEN = 60_000;

interface Lane {
  running: number;
  /** Those that wait, in the order in which they came; called with a place that became free. */
  waiting: Set<() => void>;
}

/**
 * Lets the heavy requests of each account begin a few at a time, and each in a turn of its own, so that no account's requests keep others
 * waiting. Answers what a request calls before it is answered: it resolves once it may be, and holds its place until its answer has gone.
 * Throws `rate_limited` where too many wait.
 */
export function createHeavyRequests<Account>(
  limitsOf: (account: Account) => HeavyLimits,
): (account: Account, response: ServerResponse) => Promise<void> {
  const lanes = new Map<Account, Lane>();

  /** Hands a place on to the next that waits. */
  function leave(account: Account, lane: Lane): void {
    const [next] = lane.waiting;
    if (next) return next();
    lane.running -= 1;
    if (lane.running === 0) lanes.delete(account);
  }

  function place(lane: Lane, response: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        lane.waiting.delete(begin);
        response.off('close', giveUp);
      };
      const begin = () => {
        stop();
        resolve();
      };
      const giveUp = () => {
        stop();
        reject(new Problem('unavailable', 'The client went away before its request was begun'));
      };
      lane.waiting.add(begin);
      response.once('close', giveUp);
    });
  }

  return async (account, response) => {
    const lane = lanes.get(account) ?? { running: 0, waiting: new Set() };
    lanes.set(account, lane);
    const { atOnce, waiting } = limitsOf(account);
    if (lane.running < atOnce) lane.running += 1;
    else if (lane.waiting.size >= waiting) throw tooMany(atOnce);
    else await place(lane, response);
    let isOver = false;
    const end = () => {
      if (!isOver) leave(account, lane);
      isOver = true;
    };
    // The one where all of it is on its way, the other where it never will be.
    response.once('finish', end).once('close', end);
    if (response.destroyed) end();
    await turnOfOnesOwn();
  };
}

/** Cuts the connection of a client that takes nothing of its answer. */
export function cutIfUntaken({ socket }: ServerResponse): void {
  // Requests of this process itself have none.
  if (socket instanceof Socket) socket.setTimeout(UNTAKEN);
}

function tooMany(atOnce: number): Problem {
  return new Problem(
    'rate_limited',
    `Requests of this kind are answered ${atOnce} at a time for an account, and too many wait; ask again when some are answered`,
    { headers: { 'Retry-After': '1' } },
  );
}
