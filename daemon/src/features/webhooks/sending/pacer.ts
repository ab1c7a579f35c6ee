import { performance } from 'node:perf_hooks';
import type { Stop } from '../../../platform/clock.ts';

/** Runs one piece of work soon after it was asked for, however often that was. */
export interface Pacer {
  ask(): void;
  stop: Stop;
}

export type CreatePacer = (work: () => void) => Pacer;

const SHARE = 3;
const LONGEST_REST = 60;

/**
 * Rests after each run three times as long as the run took (at most 60 ms), so that the work never takes more
 * than a quarter of the one thread that also answers requests, and what comes meanwhile is done in one go.
 * It reads the real time, for it is about the real load of this process.
 */
export const createPacer: CreatePacer = (work) => {
  let timer: NodeJS.Timeout | undefined;
  let restUntil = 0;
  let isWorking = false;
  let isAsked = false;
  let isStopped = false;
  function ask(): void {
    isAsked = true;
    if (timer || isWorking || isStopped) return;
    timer = setTimeout(run, Math.max(0, restUntil - performance.now()));
  }
  function run(): void {
    timer = undefined;
    isAsked = false;
    isWorking = true;
    const from = performance.now();
    work();
    const to = performance.now();
    isWorking = false;
    restUntil = to + Math.min(LONGEST_REST, SHARE * (to - from));
    // What asks while it works has to rest, too.
    if (isAsked) ask();
  }
  return {
    ask,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
