import { msOfTimestamp } from '@reverie/shared/time/timestamp';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * A point in time in the form that is stored, or undefined where `given` is none. Takes ISO 8601 dates and
 * date-times, and Unix times. `zone` is for those that name none: people mean their own clock, programs UTC. A date
 * without a time is a day, which no zone moves: it is stored as its first moment in UTC (`wholeDayOf` reads it back).
 */
export function timeOf(given: unknown, zone: 'local' | 'utc'): string | undefined {
  if (typeof given === 'number') return fromUnix(given);
  if (typeof given !== 'string') return undefined;
  const text = given.trim();
  if (/^\d{9,13}(\.\d+)?$/.test(text)) return fromUnix(Number(text));
  const match = ISO.exec(text);
  return match ? fromParts(match, zone) : undefined;
}

function fromUnix(given: number): string | undefined {
  const ms = msOfTimestamp(given);
  return ms === undefined ? undefined : stored(ms);
}

function fromParts(match: RegExpExecArray, zone: 'local' | 'utc'): string | undefined {
  const part = (at: number) => Number(match[at] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const ms = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000 + 1e-6);
  // Dates roll over: 30 February would become 1 March. Leap seconds may.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCMonth() !== month - 1) return undefined;
  const moment = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Years before 100 would be of the last century.
  if (year < 100) moment.setUTCFullYear(year);
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const offset = offsetOf(match[8]);
  const isDay = match[4] === undefined;
  if (offset === undefined && zone === 'local' && !isDay) {
    const local = new Date(year, month - 1, day, hour, minute, second, ms);
    local.setFullYear(year);
    return stored(local.getTime());
  }
  return stored(moment.getTime() + ms - (offset ?? 0) * 60_000);
}

/** Minutes east of UTC. */
function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  if (/^(z|utc)$/i.test(zone)) return 0;
  const digits = zone.slice(1).replace(':', '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0);
  return zone.startsWith('-') ? -minutes : minutes;
}

/** The contract's form holds years of four digits only. */
function stored(ms: number): string | undefined {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return undefined;
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString() : undefined;
}

/** Names under which notes and records say when they were made. */
export const CREATED = [
  'created_at',
  'created',
  'date',
  'createdAt',
  'date_created',
  'date created',
  'created_time',
  'creation_date',
  'timestamp',
] as const;
const UPDATED = [
  'updated_at',
  'modified',
  'updated',
  'updatedAt',
  'lastmod',
  'last_modified',
  'last-modified',
  'modified_at',
  'date_modified',
  'date modified',
];

/** The times that a record's own fields give, by the names that are in use for them. */
export function timesIn(fields: Readonly<Record<string, unknown>>, zone: 'local' | 'utc') {
  const first = (names: readonly string[]) => {
    for (const name of names) {
      const time = Object.hasOwn(fields, name) ? timeOf(fields[name], zone) : undefined;
      if (time !== undefined) return time;
    }
    return undefined;
  };
  return { created: first(CREATED), updated: first(UPDATED) };
}

/** Names of fields that `timesIn` looks at. */
export const timeFields: ReadonlySet<string> = new Set([...CREATED, ...UPDATED]);
