/** When a year, a month or a day (`2026`, `2026-03`, `2026-03-05`) begins, and when the next one does: milliseconds since 1970, UTC. */
export function daysOf(date: string): { from: number; to: number } | undefined {
  const [year = 0, month, day] = date.split('-').map(Number);
  const from = Date.UTC(year, (month ?? 1) - 1, day ?? 1);
  if (!new Date(from).toISOString().startsWith(date)) return undefined;
  if (month === undefined) return { from, to: Date.UTC(year + 1, 0) };
  return { from, to: day === undefined ? Date.UTC(year, month) : Date.UTC(year, month - 1, day + 1) };
}
