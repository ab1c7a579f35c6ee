import { isPresentBetween } from '../../protocol/epoch-number.ts';
import { hlcOf, LONGEST_AHEAD, nextHlc } from '../clock.ts';
import { createDocuments, type Documents } from '../documents.ts';
import {
  enterEpoch,
  fold,
  isApart,
  leaveDocuments,
  placeBegun,
  returnToDocuments,
  sayConfirmed,
  sendWhole,
} from '../epochs.ts';
import { BUCKETS, type Content, type Operation, type Version, type Writer } from '../register.ts';
import { mergeOwn } from '../merging.ts';
import { mergeClear, mergeUpdate, type Replica, rowsOf, type Unmerged, writePending } from '../replica.ts';
import { settledSlot } from '../settled.ts';
import { type AheadOperation, stampAnew } from '../stamping.ts';
import {
  clearRows,
  dropConflicts,
  type Disk,
  dropRow,
  emptyDisk,
  moveRow,
  putRow,
  readByEarlier,
  tablesOn,
  withoutFormer,
} from './simulated-disk.ts';
import type { KeptBase, Logged, Relay } from './simulated-relay.ts';

/** A device with its disk: the same steps as the daemon's, over the same functions. It may read the log behind its entry `since`. */
export function createDevice(
  device: string,
  {
    random,
    now,
    isEarlier = false,
    since = 0,
  }: { random: () => number; now: () => number; isEarlier?: boolean | undefined; since?: number },
) {
  const asRead = isEarlier ? readByEarlier : ([newest]: readonly [Version, ...Version[]]) => newest;
  let disk = emptyDisk();
  let writer: Writer;
  let documents: Documents;
  let n = 0;
  /** How far its clock is ahead of the relay's, as far as it was told in this run. */
  let ahead = 0;
  /** Numbers of this run whose entries were replaced by others: they may be in the log all the same. */
  let replaced = new Set<number>();
  let unmerged: Unmerged;
  /** What the relay said when it was asked last. */
  let told = { epoch: 0, head: 0 };
  /** The epoch that this device asked for to share what there is, and the numbers of what it says again in it. */
  let sharing: { epoch: number; since?: number; said?: number[] } | undefined;
  const decided: string[] = [];
  const acked: Pick<Logged, 'device' | 'incarnation' | 'n'>[] = [];

  function boot(): void {
    writer = { device, incarnation: `i${Math.floor(random() * 2 ** 48).toString(36)}` };
    n = 0;
    ahead = 0;
    replaced = new Set();
    unmerged = { lost: new Set(), renamed: new Map() };
    sharing = undefined;
    openDocuments();
  }

  /** Under an id that was never used: entries that are not in the log may have used numbers of another one. */
  function openDocuments(): void {
    documents = createDocuments({
      clientId: 1 + Math.floor(random() * (2 ** 32 - 2)),
      load: (bucket) => [
        ...(disk.confirmed.get(bucket) ?? []),
        ...disk.sends.flatMap((send) =>
          send.kind === 'update' && send.bucket === bucket ? (send.body ?? []) : [],
        ),
      ],
      keep: 3,
    });
  }
  boot();

  const time = () => now() - ahead;
  const name = () => ({ incarnation: writer.incarnation, n: (n += 1) });
  const tick = () => (disk.clock = nextHlc(disk.clock, time()));
  const disks = tablesOn({ disk: () => disk, device, now: time, tick, merges: !isEarlier, name, asRead });
  const tables: Replica['tables'] = {
    ...disks,
    replaceWaiting(bucket, entries) {
      for (const send of disk.sends)
        if (send.kind === 'update' && send.bucket === bucket && send.incarnation === writer.incarnation)
          replaced.add(send.n);
      disks.replaceWaiting(bucket, entries);
    },
    saveTheirs(bucket, update) {
      disks.saveTheirs(bucket, update);
      if (random() >= 0.2) return;
      // Now and then what is stored is one update.
      const waits = disk.sends.some((send) => send.kind === 'update' && send.bucket === bucket);
      if (!waits) disks.replaceConfirmed(bucket, documents.at(bucket).state());
      else disks.replaceConfirmed(bucket, documents.aside(disks.confirmed(bucket)).state());
    },
  };
  const replica = (): Replica => ({ tables, documents, writer });

  const hear = (hlc: number) => {
    disk.heard = Math.max(disk.heard, hlc);
    disk.clock = Math.max(disk.clock, hlc);
  };

  /** The relay has an entry: it belongs to what the log said. */
  function settle(id: number): void {
    const found = disk.sends.find((send) => send.id === id);
    if (!found) return;
    if (found.kind === 'update' && found.body)
      disk.confirmed.set(found.bucket, [...(disk.confirmed.get(found.bucket) ?? []), found.body]);
    for (const item of disk.outbox)
      if (item.send === id) hear(item.kind === 'clear' ? item.hlc : item.operation.hlc);
    disk.sends = disk.sends.filter((send) => send.id !== id);
    disk.outbox = disk.outbox.filter(({ send }) => send !== id);
  }

  /** What was never written of a key goes, as in the daemon's outbox. */
  function forgetSaid(key: string): void {
    disk.outbox = disk.outbox.filter(
      (item) =>
        item.kind === 'clear' ||
        item.send !== null ||
        item.operation.kind !== 'set' ||
        item.operation.key !== key,
    );
  }

  function sendClear(hlc: number): number {
    const id = disk.next++;
    disk.sends.push({ kind: 'clear', id, hlc, at: hlc, ...name() });
    return id;
  }

  function begin(): void {
    Object.assign(disk, {
      anew: true,
      epoch: 0,
      entering: undefined,
      cursor: 0,
      hash: '',
      clearedInLog: 0,
      bases: [],
    });
    openDocuments();
  }

  /** Begins an epoch; answers whether reading goes on. A crash may come in the middle. */
  function enter(epoch: number, relay?: Relay): boolean {
    if (!disk.entering && !isApart(replica())) {
      leaveDocuments(replica(), { whole: false });
      begin();
      return false;
    }
    disk.entering ??= { epoch, done: 0 };
    for (; disk.entering.done < BUCKETS; disk.entering.done += 1) {
      if (random() < 0.003) {
        boot();
        return false;
      }
      const bucket = disk.entering.done;
      const to = disk.entering.epoch;
      if (!disks.buckets().includes(bucket) && !disk.bases.some((base) => base.bucket === bucket)) continue;
      const base = disk.bases
        .filter((one) => one.bucket === bucket && one.epoch <= to && one.epoch > disk.epoch)
        .sort((a, b) => b.epoch - a.epoch)[0];
      enterEpoch(replica(), bucket, { epoch: to, from: disk.epoch, base });
      const [body] = disks.confirmed(bucket);
      if (relay && body) offerBase(relay, { bucket, epoch: to, covers: disk.cursor, body });
    }
    const { epoch: begun } = disk.entering;
    for (const { bucket } of disk.bases.filter((one) => one.epoch <= begun)) {
      placeBegun(replica(), bucket);
      disk.bases = disk.bases.filter((one) => one.bucket !== bucket || one.epoch > begun);
      if (random() < 0.02) {
        boot();
        return false;
      }
    }
    if (isPresentBetween(disk.epoch, begun))
      for (const bucket of disks.buckets())
        if (disks.waiting(bucket).length > 0) placeBegun(replica(), bucket);
    disk.epoch = disk.entering.epoch;
    disk.entering = undefined;
    if (sharing?.epoch === disk.epoch) sharing.since = disk.cursor;
    return true;
  }

  function offerBase(relay: Relay, base: KeptBase): void {
    if (random() < 0.5 && relay.epoch() === base.epoch) relay.offer(base, device);
  }

  function isReady(): boolean {
    return disk.entering === undefined || enter(disk.entering.epoch);
  }

  /** Operations that the relay would refuse get other stamps. */
  function mendStamps(relay: Relay): void {
    if (disk.anew || disk.entering) return;
    const limit = hlcOf(relay.now() + LONGEST_AHEAD);
    for (const one of disk.sends)
      if (one.at > limit && !disk.outbox.some(({ send }) => send === one.id)) one.at = hlcOf(time());
    const all = disk.outbox.map((item): AheadOperation => ({
      seq: item.seq,
      key: item.kind === 'clear' ? null : item.operation.key,
      hlc: item.kind === 'clear' ? item.hlc : item.operation.hlc,
      isWritten: item.send !== null,
    }));
    const late = all.filter(({ hlc }) => hlc > limit);
    if (late.length === 0) {
      if (disk.clock > limit) disk.clock = Math.max(disk.heard, ...all.map(({ hlc }) => hlc));
      return;
    }
    const fine = all.filter(({ hlc }) => hlc <= limit).map(({ hlc }) => hlc);
    disk.clock = stampAnew(replica(), late, {
      after: Math.max(disk.heard, ...fine),
      now: time(),
      save({ seq }, to) {
        const item = disk.outbox.find((one) => one.seq === seq);
        if (item?.kind === 'operation') item.operation = { ...item.operation, hlc: to };
        if (item?.kind !== 'clear') return;
        disk.sends = disk.sends.filter(({ id }) => id !== item.send);
        if (disk.clearedBefore === item.hlc) disk.clearedBefore = to;
        item.hlc = to;
        item.send = sendClear(to);
      },
    });
  }

  const isShown = (key: string): boolean => {
    const row = disk.rows.get(key);
    return row?.trashed === undefined && row?.archived === undefined && !disk.hidden.has(key);
  };

  /** Says what a memory says, and something of where it is. */
  function sayAgain(key: string, where: Partial<Content>): void {
    const row = disk.rows.get(key);
    if (!row) return;
    const content: Content = { ...row, ...where };
    putRow(disk, { key, by: device }, content);
    const operation: Operation = { kind: 'set', key, hlc: tick(), content, before: row.updated_at };
    disk.outbox.push({ kind: 'operation', operation, seq: disk.next++, send: null });
  }

  return {
    set(key: string, value: string, metadata = '{}'): void {
      const old = disk.rows.get(key);
      const at = old ? Math.max(now(), old.updated_at + 1) : now();
      const created_at = old?.created_at ?? at;
      const content: Content = { value, metadata, created_at, updated_at: at, expires_at: null };
      putRow(disk, { key, by: device }, content);
      const operation: Operation = {
        kind: 'set',
        key,
        hlc: tick(),
        content,
        before: old?.updated_at ?? null,
      };
      disk.outbox.push({ kind: 'operation', operation, seq: disk.next++, send: null });
    },
    row: (key: string) => disk.rows.get(key),
    /** Gives a memory another key, where that one is free. */
    rename(key: string, to: string): void {
      const row = disk.rows.get(key);
      if (!row || row.trashed !== undefined || disk.rows.has(to)) return;
      moveRow(disk, key, to);
      const content = { ...row, was: key };
      for (const operation of [
        { kind: 'set' as const, key: to, hlc: tick(), content },
        { kind: 'delete' as const, key, hlc: tick(), before: row.updated_at },
      ])
        disk.outbox.push({ kind: 'operation', operation, seq: disk.next++, send: null });
    },
    /** The versions that lost and that it still asks about. */
    lost: () => [...disk.conflicts.values()],
    /** Decides about a version that lost, the oldest one or the newest one: with a value as a new version that says what it said. */
    settle(value: string | undefined, isNewest: boolean): void {
      const found = [...disk.conflicts.values()].at(isNewest ? -1 : 0);
      if (!found || isEarlier) return;
      const { key, device: of, incarnation, hlc } = found;
      if (value !== undefined) this.set(key, value);
      disk.conflicts.delete(settledSlot(found));
      decided.push(settledSlot(found));
      const settles = { device: of, incarnation, hlc };
      const operation: Operation = { kind: 'settle', key, hlc: tick(), settles };
      disk.outbox.push({ kind: 'operation', operation, seq: disk.next++, send: null });
    },
    /** The versions that were decided about here. */
    decided: () => decided,
    /** The versions that lost and that it still asks about. */
    conflicts: () => [...disk.conflicts.keys()],
    /** Puts a memory into the trash: it says the same, and that. */
    trash(key: string): void {
      if (disk.rows.get(key)?.trashed === undefined) sayAgain(key, { trashed: now() });
    },
    archive(key: string): void {
      if (isShown(key)) sayAgain(key, { archived: now(), behind: undefined });
    },
    /** Keys of what is neither in the trash nor hidden. */
    shown: () => [...disk.rows.keys()].filter((key) => isShown(key)),
    /** Hides a memory behind another one, both of which are shown. */
    hide(key: string, behind: string): void {
      const other = disk.rows.get(behind);
      if (!other || key === behind) return;
      sayAgain(key, { behind: { as: 'merged', key: behind, created_at: other.created_at } });
    },
    /** Takes back that a memory was hidden, also where it is shown for want of what it is hidden behind. */
    show(key: string): void {
      const { archived, behind, trashed } = disk.rows.get(key) ?? {};
      if (trashed === undefined && (archived !== undefined || behind))
        sayAgain(key, { archived: undefined, behind: undefined });
    },
    delete(key: string): void {
      if (!dropRow(disk, key)) return;
      forgetSaid(key);
      dropConflicts(disk, (version) => version.key === key);
      const operation: Operation = { kind: 'delete', key, hlc: tick() };
      disk.outbox.push({ kind: 'operation', operation, seq: disk.next++, send: null });
    },
    clear(): void {
      clearRows(disk);
      for (const bucket of disks.buckets()) disks.forgetSoon(bucket);
      const hlc = tick();
      disk.outbox = disk.outbox.filter(({ kind, send }) => kind === 'clear' || send !== null);
      disks.saveClearedBefore(hlc);
      disk.outbox.push({ kind: 'clear', hlc, seq: disk.next++, send: sendClear(hlc) });
    },
    write: () => isReady() && writePending(replica()),
    /** Writes bytes anew, so that nothing deleted is left in them. */
    fold: () => {
      if (!disk.entering) for (const bucket of disks.buckets()) fold(replica(), bucket);
    },
    /** The same of the buckets in which something deleted may stand. */
    tidy: () => {
      if (disk.entering || disk.anew) return;
      writePending(replica());
      for (const bucket of disk.redactions) fold(replica(), bucket);
      disk.redactions.clear();
    },
    /** Everything on its disk that holds what memories say, as text. */
    texts: () =>
      JSON.stringify([[...disk.rows], [...disk.earlier], disk.outbox]) +
      [...disk.confirmed.values(), disk.sends.flatMap((send) => ('body' in send ? (send.body ?? []) : []))]
        .flat()
        .map((bytes) => Buffer.from(bytes).toString('latin1'))
        .join(' '),
    /** Sends up to `most`; each ack may be lost, then the entry is sent again. */
    send(relay: Relay, most: number, lossOfAcks: number): void {
      // What is sent goes to a log that is known: another one has to be found out first.
      if (disk.logId === '') disk.logId = relay.logId();
      if (disk.logId !== relay.logId() || disk.entering) return;
      ahead = now() > relay.now() + LONGEST_AHEAD / 2 ? now() - relay.now() : 0;
      mendStamps(relay);
      for (const send of disk.sends.slice(0, most)) {
        const body = send.kind === 'update' ? send.body : undefined;
        if (send.kind === 'update' && !body) continue;
        const entry = send.kind === 'update' ? { ...send, body: body ?? new Uint8Array() } : send;
        const outcome = relay.append(entry, { device, epoch: disk.epoch });
        if (outcome === 'ahead' && !disk.anew) throw new Error(`${device} sends what is ahead`);
        if (outcome === 'stale' || outcome === 'ahead' || random() < lossOfAcks) continue;
        acked.push({ ...entry, device });
        settle(send.id);
      }
    },
    /** Asks for a new epoch, as one whose documents have grown. */
    askEpoch(relay: Relay): void {
      if (disk.logId === relay.logId() && !disk.anew && !disk.entering)
        relay.advance(disk.epoch, { present: false });
    },
    /** Asks for an epoch that begins with what there is. */
    share(relay: Relay): boolean {
      if (disk.logId !== relay.logId() || disk.anew || disk.entering || sharing) return false;
      if (!relay.advance(disk.epoch, { present: true })) return false;
      sharing = { epoch: relay.epoch() };
      return true;
    },
    isSharing: () => sharing !== undefined,
    /** Says all of it again, once it has begun; answers the entry behind which a guest may read, once the relay has all of that. */
    invite(relay: Relay): number | undefined {
      if (!sharing) return undefined;
      if (disk.logId !== relay.logId() || relay.epoch() !== sharing.epoch || disk.anew) sharing = undefined;
      if (sharing?.since === undefined || disk.entering) return undefined;
      if (!sharing.said) {
        const before = n;
        if (disk.clearedBefore > 0) sendClear(disk.clearedBefore);
        sayConfirmed(replica());
        sharing.said = Array.from({ length: n - before }, (_, index) => before + 1 + index);
      }
      const { said, since: from } = sharing;
      if (disk.sends.some((one) => one.incarnation === writer.incarnation && said.includes(one.n)))
        return undefined;
      const isReplaced = said.some((number) => replaced.has(number));
      sharing = undefined;
      return isReplaced ? undefined : from;
    },
    /** Reads up to `most` entries, from the start again where the log is another one. */
    receive(relay: Relay, most: number): void {
      const lost =
        disk.logId !== relay.logId() ||
        disk.cursor > relay.length() ||
        disk.hash !== relay.hashAt(disk.cursor);
      // Also of a device that read nothing yet: what it sent may be lost.
      if (lost && disk.logId !== '') {
        // What the relay does not have any more is sent again, and the clear.
        if (disk.anew || disk.entering || relay.epoch() !== disk.epoch) {
          leaveDocuments(replica(), { whole: true, present: isPresentBetween(disk.epoch, relay.epoch()) });
          begin();
        } else sendWhole(replica());
        disk.cursor = 0;
        const waits = disk.sends.some((one) => one.kind === 'clear' && one.hlc === disk.clearedBefore);
        if (disk.clearedBefore > 0 && !waits) sendClear(disk.clearedBefore);
      }
      disk.logId = relay.logId();
      disk.cursor = Math.max(disk.cursor, since);
      disk.hash = relay.hashAt(disk.cursor);
      told = { epoch: relay.epoch(), head: relay.length() };
      if (!isReady()) return;
      for (const base of relay.basesAfter(disk.cursor))
        if (base.epoch > disk.epoch) disk.bases.push(structuredClone(base));
      const page = relay.after(disk.cursor, most);
      // A page that is out of order has another hash: it is not taken.
      if (page.some(({ seq }, index) => seq < (page[index - 1]?.seq ?? 0))) return;
      for (const entry of page) {
        if (entry.seq <= disk.cursor) continue;
        if (entry.epoch > disk.epoch) {
          mergeOwn(replica(), unmerged, { isAtEnd: false });
          if (!enter(entry.epoch, relay)) return;
        }
        read(entry);
        // A crash may come between two entries, and then reads the last one again.
        if (random() < 0.05) break;
        disk.cursor = entry.seq;
        disk.hash = relay.hashAt(disk.cursor);
      }
      // What is left of the log was let go: bases stand in its place.
      if (page.length === 0) disk.cursor = Math.max(disk.cursor, Math.min(told.head, disk.cursor + most));
      disk.hash = relay.hashAt(disk.cursor);
      mergeOwn(replica(), unmerged, { isAtEnd: disk.cursor >= told.head });
      if (told.epoch > disk.epoch && disk.cursor >= told.head && !enter(told.epoch, relay)) return;
      if (disk.anew && disk.cursor >= told.head && disk.epoch === told.epoch)
        returnToDocuments(replica(), () => (disk.anew = false));
    },
    /** Reads the log from its start, as a device does in whose documents an update is missing for long. */
    heal(): void {
      if (disk.entering || disk.anew || !this.hasGap()) return;
      if (disk.epoch > 0) {
        leaveDocuments(replica(), { whole: false });
        begin();
      } else Object.assign(disk, { cursor: 0, hash: '' });
    },
    restart: boot,
    backup: () => structuredClone(disk),
    restore(from: Disk): void {
      disk = structuredClone(from);
      boot();
    },
    pending: () => disk.outbox.length + disk.sends.length,
    isBehind: (relay: Relay) =>
      disk.cursor < relay.length() ||
      disk.logId !== relay.logId() ||
      disk.epoch !== relay.epoch() ||
      disk.anew,
    rows: () => new Map([...disk.rows].sort(([a], [b]) => (a < b ? -1 : 1))),
    isEarlier,
    /** Keys of which there are several versions. */
    contested: () =>
      new Set([...rowsOf({ tables, documents })].flatMap(([{ key }, loser]) => (loser ? [key] : []))),
    /** Keys of what is hidden behind others, as it was kept in step. */
    hidden: () => [...disk.hidden].sort(),
    rebuilt: () =>
      new Map(
        [...rowsOf({ tables, documents })]
          .map((versions): [string, Content] => [versions[0].key, withoutFormer(asRead(versions).content)])
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    acked: () => acked,
    gaps: () => disks.buckets().filter((bucket) => documents.at(bucket).hasGap()),
    hasGap: () => disks.buckets().some((bucket) => documents.at(bucket).hasGap()),
  };

  function read(entry: Logged): void {
    // Also what this device wrote itself: before a backup of it was restored.
    hear(entry.at);
    if (entry.kind === 'clear') mergeClear({ ...replica(), unmerged }, entry.hlc);
    const own = entry.device === device;
    const waiting =
      own && disk.sends.find((one) => one.n === entry.n && one.incarnation === entry.incarnation);
    // It came into the log, though the ack was lost.
    if (waiting) settle(waiting.id);
    if (entry.kind === 'clear' || entry.epoch < disk.epoch) return;
    const isHere = entry.incarnation === writer.incarnation && !replaced.has(entry.n) && !disk.anew;
    if (!isHere) mergeUpdate({ ...replica(), unmerged }, entry.bucket, entry.body);
  }
}
export type Device = ReturnType<typeof createDevice>;
