import { randomUUID } from 'node:crypto';
import { isPresentBetween } from '@reverie/shared/protocol/epoch-number';
import { entryHash, NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Entry, Stamp } from '@reverie/shared/protocol/messages';
import {
  type Appended,
  ENTRY_OVERHEAD,
  HASH_BYTES,
  laterStamp,
  type Most,
  type AppendOutcome,
  type LogPage,
  sinceOneByOne,
  sizeOf,
  type StoredSnapshot,
  type UpdateLog,
} from './update-log.ts';

interface Kept {
  entry: Entry;
  hash: Uint8Array;
  isTrimmed: boolean;
  isCompacted: boolean;
}

interface Room {
  epoch: number;
  clearedBefore: Stamp;
  presentSince: number;
  kept: Kept[];
  known: Map<string, number>;
  snapshots: Map<number, { snapshot: StoredSnapshot; isSettled: boolean; earlier?: StoredSnapshot }>;
}

function bytesOf({ entry, isTrimmed, isCompacted }: Kept): number {
  return isCompacted ? HASH_BYTES : isTrimmed ? ENTRY_OVERHEAD : sizeOf(entry);
}

/** A log in memory: the twin of the ones on disk, for tests. */
export function createMemoryLog(): UpdateLog {
  const rooms = new Map<string, Room>();

  function appendOne({ room: name, epoch, device, incarnation, entry }: Appended): AppendOutcome {
    const room = rooms.get(name);
    if (!room) return { kind: 'gone' };
    const told = `${device} ${incarnation} ${entry.n}`;
    const seq = room.known.get(told);
    if (seq !== undefined) return { kind: 'known', seq };
    if (epoch !== room.epoch) return { kind: 'stale_epoch', epoch: room.epoch };
    const stored: Entry = { ...entry, seq: room.kept.length + 1, epoch, device, incarnation };
    const hash = entryHash(room.kept.at(-1)?.hash ?? NO_HASH, name, stored);
    room.kept.push({ entry: stored, hash, isTrimmed: false, isCompacted: false });
    room.known.set(told, stored.seq);
    if (entry.kind === 'clear') room.clearedBefore = laterStamp(room.clearedBefore, entry.clearedBefore);
    return { kind: 'stored', entry: stored, hash };
  }

  function settle(room: Room, bucket: number): void {
    const found = room.snapshots.get(bucket);
    if (!found) return;
    found.isSettled = true;
    delete found.earlier;
    for (const kept of room.kept.slice(0, -1)) {
      const { entry } = kept;
      const isCovered = entry.seq <= found.snapshot.covers;
      if (isCovered && entry.kind === 'update' && entry.bucket === bucket) kept.isTrimmed = true;
    }
  }

  async function since(name: string, seq: number, most: Most): Promise<LogPage> {
    const page: Kept[] = [];
    let bytes = 0;
    for (const kept of rooms.get(name)?.kept.slice(seq) ?? []) {
      if (kept.isTrimmed) continue;
      if (page.length >= most.entries || (page.length > 0 && bytes >= most.bytes)) break;
      page.push(kept);
      bytes += sizeOf(kept.entry);
    }
    const last = page.at(-1);
    return { entries: page.map(({ entry }) => entry), ...(last && { hash: last.hash }) };
  }

  return {
    logId: `log_${randomUUID()}`,
    async open(room) {
      if (rooms.has(room)) return;
      rooms.set(room, {
        epoch: 0,
        clearedBefore: { ms: 0, counter: 0 },
        presentSince: 0,
        kept: [],
        known: new Map(),
        snapshots: new Map(),
      });
    },
    append: async (batch) => batch.map(appendOne),
    async state(name) {
      const room = rooms.get(name);
      if (!room) return undefined;
      const snapshots = [...room.snapshots.values()].flatMap(({ snapshot, earlier }) => [
        snapshot,
        ...(earlier ? [earlier] : []),
      ]);
      return {
        epoch: room.epoch,
        head: room.kept.length,
        clearedBefore: room.clearedBefore,
        presentSince: room.presentSince,
        bytes:
          room.kept.reduce((sum, one) => sum + bytesOf(one), 0) +
          snapshots.reduce((sum, { body }) => sum + body.length, 0),
      };
    },
    since,
    sinceEach: (behind, most) => sinceOneByOne({ since }, behind, most),
    async offered(name) {
      const all = [...(rooms.get(name)?.snapshots.values() ?? [])];
      return all.filter(({ isSettled }) => !isSettled).map(({ snapshot }) => snapshot);
    },
    async hashAt(name, seq) {
      return seq === 0 ? NO_HASH : rooms.get(name)?.kept[seq - 1]?.hash;
    },
    async advanceEpoch(name, { from, to }) {
      const room = rooms.get(name);
      if (!room) return undefined;
      const granted = room.epoch === from;
      if (granted) room.epoch = to;
      if (granted && isPresentBetween(from, to)) room.presentSince = room.kept.length;
      return { granted, epoch: room.epoch };
    },
    async putSnapshot(snapshot) {
      const room = rooms.get(snapshot.room);
      const before = room?.snapshots.get(snapshot.bucket);
      if (!room || snapshot.covers > room.kept.length || snapshot.covers < 1) return false;
      if (before && before.snapshot.covers >= snapshot.covers) return false;
      const earlier = before?.isSettled ? before.snapshot : before?.earlier;
      room.snapshots.set(snapshot.bucket, { snapshot, isSettled: false, ...(earlier && { earlier }) });
      return true;
    },
    async confirmSnapshot({ room: name, bucket, covers, bodyHash, device }) {
      const room = rooms.get(name);
      const snapshot = room?.snapshots.get(bucket)?.snapshot;
      if (!room || snapshot?.covers !== covers || snapshot.device === device) return false;
      if (!Buffer.from(snapshot.bodyHash).equals(bodyHash)) return false;
      settle(room, bucket);
      return true;
    },
    async covered({ room: name, bucket, covers }) {
      const room = rooms.get(name);
      const said = (room?.kept.slice(0, -1) ?? []).reduce((sum, { entry, isTrimmed }) => {
        const isCovered = entry.kind === 'update' && entry.bucket === bucket && entry.seq <= covers;
        return isCovered && !isTrimmed ? sum + entry.body.length : sum;
      }, 0);
      const { snapshot, earlier } = room?.snapshots.get(bucket) ?? {};
      const before = [snapshot, earlier].filter((one) => one && one.covers < covers);
      return before.reduce((sum, one) => sum + (one?.body.length ?? 0), said);
    },
    async compact() {
      const names: string[] = [];
      for (const [name, room] of rooms)
        for (const kept of room.kept) {
          const { device, incarnation, n, epoch } = kept.entry;
          if (!kept.isTrimmed || kept.isCompacted || epoch >= room.epoch) continue;
          kept.isCompacted = true;
          room.known.delete(`${device} ${incarnation} ${n}`);
          names.push(name);
        }
      return [...new Set(names)];
    },
    async settleSnapshots(before) {
      const settled: string[] = [];
      for (const [name, room] of rooms)
        for (const [bucket, { snapshot, isSettled }] of room.snapshots)
          if (!isSettled && snapshot.at < before) {
            settle(room, bucket);
            settled.push(name);
          }
      return settled;
    },
    async *snapshotsSince(name, seq) {
      const snapshots = rooms.get(name)?.snapshots ?? new Map<number, never>();
      for (const bucket of [...snapshots.keys()].sort((a, b) => a - b)) {
        const { snapshot, isSettled, earlier } = snapshots.get(bucket) ?? {};
        const settled = isSettled ? snapshot : earlier;
        if (settled && settled.covers > seq) yield settled;
      }
    },
    async remove(room) {
      rooms.delete(room);
    },
  };
}
