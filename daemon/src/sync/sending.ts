import { toStamp } from '@reverie/shared/document/clock';
import type { NewEntry } from '@reverie/shared/protocol/messages';
import type { Store } from '../db/open-store.ts';
import type { RelayConnection } from './connection.ts';
import type { SyncedRow } from './namespaces.store.ts';
import { type SendRow, sendsAfter } from './sends.store.ts';

/** What is under way of a room on one connection. */
export interface UnderWay {
  /** The last entry that was sent. */
  sentId: number;
  inFlight: number;
}

/** Entries of a namespace that are under way to the relay. */
const IN_FLIGHT = 256;
const APPEND_BYTES = 1024 * 1024;

/** Sends what waits, as far as the relay and the socket take it now. */
export function sendWaiting(
  { store, connection }: { store: Store; connection: RelayConnection },
  row: SyncedRow,
  way: UnderWay & { room: string },
): void {
  while (way.inFlight < IN_FLIGHT && connection.waiting() < 4 * APPEND_BYTES) {
    const batch = batchOf(store.read((db) => sendsAfter(db, row.id, { after: way.sentId, limit: 64 })));
    const [first] = batch;
    const last = batch.at(-1);
    if (!first || !last) return;
    const entries = batch.map((send) => toEntry(send));
    const { incarnation } = first;
    connection.send({ type: 'append', room: way.room, epoch: row.epoch, incarnation, entries });
    way.sentId = last.id;
    way.inFlight += batch.length;
  }
}

/** The first rows of one incarnation that fit into one message. */
function batchOf(rows: readonly SendRow[]): SendRow[] {
  let bytes = 0;
  const batch: SendRow[] = [];
  for (const row of rows) {
    bytes += row.body?.length ?? 0;
    if (batch.length > 0 && (bytes > APPEND_BYTES || row.incarnation !== batch[0]?.incarnation)) break;
    batch.push(row);
  }
  return batch;
}

function toEntry({ n, at, bucket, body, cleared_before }: SendRow): NewEntry {
  if (bucket !== null && body !== null) return { kind: 'update', n, at, bucket, enc: false, body };
  const hlc = cleared_before ?? 0;
  return { kind: 'clear', n, at, clearedBefore: toStamp(hlc) };
}
