/** How much of a work is done, in units of it. */
export interface Done {
  done: number;
  total: number;
}

/** How much was done at a time, ms. */
export interface Sample {
  at: number;
  done: number;
}

/** How far back the rate is measured, ms. */
const LATELY = 10_000;
/** What is measured over less than this says nothing, ms. */
const LONG_ENOUGH = 1000;

/** Whole percent; 100 only where all of it is done. */
export function percentOf({ done, total }: Done): number {
  return done >= total ? 100 : Math.floor((Math.max(0, done) / total) * 100);
}

/** Adds a sample to those of lately; what was before a step back, of the work or of the clock, says nothing of the rate. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  const isBack = last !== undefined && (last.done > sample.done || last.at > sample.at);
  const before = isBack ? [] : samples.filter(({ at }) => at >= sample.at - LATELY);
  return [...before, sample];
}

/** About how long the rest takes at the rate of lately, s; null while nothing moved, or it was not measured for a second. */
export function secondsLeft(
  samples: readonly Sample[],
  { done, total, now }: Done & { now: number },
): number | null {
  const first = samples.find(({ at }) => at >= now - LATELY);
  if (!first || now - first.at < LONG_ENOUGH || done <= first.done) return null;
  return Math.ceil(((total - done) * (now - first.at)) / (done - first.done) / 1000);
}
