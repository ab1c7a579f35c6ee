import type { ListedMemory } from '@reverie/shared/contract/memories/memories';
import { readersDay } from '../../platform/readers-clock.ts';

/** Where in the list of all notes, newest first by their days, the one of a day is looked for. */
export interface OldNotes {
  offset: number;
  limit: number;
  /** It is of before then, ms. */
  before: number;
}

const DAY_MS = 86_400_000;
/** A note of so many days ago is old. */
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

type Dated = Pick<ListedMemory, 'updated_at' | 'noted_at'>;
type Written = Dated & Pick<ListedMemory, 'class' | 'metadata'>;

/** The day that a note is of, else when it was changed. */
export function dayOfNote({ noted_at, updated_at }: Dated): string {
  return noted_at ?? updated_at;
}

/** Whether a note is the person's own, neither a dream's nor an agent's nor a line of a log, and is of before then. */
export function isOldNote(note: Written, before: number): boolean {
  const { agent, session } = note.metadata;
  const isOwn = note.class === 'note' && agent === undefined && session === undefined;
  return isOwn && Date.parse(dayOfNote(note)) < before;
}

/** Years that are looked back. */
const YEARS = 5;

/** The operators that list the notes of this day in each of the years before, the last year first; `midnight` in ms. */
export function onThisDay(midnight: number): string[] {
  const today = readersDay(midnight);
  return Array.from({ length: YEARS }, (_, at) => {
    const [year, month, date] = [today.getFullYear() - at - 1, today.getMonth(), today.getDate()];
    const iso = (day: number) => new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
    return `after:${iso(date - 1)} before:${iso(date + 1)}`;
  });
}
