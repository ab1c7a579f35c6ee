import { noteWeight, participantLimits } from '@reverie/shared/protocol/participant-limits';
import type { ReadDb } from '../../db/open-store.ts';
import { countNotes, type KnownEntry } from './entries.store.ts';
import { nearestTime } from './entry.ts';

/** Why a participant may not write a note: of too many within an hour, or in all. */
export type TooMany = 'hourly' | 'total';

const HOUR = 3_600_000;

/**
 * Finds out whether a participant may write a note into a session that somebody shares; undefined where it may. The hour is that before the
 * note by its own time: so it is the same for who reads it a day later, and nobody who was away loses what was written meanwhile.
 */
export function tooManyNotes(
  db: ReadDb,
  { session, device }: { session: number; device: string | null },
  {
    at,
    bytes,
    now,
    before,
  }: { at: number; bytes: number; now: number; before: Pick<KnownEntry, 'bytes'> | undefined },
): TooMany | undefined {
  const { hourly, total } = participantLimits;
  // One that is changed counts by how much longer it gets.
  const weight = noteWeight(bytes) - (before ? noteWeight(before.bytes) : 0);
  if (weight <= 0) return undefined;
  const until = nearestTime(at, now);
  const count = (since: number, last: number) => countNotes(db, { session, device, since, until: last });
  if (count(-1, Number.MAX_SAFE_INTEGER) + weight > total) return 'total';
  return count(until - HOUR, until) + weight > hourly ? 'hourly' : undefined;
}
