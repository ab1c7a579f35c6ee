import type { ListedMemory } from '@reverie/shared/contract/memories';

/** Where in the list of all notes, last changed first, the one of a day is looked for. */
export interface OldNotes {
  offset: number;
  limit: number;
  /** It was not changed since then, ms. */
  before: number;
}

const DAY_MS = 86_400_000;
/** A note that was not changed for so many days is old. */
const OLD_DAYS = 90;
/** So many are looked at for one that is old enough. */
const LOOKED_AT = 20;

/** Walks through the older half of `count` notes, a step each day: the day of the reader that begins at `midnight`, ms. */
export function oldNotesOf(count: number, midnight: number): OldNotes {
  const half = Math.floor(count / 2);
  const places = Math.max(1, count - half - LOOKED_AT + 1);
  const day = Math.round(midnight / DAY_MS);
  return { offset: half + (day % places), limit: LOOKED_AT, before: midnight - OLD_DAYS * DAY_MS };
}

/** Whether a note was written by somebody, and not changed since then. */
export function isOldNote(
  { class: kind, updated_at }: Pick<ListedMemory, 'class' | 'updated_at'>,
  before: number,
): boolean {
  return kind !== 'dream' && Date.parse(updated_at) < before;
}
