/** Milliseconds that a `Retry-After` asks for, in seconds or as a date (RFC 9110, 10.2.3); null where it says neither. */
export function retryAfter(header: string | null | undefined, now: number): number | null {
  if (header === null || header === undefined) return null;
  if (/^\d+(?:\.\d+)?$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
