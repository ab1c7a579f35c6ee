import { msOfTimestamp } from '@reverie/shared/time/timestamp';
import { momentOf } from '../../language/notes/noted-day.ts';
import type { AskMemory } from './ports.ts';

const MADE = /^mem_[0-9a-z]{26}$/;
/** Metadata that says how a memory was made, not what it is about. */
const TECHNICAL = new Set(['session', 'timestamp', 'date', 'lang', 'source', 'confidence', 'id']);

/** What a memory is called, and what its metadata says it is about, such as who spoke; one a line. */
export function labelOf({ key, metadata }: Pick<AskMemory, 'key' | 'metadata'>): string {
  const said = Object.entries(metadata)
    .filter(([name]) => !TECHNICAL.has(name))
    .flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter((value): value is string => typeof value === 'string' && value.length <= 200);
  return [MADE.test(key) ? '' : key, ...said].join('\n').slice(0, 1_000);
}

/** When what a memory says was so (ISO 8601), where it tells: a time, else its own day, which says nothing where it was only made then. */
export function timeOf({ metadata, noted }: Pick<AskMemory, 'metadata' | 'noted'>): string | undefined {
  const { timestamp, date } = metadata;
  const hasTime = typeof date !== 'string' || /\d:\d\d/u.test(date);
  const own = noted && !noted.isOfMaking ? noted.on : undefined;
  const time = msOfTimestamp(timestamp) ?? (hasTime ? msOfTimestamp(date) : undefined) ?? own;
  // A date that is no day, such as a month, at last.
  const at = time ?? msOfTimestamp(date);
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** When what a memory says was so, or else when it was last changed, in ms since 1970. */
export function saidAt(memory: Pick<AskMemory, 'metadata' | 'noted' | 'updated_at'>): number {
  const updated = Date.parse(memory.updated_at);
  return momentOf(Date.parse(timeOf(memory) ?? memory.updated_at), updated);
}

/** `3 May 2026`, in UTC, as a language writes it. */
export function dayOf(iso: string, locale = 'en-GB'): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(iso));
}
