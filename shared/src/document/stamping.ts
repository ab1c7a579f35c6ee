import { type Hlc, nextHlc } from './clock.ts';
import { partsOf } from './epochs.ts';
import { joinPatches, patchBetween } from './patch.ts';
import { bucketOf, slotName, slotText } from './register.ts';
import { placeVersions, type Replica, rowsOf } from './replica.ts';

/** An operation that is stamped ahead of the relay's clock. */
export interface AheadOperation {
  seq: number;
  /** Null for a clear. */
  key: string | null;
  hlc: Hlc;
  /** Whether it is in a document already. */
  isWritten: boolean;
}

/**
 * Gives operations new stamps, in their order and after all that the relay has (`after`), and makes the entries that say so anew; answers
 * the last stamp. `save` keeps the new stamp of an operation, and makes the entry of a clear anew.
 */
export function stampAnew(
  replica: Replica,
  operations: readonly AheadOperation[],
  { after, now, save }: { after: Hlc; now: number; save: (operation: AheadOperation, to: Hlc) => void },
): Hlc {
  let last = after;
  const written = new Map<number, { key: string; from: Hlc; to: Hlc }[]>();
  for (const operation of operations) {
    const { key, hlc: from, isWritten } = operation;
    last = nextHlc(last, now);
    save(operation, last);
    if (key === null || !isWritten) continue;
    const bucket = bucketOf(key);
    const stamps = written.get(bucket) ?? [];
    written.set(bucket, [...stamps, { key, from, to: last }]);
  }
  for (const [bucket, stamps] of written) stampBucket(replica, bucket, stamps);
  placeStamped(replica, operations);
  return last;
}

/** Places what has other stamps now, or was cleared by one: something of others may win against it. */
function placeStamped(replica: Replica, operations: readonly AheadOperation[]): void {
  const { tables, documents } = replica;
  const keys = new Set(operations.map(({ key }) => key));
  const isLater = new Set(tables.unwritten().map(({ key }) => key));
  const versions = keys.has(null)
    ? rowsOf(replica)
    : [...keys].map((key) => documents.at(bucketOf(key ?? '')).versions(key ?? '', tables.clearedBefore()));
  for (const [winner, ...losers] of versions)
    if (winner && !isLater.has(winner.key)) placeVersions(replica, winner, losers);
}

/** Gives operations that are in a document already other stamps, and makes the entries anew that say so. */
function stampBucket(
  replica: Replica,
  bucket: number,
  stamps: readonly { key: string; from: number; to: number }[],
): void {
  const { tables, documents, writer } = replica;
  const document = documents.at(bucket);
  for (const { key, from, to } of stamps) {
    const version = document
      .versions(key, 0)
      .find(({ hlc, device }) => hlc === from && device === writer.device);
    if (version)
      document.apply({
        remove: [[slotName(key, version), from]],
        add: [[slotName(key, writer), slotText(to, version.content, version.origin)]],
      });
  }
  const waiting = tables.waiting(bucket);
  const before = documents.aside(tables.confirmed(bucket));
  const folded = waiting.flatMap(({ patch }) => patch ?? []);
  tables.replaceWaiting(
    bucket,
    folded.length === 0
      ? partsOf(document.state(before.vector()))
      : partsOf(document.state(), joinPatches([...folded, patchBetween(before, document)])),
  );
}
