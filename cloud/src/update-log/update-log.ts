import type { Entry, NewEntry, Snapshot, Stamp } from '@reverie/shared/protocol/messages';

/** One entry that a device wants in a room's log. */
export interface Appended {
  room: string;
  epoch: number;
  device: string;
  incarnation: string;
  entry: NewEntry;
}

/**
 * What became of an appended entry. `known`: it is in the log already, from an earlier time that this device did not hear of.
 * `stale_epoch`: the room is at another epoch. `gone`: there is no such room.
 */
export type AppendOutcome =
  | { kind: 'stored'; entry: Entry; hash: Uint8Array }
  | { kind: 'known'; seq: number }
  | { kind: 'stale_epoch'; epoch: number }
  | { kind: 'gone' };

/** A room's log as it stands. */
export interface RoomState {
  epoch: number;
  /** The newest entry; 0 where there is none. */
  head: number;
  clearedBefore: Stamp;
  /** The last entry before the epoch that began last with what there was then alone; 0 where none is known. */
  presentSince: number;
  /** Bytes of entries and snapshots that are kept, with what each entry costs around its body, and what is left of those that were let go. */
  bytes: number;
  /** How often snapshots of the room were settled; said where other processes may settle them, too. */
  settled?: number;
}

/** Entries in order, and the hash of the last one; `hash` is absent where there are none. `settled`: at the moment of the look, as in `RoomState`. */
export interface LogPage {
  entries: readonly Entry[];
  hash?: Uint8Array;
  settled?: number;
}

/** How much of a log is read at once: so many entries, and about so many bytes. */
export interface Most {
  entries: number;
  bytes: number;
}

/** What a snapshot is stored with. */
export interface StoredSnapshot extends Snapshot {
  device: string;
  /** Ms since 1970. */
  at: number;
}

/**
 * The log of record. Each room counts its own entries, in the statement that inserts them: a reader that asks for
 * what comes behind a number never misses one that was committed later. A method is durable when it resolves.
 */
export interface UpdateLog {
  /** Random; new when this log was restored from a backup. */
  readonly logId: string;
  /** Makes the log of a room, unless there is one. */
  open(room: string): Promise<void>;
  /**
   * Appends entries of any rooms, all or none of them, with one wait for the disk; answers in their order. An entry is told
   * by its room, device, incarnation and `n`, and stands in the log once; until it is `compact`ed, when its epoch is over.
   */
  append(batch: readonly Appended[]): Promise<readonly AppendOutcome[]>;
  state(room: string): Promise<RoomState | undefined>;
  /** The entries behind `seq` that are kept, up to a number of them and to about a number of bytes; one at least. */
  since(room: string, seq: number, most: Most): Promise<LogPage>;
  /** The same for several rooms, each behind a number of its own, with one look. */
  sinceEach(behind: ReadonlyMap<string, number>, most: Most): Promise<ReadonlyMap<string, LogPage>>;
  /** The hash of an entry that was ever there; of 0, 32 zeros. */
  hashAt(room: string, seq: number): Promise<Uint8Array | undefined>;
  /** Sets the epoch to a later one if it is `from`; of two that ask, one is granted. */
  advanceEpoch(
    room: string,
    by: { from: number; to: number },
  ): Promise<{ granted: boolean; epoch: number } | undefined>;
  /** Keeps a snapshot of a bucket beside the entries; false where it covers what is not there, or less than one that stands. */
  putSnapshot(snapshot: StoredSnapshot): Promise<boolean>;
  /** Another device says that a snapshot is right: the entries that it covers are let go. False where it is not that one. */
  confirmSnapshot(by: {
    room: string;
    bucket: number;
    covers: number;
    bodyHash: Uint8Array;
    device: string;
  }): Promise<boolean>;
  /** Snapshots of a room that stand and wait for a second device. */
  offered(room: string): Promise<readonly StoredSnapshot[]>;
  /** Lets go what is covered by snapshots older than a time that nobody confirmed; answers the room of each. */
  settleSnapshots(before: number): Promise<readonly string[]>;
  /** Bytes that a snapshot of a bucket would let go, were it settled: entries and earlier snapshots. */
  covered(of: { room: string; bucket: number; covers: number }): Promise<number>;
  /**
   * Takes some of the entries that were let go and are of an earlier epoch out, but for their hashes; answers the rooms, none where nothing
   * is left. Sent again, such an entry is `stale_epoch`, as its device is then told what the log says in place of it.
   */
  compact(): Promise<readonly string[]>;
  /** Snapshots in place of entries behind `seq` that were let go, each read when it is asked for: they may be all of a room. */
  snapshotsSince(room: string, seq: number): AsyncIterable<StoredSnapshot>;
  /** Deletes a room's log, for good. */
  remove(room: string): Promise<void>;
}

/** Bytes that an entry is counted to take beside its body: its row and its three places in indexes, roughly. */
export const ENTRY_OVERHEAD = 160;

/** Bytes that are counted for an entry that was `compact`ed: its hash, and where it stands. */
export const HASH_BYTES = 48;

/** Bytes that an entry is counted to take. */
export function sizeOf(entry: NewEntry): number {
  return ENTRY_OVERHEAD + (entry.kind === 'update' ? entry.body.length : 0);
}

/** The larger of two stamps. */
export function laterStamp(a: Stamp, b: Stamp): Stamp {
  return b.ms > a.ms || (b.ms === a.ms && b.counter > a.counter) ? b : a;
}

/** `sinceEach` for a log whose looks cost nothing. */
export async function sinceOneByOne(
  log: Pick<UpdateLog, 'since'>,
  behind: ReadonlyMap<string, number>,
  most: Most,
): Promise<ReadonlyMap<string, LogPage>> {
  const pages = new Map<string, LogPage>();
  for (const [room, seq] of behind) pages.set(room, await log.since(room, seq, most));
  return pages;
}
