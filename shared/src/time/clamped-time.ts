import { LONGEST_AHEAD } from '../document/clock.ts';

/**
 * Clamps a time that another clock told, in ms since 1970, to what it can be by ours (`now`): no earlier than 1970, and 10 minutes ahead at
 * most. A wrong one would stand in front of every list for as long as it is wrong.
 */
export function clampedTime(at: number, now: number): number {
  if (Number.isNaN(at)) return now;
  return Math.trunc(Math.min(Math.max(at, 0), now + LONGEST_AHEAD));
}
