import { msOfTimestamp } from '../../platform/timestamp.ts';
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

/** When what a memory says was so (ISO 8601), where its metadata tells. */
export function timeOf({ metadata }: Pick<AskMemory, 'metadata'>): string | undefined {
  for (const name of ['timestamp', 'date'] as const) {
    const time = msOfTimestamp(metadata[name]);
    if (time !== undefined) return new Date(time).toISOString();
  }
  return undefined;
}

/** When what a memory says was so, or else when it was last changed, in ms since 1970. */
export const saidAt = (memory: Pick<AskMemory, 'metadata' | 'updated_at'>): number =>
  Date.parse(timeOf(memory) ?? memory.updated_at);

/** `3 May 2026`, in UTC, as a language writes it. */
export function dayOf(iso: string, locale = 'en-GB'): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(iso));
}
