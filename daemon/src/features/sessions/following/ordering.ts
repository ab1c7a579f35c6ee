import type { LogRecord, ReadRecord } from '@reverie/session-logs/format';
import { createRecent } from '@reverie/session-logs/recent';
import { isPossibleTime } from '../entry.ts';

/** Sessions of one file whose times are known, and entries that may come again; of older ones a second time counts as the first. */
const SESSIONS = 1_000;
const ENTRIES = 5_000;

/** Gives the entries of one log their time and their order. */
export interface Ordering {
  apply(record: LogRecord): LogRecord;
}

/** The time of the last entry, and the latest time of all. */
interface SessionTimes {
  at: number;
  latest: number;
}

/**
 * Orders the entries of one log as they stand in it, whatever its clock did, and gives those with an impossible time that of the entry
 * before them, or of the file (`born`, ms since 1970). A database says what changed, and not where it stands: its entries have times only.
 */
export function createOrdering({
  born,
  now,
  isDatabase,
}: {
  born: number;
  now: () => number;
  isDatabase: boolean;
}): Ordering {
  const sessions = createRecent<SessionTimes>(SESSIONS);
  const known = createRecent<number>(ENTRIES);

  function placed(read: ReadRecord): ReadRecord {
    if (read.kind !== 'entry') return read;
    const { session, entry } = read;
    const present = now();
    const before = sessions.get(session);
    const earlier = before?.at ?? (isPossibleTime(born, present) ? born : present);
    const at = isPossibleTime(entry.at, present) ? entry.at : earlier;
    const latest = Math.max(before?.latest ?? at, at);
    const name = `${session}\n${entry.item}`;
    // An entry that comes again, with more in it, stays where it stood.
    const orderedAt = known.get(name) ?? latest;
    sessions.set(session, { at, latest });
    known.set(name, orderedAt);
    return { ...read, entry: { ...entry, at, ...(!isDatabase && { orderedAt }) } };
  }

  return {
    apply: (record) => ({ ...record, reads: record.reads.map(placed) }),
  };
}
