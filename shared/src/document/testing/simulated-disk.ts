import { isPresentBetween } from '../../protocol/epoch-number.ts';
import { type HidingRows, isHiddenBehind, keysAround } from '../hidden.ts';
import { isOfDevice } from '../lineage.ts';
import { BUCKETS, type Content, descentOf, type Operation, type Version } from '../register.ts';
import type { Patch } from '../patch.ts';
import { settledSlot } from '../settled.ts';
import type { ReplicaTables } from '../replica.ts';
import type { KeptBase, SentEntry } from './simulated-relay.ts';

export type Send = { id: number; patch?: Patch | undefined } & (
  | (Omit<Extract<SentEntry, { kind: 'update' }>, 'body'> & { body: Uint8Array | undefined })
  | Extract<SentEntry, { kind: 'clear' }>
);

/** What a device has on its disk. */
export interface Disk {
  rows: Map<string, Content>;
  /** Keys of those that are hidden behind others, kept in step with each change of a row. */
  hidden: Set<string>;
  /** Which device wrote what a row says. */
  writers: Map<string, string>;
  /** What rows said before they were overwritten, and who wrote it. */
  earlier: Map<string, (Content & { by: string })[]>;
  /** Keys that memories had before, by the one that they have. */
  names: Map<string, ReadonlySet<string>>;
  /** Versions that lost and that nobody decided about, as far as this device knows, by their names. */
  conflicts: Map<string, Version>;
  /** Buckets in whose bytes deleted text may stand. */
  redactions: Set<number>;
  outbox: (({ kind: 'operation'; operation: Operation } | { kind: 'clear'; hlc: number }) & {
    seq: number;
    send: number | null;
  })[];
  sends: Send[];
  confirmed: Map<number, Uint8Array[]>;
  bases: KeptBase[];
  cursor: number;
  logId: string;
  hash: string;
  epoch: number;
  /** An epoch that is being begun: the buckets below `done` are in it. */
  entering: { epoch: number; done: number } | undefined;
  anew: boolean;
  clearedBefore: number;
  clearedInLog: number;
  clock: number;
  /** The newest stamp that the relay has, as far as this device knows. */
  heard: number;
  next: number;
}

export const emptyDisk = (): Disk => ({
  rows: new Map(),
  hidden: new Set(),
  writers: new Map(),
  earlier: new Map(),
  names: new Map(),
  conflicts: new Map(),
  redactions: new Set(),
  outbox: [],
  sends: [],
  confirmed: new Map(),
  bases: [],
  cursor: 0,
  logId: '',
  hash: '',
  epoch: 0,
  entering: undefined,
  anew: false,
  clearedBefore: 0,
  clearedInLog: 0,
  clock: 0,
  heard: 0,
  next: 1,
});

/** Rows as the rule of hiding sees them: what is in the trash is not there. */
export const hidingRows = (rows: ReadonlyMap<string, Content>): HidingRows => ({
  at(key) {
    const row = rows.get(key);
    return row?.trashed === undefined ? row && { ...row, behind: row.behind } : undefined;
  },
  behind: (key) =>
    [...rows].flatMap(([of, { behind, trashed }]) =>
      behind?.key === key && trashed === undefined ? [of] : [],
    ),
});

/** Changes the row of a key, and what is hidden by that or not any more: as a daemon does, which never looks at all rows. */
function change(disk: Disk, key: string, act: () => void): void {
  const rows = hidingRows(disk.rows);
  const before = keysAround(rows, key);
  act();
  for (const one of [...before, ...keysAround(rows, key)])
    if (isHiddenBehind(rows, one)) disk.hidden.add(one);
    else disk.hidden.delete(one);
}

/** What a row keeps of what was said: not the key that it had. */
export function withoutFormer({ was: _, ...content }: Content): Content {
  return content;
}

/** Writes a row that a device said; what it said before goes into its history. */
export function putRow(disk: Disk, { key, by }: { key: string; by: string }, said: Content): void {
  const content = withoutFormer(said);
  const old = disk.rows.get(key);
  if (old && (old.value !== content.value || old.metadata !== content.metadata)) remember(disk, key, key);
  change(disk, key, () => disk.rows.set(key, content));
  if (!old || old.updated_at !== content.updated_at) disk.writers.set(key, by);
}

/** Puts what a row says, and what it said before, into the history of a key. */
function remember(disk: Disk, from: string, to: string): void {
  const row = disk.rows.get(from);
  const before = disk.earlier.get(from) ?? [];
  disk.earlier.set(to, [...before, ...(row ? [{ ...row, by: disk.writers.get(from) ?? '' }] : [])]);
}

/** Notes that a memory goes on from another one, and was called so. */
function rename(disk: Disk, { from, to, was }: { from: string; to: string; was: string }): void {
  disk.names.set(to, new Set([...(disk.names.get(to) ?? []), ...(disk.names.get(from) ?? []), was]));
}

/** Keys of other memories that were made then and had this key once, or one that the memory of this key had. */
function namesakes({ names, rows }: Disk, key: string, created_at: number): string[] {
  const had = [key, ...(names.get(key) ?? [])];
  return [...names.keys()].filter(
    (to) =>
      to !== key && rows.get(to)?.created_at === created_at && had.some((name) => names.get(to)?.has(name)),
  );
}

/** Gives a row another key that is free, with its history and what lost against it. */
export function moveRow(disk: Disk, from: string, to: string): void {
  const [row, by] = [disk.rows.get(from), disk.writers.get(from)];
  if (!row || by === undefined) return;
  const before = disk.earlier.get(from) ?? [];
  rename(disk, { from, to, was: from });
  dropRow(disk, from);
  putRow(disk, { key: to, by }, row);
  disk.earlier.set(to, before);
  moveLost(disk, from, to);
}

/** Moves what lost at a key along with its memory. */
function moveLost({ conflicts }: Disk, from: string, to: string): void {
  for (const [name, version] of conflicts)
    if (version.key === from) conflicts.set(name, { ...version, key: to });
}

/** Deletes a row with its history; answers whether there was one. */
export function dropRow(disk: Disk, key: string): boolean {
  const was = disk.rows.has(key);
  disk.earlier.delete(key);
  disk.writers.delete(key);
  disk.names.delete(key);
  change(disk, key, () => disk.rows.delete(key));
  return was;
}

const saysTheSame = (one: Content, other: Content) =>
  one.value === other.value && one.metadata === other.metadata && one.expires_at === other.expires_at;

/** Drops versions that lost. */
export function dropConflicts({ conflicts }: Disk, which: (version: Version) => boolean): void {
  for (const [name, version] of conflicts) if (which(version)) conflicts.delete(name);
}

/** Deletes all rows with their histories. */
export function clearRows(disk: Disk): void {
  disk.rows.clear();
  disk.hidden.clear();
  disk.earlier.clear();
  disk.writers.clear();
  disk.names.clear();
}

export interface DiskTablesDeps {
  disk: () => Disk;
  device: string;
  now: () => number;
  /** Stamps an operation of its own. */
  tick: () => number;
  /** Whether its program merges. */
  merges: boolean;
  /** Incarnation and number of the next entry. */
  name: () => { incarnation: string; n: number };
  /** The version that its program takes of those of a key, newest first, as far as that reads it. */
  asRead: (versions: readonly [Version, ...Version[]]) => Version;
}

/** What a program before there was a trash takes: the newest one, of which it reads six parts. */
export function readByEarlier(versions: readonly [Version, ...Version[]]): Version {
  const newest = versions.reduce((a, b) => (isLater(b, a) ? b : a));
  const { value, metadata, created_at, updated_at, expires_at } = newest.content;
  return { ...newest, content: { value, metadata, created_at, updated_at, expires_at } };
}

function isLater(a: Version, b: Version): boolean {
  if (a.hlc !== b.hlc) return a.hlc > b.hlc;
  return a.device === b.device ? a.incarnation > b.incarnation : a.device > b.device;
}

const hlcOfItem = (item: Disk['outbox'][number]) => (item.kind === 'clear' ? item.hlc : item.operation.hlc);

/** The newest stamp of the operations of an entry; without any, the time. */
export function stampOf(disk: Disk, send: number, now: number): number {
  const stamps = disk.outbox.filter((item) => item.send === send).map((item) => hlcOfItem(item));
  return stamps.length > 0 ? Math.max(...stamps) : now * 1024;
}

/** The tables of a replica on such a disk. */
export function tablesOn({ disk, device, now, tick, merges, name, asRead }: DiskTablesDeps): ReplicaTables {
  const updatesOf = (bucket: number) =>
    disk().sends.flatMap((send) => (send.kind === 'update' && send.bucket === bucket ? [send] : []));

  function add(
    bucket: number,
    waiting: { body: Uint8Array | undefined; patch?: Patch | undefined },
    seqs: Set<number>,
  ) {
    const here = disk();
    const id = here.next++;
    for (const item of here.outbox) if (seqs.has(item.seq)) item.send = id;
    const at = stampOf(here, id, now());
    here.sends.push({ kind: 'update', id, bucket, ...waiting, ...name(), at });
  }

  return {
    clearedBefore: () => disk().clearedBefore,
    saveClearedBefore(hlc) {
      disk().clearedBefore = hlc;
      dropConflicts(disk(), (version) => version.hlc <= hlc);
    },
    clearedInLog: () => disk().clearedInLog,
    saveClearedInLog: (hlc) => (disk().clearedInLog = hlc),
    isClearWaiting: () => disk().outbox.some(({ kind }) => kind === 'clear'),
    isAnew: () => disk().anew,
    isShared: () => isPresentBetween(0, disk().epoch),
    hear(hlc) {
      disk().heard = Math.max(disk().heard, hlc);
      disk().clock = Math.max(disk().clock, hlc);
    },
    forgetSoon: (bucket) => disk().redactions.add(bucket),
    unwritten: () =>
      (disk().entering?.done ?? BUCKETS) < BUCKETS
        ? []
        : disk().outbox.flatMap((item) =>
            item.kind === 'operation' && item.send === null ? [{ ...item.operation, seq: item.seq }] : [],
          ),
    saveOwn(bucket, update, seqs) {
      const here = disk();
      const gone = new Set(seqs);
      if (update) add(bucket, { body: update }, gone);
      else here.outbox = here.outbox.filter(({ seq }) => !gone.has(seq));
    },
    saveTheirs(bucket, update) {
      const before = disk().confirmed.get(bucket) ?? [];
      disk().confirmed.set(bucket, [...before, update]);
    },
    buckets: () => [
      ...new Set([
        ...disk().confirmed.keys(),
        ...disk().sends.flatMap((send) => ('bucket' in send ? [send.bucket] : [])),
      ]),
    ],
    confirmed: (bucket) => disk().confirmed.get(bucket) ?? [],
    replaceConfirmed(bucket, update) {
      if (update) disk().confirmed.set(bucket, [update]);
      else disk().confirmed.delete(bucket);
    },
    waiting: (bucket) => updatesOf(bucket),
    replaceWaiting(bucket, entries) {
      const here = disk();
      const old = new Set(updatesOf(bucket).map(({ id }) => id));
      const seqs = new Set(
        here.outbox.filter(({ send }) => send !== null && old.has(send)).map(({ seq }) => seq),
      );
      here.sends = here.sends.filter(({ id }) => !old.has(id));
      entries.forEach((entry, index) => add(bucket, entry, index === entries.length - 1 ? seqs : new Set()));
      if (entries.length === 0) here.outbox = here.outbox.filter(({ seq }) => !seqs.has(seq));
    },
    forget(versions) {
      for (const { key, content } of versions)
        if (disk().rows.get(key)?.value === content.value) dropRow(disk(), key);
      for (const version of versions) {
        const name = settledSlot(version);
        if (disk().conflicts.get(name)?.key === version.key) disk().conflicts.delete(name);
      }
    },
    settle(versions) {
      for (const version of versions) disk().conflicts.delete(settledSlot(version));
    },
    place(key, newest, losers) {
      const here = disk();
      const winner = newest && asRead([newest, ...losers]);
      if (winner) {
        here.clock = Math.max(here.clock, winner.hlc);
        if (winner.device !== device) here.heard = Math.max(here.heard, winner.hlc);
        const { was, created_at } = winner.content;
        const isNew = was !== undefined && !here.rows.has(key);
        const [from] =
          isNew && here.rows.get(was)?.created_at === created_at
            ? [was]
            : isNew
              ? namesakes(here, was, created_at)
              : [];
        putRow(here, { key, by: winner.device }, winner.content);
        if (was !== undefined && from !== undefined) {
          remember(here, from, key);
          rename(here, { from, to: key, was });
        }
        for (const loser of losers) here.conflicts.set(settledSlot(loser), loser);
        dropConflicts(here, (one) => one.key === key && saysTheSame(one.content, winner.content));
      } else {
        dropRow(here, key);
        dropConflicts(here, (version) => version.key === key);
      }
    },
    dropOutgrown(key, isOutgrown) {
      dropConflicts(disk(), (version) => version.key === key && isOutgrown(descentOf(version).mark));
    },
    goesOnAt: (from, to) => moveLost(disk(), from, to),
    namesakes: (key, created_at) => namesakes(disk(), key, created_at),
    said: (key) => disk().rows.get(key),
    keys: () => disk().rows.keys(),
    clear: () => clearRows(disk()),
    now,
    mayMerge: () => merges && !disk().anew && !disk().entering,
    textOf(keys, mark) {
      const here = disk();
      const said = keys.flatMap((key) => [
        ...(here.earlier.get(key) ?? []),
        ...[here.rows.get(key)].flatMap((row) => (row ? [{ ...row, by: here.writers.get(key) ?? '' }] : [])),
      ]);
      const [one, ...others] = said.filter(
        ({ updated_at, by }) => updated_at === mark.at && isOfDevice(mark, by),
      );
      const isSame = (other: Content) => other.value === one?.value && other.metadata === one.metadata;
      return others.every(isSame) ? one : undefined;
    },
    say(operation) {
      const here = disk();
      const stamped = { ...operation, hlc: operation.hlc ?? tick() };
      here.outbox.push({ kind: 'operation', operation: stamped, seq: here.next++, send: null });
    },
  };
}
