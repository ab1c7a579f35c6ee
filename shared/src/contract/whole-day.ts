const DAY_MS = 86_400_000;

/**
 * The day (`2026-11-04`) that a time stands for where it has no time of day, else undefined. A date without a time, as the `date:` of a
 * note, is stored as its first moment in UTC, on which no clock with milliseconds falls by itself.
 */
export function wholeDayOf(iso: string): string | undefined {
  const ms = Date.parse(iso);
  return ms % DAY_MS === 0 ? new Date(ms).toISOString().slice(0, 10) : undefined;
}

/** When a year, a month or a day (`2026`, `2026-03`, `2026-03-05`) begins, and when the next one does: milliseconds since 1970, UTC. */
export function daysOf(date: string): { from: number; to: number } | undefined {
  const [year = 0, month, day] = date.split('-').map(Number);
  const from = Date.UTC(year, (month ?? 1) - 1, day ?? 1);
  if (!new Date(from).toISOString().startsWith(date)) return undefined;
  if (month === undefined) return { from, to: Date.UTC(year + 1, 0) };
  return { from, to: day === undefined ? Date.UTC(year, month) : Date.UTC(year, month - 1, day + 1) };
}
