import { createHash } from 'node:crypto';
import type { DreamMemory } from '../dream-memory.ts';
import { type Notes, readNotes } from './notes.ts';

/** A note of a test: its day, its key, what it says, and more where that matters. */
export type TestNote = Pick<DreamMemory, 'key' | 'value'> &
  Partial<Omit<DreamMemory, 'key' | 'value'>> & { readonly at?: string };

/** Memories that a test wrote down; one without a day was written on one of its own, a week after the one before it. */
export function memoriesOf(
  notes: readonly TestNote[],
  { recalled = [] }: { recalled?: readonly string[] } = {},
): DreamMemory[] {
  return notes
    .map(({ at, key, value, ...more }, index): DreamMemory => {
      const time = at === undefined ? Date.UTC(2026, 5, 1 + 7 * index) : Date.parse(at);
      const alike = value.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
      const digest = createHash('sha256').update(alike).digest('hex');
      return {
        id: index + 1,
        key,
        value,
        digest,
        isCut: false,
        class: 'note',
        metadata: {},
        tags: [],
        session: null,
        time,
        createdAt: time,
        updatedAt: time,
        wasRecalled: recalled.includes(key),
        ...more,
      };
    })
    .sort((a, b) => a.time - b.time || a.id - b.id);
}

/** The same as finders take them. */
export function viewOf(
  notes: readonly TestNote[],
  { now = '2026-11-20', recalled = [] }: { now?: string; recalled?: readonly string[] } = {},
): Notes {
  return readNotes(memoriesOf(notes, { recalled }), Date.parse(now));
}

/** Notes that say these things, each with a key of its own. */
export function saying(...values: readonly string[]): TestNote[] {
  return values.map((value, index) => ({ key: `n${index}`, value }));
}
