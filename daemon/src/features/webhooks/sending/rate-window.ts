const SECOND = 1000;

/** Never lets more than so many through within any second. */
export interface RateWindow {
  /** How many more may go now. */
  room(now: number): number;
  /** Milliseconds until one more may go; 0 when it may go now. */
  wait(now: number): number;
  /** Counts one that went. */
  count(now: number): void;
}

export function createRateWindow(perSecond: () => number): RateWindow {
  let times: number[] = [];
  const recent = (now: number) => {
    // A clock that was set back must not hold everything up: what lies ahead of it is forgotten.
    times = times.filter((time) => time > now - SECOND && time <= now);
    return times;
  };
  return {
    room: (now) => Math.max(0, perSecond() - recent(now).length),
    wait(now) {
      const oldest = recent(now)[times.length - perSecond()];
      return oldest === undefined ? 0 : oldest + SECOND - now;
    },
    count: (now) => void times.push(now),
  };
}
