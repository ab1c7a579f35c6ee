/** Below this a number counts seconds: they reach it in the year 5138. Milliseconds passed it in 1973. */
const SECONDS_BELOW = 1e11;

/** Milliseconds from 1970 to the last moment that a `Date` can hold. */
const LATEST = 8.64e15;

/**
 * Whole milliseconds since 1970 of a timestamp that a person or a program wrote: a date as text, or seconds or
 * milliseconds as a number, either of which may lie before 1970. Undefined where it is none.
 */
export function msOfTimestamp(given: unknown): number | undefined {
  const ms = parsed(given);
  return ms !== undefined && Math.abs(ms) <= LATEST ? ms : undefined;
}

function parsed(given: unknown): number | undefined {
  if (typeof given === 'string') return Date.parse(given);
  if (typeof given !== 'number') return undefined;
  return Math.trunc(Math.abs(given) < SECONDS_BELOW ? given * 1000 : given);
}
