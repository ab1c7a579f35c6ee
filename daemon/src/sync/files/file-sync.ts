import type { Client } from '@reverie/shared/client';
import { listFiles, nameFiles, RelayFile, relayFileLimits } from '@reverie/shared/contract/relay/relay-files';
import type { RelayRoom } from '@reverie/shared/contract/relay/relay-rooms';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { wasRefusedWith } from '../relay/relay-client.ts';
import { findSynced, listSynced, saveSyncedRow, type SyncedRow } from '../namespaces/namespaces.store.ts';
import type { SyncedFile, SyncedFiles } from '../ports.ts';
import { stepOf } from './file-plan.ts';
import {
  changedFiles,
  type KnownFile,
  knownFiles,
  missingFiles,
  noteTold,
  saveKnown,
} from './files.store.ts';
import type { RelayBlobs } from './relay-blobs.ts';

/** Keeps the pictures and PDFs of synced namespaces and those of their rooms together. */
export interface FileSync {
  /** The relay told which rooms there are. */
  listed(rooms: readonly Pick<RelayRoom, 'id' | 'files'>[]): void;
  /** Has the room of a namespace name, and keep, nothing that no note here names: who joins would get what belonged to notes of before. */
  forgetUnnamed(row: SyncedRow): Promise<void>;
  start(): () => void;
}

interface FileSyncDeps {
  store: Store;
  clock: Clock;
  log: Log;
  files: SyncedFiles;
  /** A client of the relay with this device's key, and the bytes there. Throw `not_linked`. */
  client: () => Promise<Client>;
  blobs: () => Promise<RelayBlobs>;
  /** Whether the link is open, and nobody paused it. */
  isOpen: () => boolean;
}

/** How often is looked for what changed here, or is named by now, ms. */
const LOOK_EVERY = 2000;
/** How often is looked whether a note here names by now what the room has, ms. */
const NAMED_EVERY = 5000;
/** How long until what failed, or had no room, is tried again, ms. */
const AGAIN = 60_000;

export function createFileSync({ store, clock, log, files, client, blobs, isOpen }: FileSyncDeps): FileSync {
  /** How often the files of each room changed, as the relay told last; nothing of a relay that keeps none. */
  const versions = new Map<string, number>();
  /** Until when a namespace is left alone, by its number. */
  const resting = new Map<number, number>();
  /** When is looked for what of a namespace's room is not here, by its number; never while nothing is missing. */
  const fetching = new Map<number, number>();
  /** Hashes and sizes of files that are not kept whatever their bytes: they would be fetched again and again. */
  const refused = new Set<string>();
  /** Which of the missing files of a namespace notes named when it was looked for, by its number. */
  const lookups = new Map<number, Lookup>();
  /** When is looked for what a namespace's room was not told of, by its number, and what notes named last. */
  const untold = new Map<number, { version: number; until: number }>();
  let state: 'idle' | 'running' | 'stopped' = 'idle';

  const isGoing = () => state === 'running' && isOpen();
  /** Whether a namespace is still synced: nothing goes out of one, or comes, from when somebody said that it stays here. */
  const isSynced = ({ id }: SyncedRow) => isGoing() && store.read((db) => findSynced(db, id)) !== undefined;

  async function run(): Promise<void> {
    if (state !== 'idle' || !isOpen()) return;
    state = 'running';
    try {
      const changed = store.read(changedFiles);
      for (const row of store.read(listSynced)) {
        if (!isGoing()) break;
        if (row.room === null || (resting.get(row.id) ?? 0) > clock.now()) continue;
        await look(row, { room: row.room, changes: changed.get(row.name) ?? 0 }).catch((err: unknown) => {
          resting.set(row.id, clock.now() + AGAIN);
          log.warn(
            { err, room: row.room },
            'the files of a namespace did not go to the relay, or come; it is tried again',
          );
        });
      }
    } finally {
      if (state === 'running') state = 'idle';
    }
  }

  async function look(row: SyncedRow, { room, changes }: { room: string; changes: number }): Promise<void> {
    const version = versions.get(room);
    if (version === undefined) return;
    const isNews = changes > 0 || version !== row.files || (await isNamedByNow(row));
    if (isNews) await meet(row, { room, changes });
    if (isSynced(row) && (isNews || (fetching.get(row.id) ?? 0) <= clock.now())) await fetchNamed(row, room);
  }

  /** Whether a note here names by now what the room was not told of, as one that is back from the trash. */
  async function isNamedByNow(row: SyncedRow): Promise<boolean> {
    const at = { account: row.account, namespace: row.name };
    const version = files.linksVersion(at);
    const last = untold.get(row.id);
    if (row.role === 'viewer' || (last && (last.version === version || last.until > clock.now())))
      return false;
    untold.set(row.id, { version, until: clock.now() + NAMED_EVERY });
    const paths = [...store.read((db) => knownFiles(db, row)).values()]
      .filter(
        ({ path, here: hash, there, size }) =>
          there === null && hash !== null && isTakenByRelays({ path, hash, size }),
      )
      .map(({ path }) => path);
    return paths.length > 0 && (await files.named(at, paths)).size > 0;
  }

  /** Says what changed here, sends what the room lacks, and takes over what changed there. */
  async function meet(row: SyncedRow, { room, changes }: { room: string; changes: number }): Promise<void> {
    const ask = await client();
    const at = { account: row.account, namespace: row.name };
    const { version, files: listed } = await ask(listFiles, { params: { id: room } });
    const known = store.read((db) => knownFiles(db, row));
    const mine = new Map(files.all(at).map((file) => [file.path, file]));
    const theirs = new Map(listed.map((file) => [file.path, file]));
    const mayWrite = row.role !== 'viewer';
    // What a note in the trash named is told to nobody who joins: only what one names now is new to a room.
    const named = await files.named(
      at,
      [...mine.keys()].filter((path) => !theirs.has(path)),
    );
    const { set, remove }: Telling = { set: [], remove: [] };
    const drop: string[] = [];
    const agreed: KnownFile[] = [];
    for (const path of new Set([...mine.keys(), ...known.keys(), ...theirs.keys()])) {
      const [own, there] = [mine.get(path), theirs.get(path)];
      // A name that no relay takes stays here, and does not keep the others.
      const isTold = mayWrite && (own === undefined || isTakenByRelays(own));
      const due = stepOf({ mine: own, known: known.get(path), theirs: there }, isTold);
      const step = due === 'set' && !there && !named.has(path) ? 'none' : due;
      // Somebody claimed another size of a file before its bytes were there: the relay would not take them.
      const isWrong = isTold && own?.isOwn && there?.stored === false;
      const isCorrected = isWrong && there.hash === own.hash && there.size !== own.size;
      if (own && (step === 'set' || isCorrected)) set.push({ path, hash: own.hash, size: own.size });
      if (step === 'remove' && there) remove.push({ path, hash: there.hash });
      if (step === 'drop') drop.push(path);
      const now = step === 'set' || isCorrected ? own : step === 'remove' ? undefined : there;
      const here = own?.isOwn ? own.hash : null;
      if (now || here !== null)
        agreed.push({ path, here, there: now?.hash ?? null, size: now?.size ?? own?.size ?? 1 });
    }
    const over = set.splice(Math.max(0, relayFileLimits.files - theirs.size));
    if (over.length > 0)
      log.warn({ room, files: over.length }, 'a room takes no more files; some stay here alone');
    const missing = new Set(listed.filter(({ stored }) => !stored).map(({ hash }) => hash));
    if (!isSynced(row)) return;
    const told = await tell(row, room, { set, remove });
    for (const hash of told.missing) missing.add(hash);
    const { space } = told;
    const isSent = !mayWrite || ((await sendMissing(row, { room, missing, space }, mine)) && !told.isFull);
    if (!isSynced(row)) return;
    for (const path of drop) files.drop(at, path);
    store.write((db) => {
      saveKnown(
        db,
        row,
        agreed.filter(({ path }) => !told.passedOver.has(path)),
      );
      saveSyncedRow(db, row.id, { files: version });
      // What was taken over from the room counts as a change here, too; it is looked at once more, and nothing is to be done.
      if (isSent) noteTold(db, row, changes);
    });
    if (!isSent) resting.set(row.id, clock.now() + AGAIN);
  }

  /** Tells a room what its paths name, some at once; what it refuses is passed over, so that all others go on. */
  async function tell(row: SyncedRow, room: string, { set, remove }: Telling): Promise<Told> {
    const ask = await client();
    const told: Told = { missing: [], space: Infinity, passedOver: new Set(), isFull: false };
    const tellSome = async (body: Telling): Promise<void> => {
      try {
        const { missing, space } = await ask(nameFiles, { params: { id: room }, body });
        told.missing.push(...missing);
        told.space = space;
      } catch (cause) {
        if (wasRefusedWith(cause, 'quota_exceeded') && body.set.length > 0) {
          log.warn({ err: cause, room, files: body.set.length }, 'a room takes no more names of files');
          for (const { path } of body.set) told.passedOver.add(path);
          told.isFull = true;
          if (body.remove.length > 0) await tellSome({ set: [], remove: body.remove });
          return;
        }
        if (!wasRefusedWith(cause, 'invalid_request')) throw cause;
        const [only, ...others] = [...body.set, ...body.remove];
        if (!only) throw cause;
        if (others.length === 0) {
          log.warn(
            { err: cause, room, hash: only.hash },
            'the relay refuses to name a file; it is passed over',
          );
          told.passedOver.add(only.path);
          return;
        }
        const middle = { set: Math.ceil(body.set.length / 2), remove: Math.floor(body.remove.length / 2) };
        await tellSome({ set: body.set.slice(0, middle.set), remove: body.remove.slice(0, middle.remove) });
        await tellSome({ set: body.set.slice(middle.set), remove: body.remove.slice(middle.remove) });
      }
    };
    for (let from = 0; from < Math.max(set.length, remove.length); from += relayFileLimits.atOnce) {
      if (!isSynced(row)) break;
      const slice = <T>(all: readonly T[]) => all.slice(from, from + relayFileLimits.atOnce);
      await tellSome({ set: slice(set), remove: slice(remove) });
    }
    return told;
  }

  /** Sends what the room lacks and is here out of a folder of this machine, the smallest first; false where something is still to be sent. */
  async function sendMissing(
    row: SyncedRow,
    { room, missing, space }: { room: string; missing: ReadonlySet<string>; space: number },
    mine: ReadonlyMap<string, SyncedFile & { isOwn: boolean }>,
  ): Promise<boolean> {
    const waiting = new Map(
      [...mine.values()]
        .filter(({ hash, isOwn }) => isOwn && missing.has(hash))
        .map(({ hash, size }) => [hash, size]),
    );
    let left = space;
    let isAll = true;
    for (const [hash, size] of [...waiting].sort(([, a], [, b]) => a - b)) {
      if (!isSynced(row)) return false;
      const file = files.fileOf(hash);
      if (file === undefined || size > left) {
        isAll = false;
        continue;
      }
      const sent = await (await blobs()).send({ room, hash }, file);
      if (sent === 'refused') log.warn({ room, hash }, 'the relay refuses a file; it is passed over');
      if (sent === 'sent') left -= size;
      else isAll = false;
    }
    return isAll;
  }

  /** Which missing files notes name: looked for anew where the notes changed, or what is missing. */
  async function namedOf(row: SyncedRow, missing: readonly SyncedFile[]): Promise<ReadonlySet<string>> {
    const at = { account: row.account, namespace: row.name };
    const version = files.linksVersion(at);
    const last = lookups.get(row.id);
    if (last?.version === version && isSame(last.missing, missing)) return last.named;
    const named = await files.named(
      at,
      missing.map(({ path }) => path),
    );
    lookups.set(row.id, { version, missing, named });
    return named;
  }

  /** Fetches what the room has and a note here names. */
  async function fetchNamed(row: SyncedRow, room: string): Promise<void> {
    const missing = store
      .read((db) => missingFiles(db, row))
      .filter((file) => !refused.has(refusalKey(file)));
    fetching.set(row.id, missing.length === 0 ? Infinity : clock.now() + NAMED_EVERY);
    if (missing.length === 0) return;
    const at = { account: row.account, namespace: row.name };
    const named = await namedOf(row, missing);
    for (const file of missing) {
      if (!named.has(file.path)) continue;
      if (!isSynced(row)) return;
      const from = await blobs();
      const kept = await files
        .keep(at, file, async () => {
          const bytes = await from.get({ room, hash: file.hash });
          if (!bytes) throw new NotYet();
          return bytes;
        })
        .catch((cause: unknown) => {
          if (cause instanceof NotYet) return 'not_yet' as const;
          throw cause;
        });
      if (kept === 'kept') continue;
      resting.set(row.id, clock.now() + AGAIN);
      if (kept === 'wrong_bytes' || kept === 'other_type') refused.add(refusalKey(file));
      if (kept !== 'not_yet')
        log.warn({ room, hash: file.hash, why: kept }, 'a file of another device is not kept');
    }
  }

  return {
    async forgetUnnamed(row) {
      const { room } = row;
      if (room === null || !versions.has(room)) return;
      const ask = await client();
      const { files: listed } = await ask(listFiles, { params: { id: room } });
      const named = await files.named(
        { account: row.account, namespace: row.name },
        listed.map(({ path }) => path),
      );
      const remove = listed.filter(({ path }) => !named.has(path)).map(({ path, hash }) => ({ path, hash }));
      for (let from = 0; from < remove.length; from += relayFileLimits.atOnce)
        await ask(nameFiles, {
          params: { id: room },
          body: { set: [], remove: remove.slice(from, from + relayFileLimits.atOnce) },
        });
    },
    listed(rooms) {
      versions.clear();
      for (const { id, files: version } of rooms) if (version !== undefined) versions.set(id, version);
      // News of a room may be what was waited for.
      resting.clear();
      void run();
    },
    start() {
      const timer = clock.every(LOOK_EVERY, () => void run());
      return () => {
        state = 'stopped';
        timer.stop();
      };
    },
  };
}

function isTakenByRelays({ path, hash, size }: SyncedFile): boolean {
  return RelayFile.safeParse({ path, hash, size }).success;
}

interface Lookup {
  version: number;
  missing: readonly SyncedFile[];
  named: ReadonlySet<string>;
}

interface Telling {
  set: SyncedFile[];
  remove: { path: string; hash: string }[];
}

/** What a room answers: what it still lacks, the space that is left, and the paths that it refused. */
interface Told {
  missing: string[];
  space: number;
  passedOver: Set<string>;
  /** The owner of the room has no space left for some of them; they are told of another time. */
  isFull: boolean;
}

const refusalKey = ({ hash, size }: SyncedFile) => `${hash} ${size}`;

function isSame(some: readonly SyncedFile[], others: readonly SyncedFile[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ path, hash }, at) => path === others[at]?.path && hash === others[at].hash)
  );
}

/** A path names a file whose bytes are still on their way to the relay. */
class NotYet extends Error {}
