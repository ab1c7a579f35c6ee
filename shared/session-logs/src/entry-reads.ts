import type { ReadEntry, ReadRecord } from './format.ts';

/** What a record says; by nobody in person unless it is said. */
export type SaidEntry = Omit<ReadEntry, 'at' | 'byPerson'> & { byPerson?: boolean };

/** What a reader tells of something said at a time (ms since 1970): nothing where it is blank. */
export function entryReads(session: string, at: number, said: SaidEntry): ReadRecord[] {
  if (said.text.trim() === '') return [];
  const entry = { byPerson: false, ...said, at, text: said.text.toWellFormed() };
  return [{ session, kind: 'entry', entry }];
}
