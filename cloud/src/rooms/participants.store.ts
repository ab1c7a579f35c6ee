import { participantLimits } from '@reverie/shared/protocol/participant-limits';
import { RECORD_BUCKET } from '@reverie/shared/protocol/version';
import { one, type Steps } from '../db/records.ts';

/** What an account has written into a room. */
export interface Written {
  /** Whether the room holds records, and not the documents of a namespace. */
  ofRecords: boolean;
  /** Notes, of which a long one counts as several. */
  notes: number;
}

const { noteBytes } = participantLimits;
/** In the text of the statement, for a bound number may not be divided as a whole one. */
const WEIGHT = `CASE WHEN length(e.body) > ${noteBytes} THEN (length(e.body) + ${noteBytes - 1}) / ${noteBytes} ELSE 1 END`;

/** Counts what an account's devices, those that were shut out among them, have written into a room. */
export function* countWritten(room: string, account: string): Steps<Written> {
  const first = yield* one<{ bucket: number | null }>(
    'SELECT e.bucket FROM log_entries e JOIN log_rooms r ON r.id = e.room WHERE r.room = ? AND e.seq = 1',
    room,
  );
  const sum = yield* one<{ notes: number }>(
    `SELECT CAST(coalesce(sum(${WEIGHT}), 0) AS BIGINT) AS notes
     FROM devices d JOIN log_writers w ON w.device = d.id JOIN log_entries e ON e.writer = w.id
     JOIN log_rooms r ON r.id = e.room WHERE r.room = ? AND d.account = ?`,
    ...[room, account],
  );
  return { ofRecords: first?.bucket === RECORD_BUCKET, notes: sum?.notes ?? 0 };
}
