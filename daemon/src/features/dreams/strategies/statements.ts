import type { Occasion } from './happened.ts';

/** Terms that a statement has at least. */
const LEAST_TERMS = 3;
/** Told less than this, it is a rule or how things are. */
const TOLD = 0.4;

/**
 * What is stated in the same words on so many days at least, but for what the calendar says: `Fire drill in the school, May`. What is the same to the
 * letter is rather stored twice, and what has figures is rather a reading; rules, plans and how things are do not happen.
 */
export function statedAgain(occasions: readonly Occasion[], least: number): Occasion[][] {
  const stated = occasions.filter(
    ({ terms, told, hasFigures, isReading, isState }) =>
      terms.size >= LEAST_TERMS && told >= TOLD && !hasFigures && !isReading && !isState,
  );
  return [...Map.groupBy(stated, ({ terms }) => [...terms].sort().join(' ')).values()].flatMap((same) => {
    const byDay = new Map(same.map((one) => [one.of.day, one]));
    const texts = new Set(same.map(({ sentences }) => sentences.map(({ text }) => text).join(' ')));
    return byDay.size >= least && texts.size === same.length
      ? [[...byDay.values()].sort((a, b) => a.of.day - b.of.day)]
      : [];
  });
}
