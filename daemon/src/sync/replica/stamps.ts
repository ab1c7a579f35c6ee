import { hlcOf, LONGEST_AHEAD } from '@reverie/shared/document/clock';
import { stampAnew } from '@reverie/shared/document/stamping';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import { clockOf, setClock } from '../link.store.ts';
import { newestStampBelow, operationsAhead, saveStamp, type StampedRow, unwrite } from './outbox.store.ts';
import { MUCH_AHEAD } from '../relay/relay-time.ts';
import type { ReplicaWork } from './replica-steps.ts';
import { deleteSend, restampIdle } from './sends.store.ts';

/** What is to be stamped anew: what is ahead of the relay's clock, and what the relay refused for that. */
export interface Ahead {
  /** The relay's clock, ms. */
  now: number;
  /** An entry that was refused. */
  sendId: number | null;
}

/**
 * What is later than this is ahead, ms. Once the relay has refused something its clock is known less well than was thought, and what is
 * stamped anew after a stamp that it refuses too would be refused for ever.
 */
const latestOf = ({ now, sendId }: Ahead) => now + (sendId === null ? LONGEST_AHEAD : MUCH_AHEAD);

const boundsOf = (ahead: Ahead) => ({ limit: hlcOf(latestOf(ahead)), sendId: ahead.sendId });

/** Operations that are ahead, by namespace, in order. */
export function aheadByNamespace(db: ReadDb, ahead: Ahead): Map<number, StampedRow[]> {
  const groups = new Map<number, StampedRow[]>();
  for (const row of operationsAhead(db, boundsOf(ahead))) {
    const group = groups.get(row.namespace_id) ?? [];
    groups.set(row.namespace_id, [...group, row]);
  }
  return groups;
}

/**
 * Takes the clock back where it is ahead of the relay's, so that a future stamp is not carried on: to the newest stamp that the relay has
 * or that waits, or to the relay's time if that is later.
 */
export function mendClock(db: WriteDb, ahead: Ahead): void {
  const { clock, heard } = clockOf(db);
  restampIdle(db, { limit: latestOf(ahead), now: ahead.now });
  if (clock > hlcOf(latestOf(ahead)) || ahead.sendId !== null)
    setClock(db, Math.max(heard, newestStampBelow(db, boundsOf(ahead)), Math.min(clock, hlcOf(ahead.now))));
}

/** Stamps operations of a namespace anew, after all that the relay has; their entries are made anew. */
export function stampNamespace(
  { db, row, replica }: ReplicaWork,
  { operations, ahead }: { operations: readonly StampedRow[]; ahead: Ahead },
): void {
  let clearedBefore = row.cleared_before;
  const last = stampAnew(
    replica,
    operations.map(({ seq, key, hlc, send_id }) => ({ seq, key, hlc, isWritten: send_id !== null })),
    {
      after: clockOf(db).clock,
      now: ahead.now,
      save({ seq, key, hlc }, to) {
        saveStamp(db, seq, to);
        if (key !== null) return;
        const send = operations.find((one) => one.seq === seq)?.send_id;
        if (send != null) deleteSend(db, send);
        unwrite(db, seq);
        if (clearedBefore !== hlc) return;
        clearedBefore = to;
        replica.tables.saveClearedBefore(to);
      },
    },
  );
  setClock(db, last);
}
