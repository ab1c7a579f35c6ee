import type { Due } from './forecast.ts';
import type { Note } from './notes.ts';

/** What the properties, tables and labelled lines of a note say is due. */
export function labelledDues(_note: Note): Due[] {
  return [];
}
