const numbers = new Intl.NumberFormat('en-GB');
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

/** `12,345`. */
export function formatCount(count: number): string {
  return numbers.format(count);
}

/** `3 memories`, `1 memory`. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes in the greatest unit that leaves at least 1: `812 B`, `1.4 KiB`, `23 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let amount = bytes;
  let unit: string = 'B';
  for (const next of UNITS) {
    // Rounded first: 1,048,575 bytes are 1 MiB to a reader, not 1024 KiB.
    if (Math.round(amount) < 1024) break;
    amount /= 1024;
    unit = next;
  }
  return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${unit}`;
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `3 minutes ago`, `yesterday`, `in 2 days`; `just now` below a minute. */
export function formatRelative(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return 'just now';
}

/** The date and time to the second, in the reader's time zone. */
export function formatExact(iso: string): string {
  return exact.format(new Date(iso));
}

/** `Monday, 23 November`, in the reader's time zone. */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}

/** `23 November 2026`, in the reader's time zone. */
export function formatDate(iso: string): string {
  return date.format(new Date(iso));
}
