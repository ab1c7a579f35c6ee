/** A bucket of tokens that fills with time; what is taken beyond it has to be waited for. */
export interface Throttle {
  /** Takes tokens; answers the ms after which there are any again, 0 where there still are. */
  take(count: number, now: number): number;
}

export function createThrottle({ perSecond, burst }: { perSecond: number; burst: number }): Throttle {
  let tokens = burst;
  let last: number | undefined;
  return {
    take(count, now) {
      // A clock that is set back takes nothing away.
      const passed = Math.max(0, now - (last ?? now));
      tokens = Math.min(burst, tokens + (passed / 1000) * perSecond) - count;
      last = now;
      return tokens >= 0 ? 0 : Math.ceil((-tokens / perSecond) * 1000);
    },
  };
}
