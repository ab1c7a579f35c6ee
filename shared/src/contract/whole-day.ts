const DAY_MS = 86_400_000;

/**
 * The day (`2026-11-04`) that a time stands for where it has no time of day, else undefined. A date without a time, as the `date:` of a
 * note, is stored as its first moment in UTC, on which no clock with milliseconds falls by itself.
 */
export function wholeDayOf(iso: string): string | undefined {
  const ms = Date.parse(iso);
  return ms % DAY_MS === 0 ? new Date(ms).toISOString().slice(0, 10) : undefined;
}
