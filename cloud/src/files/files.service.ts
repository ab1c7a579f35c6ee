import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Problem } from '@reverie/shared/contract/problems';
import { type RelayFile, relayFileLimits } from '@reverie/shared/contract/relay/relay-files';
import { FileReply } from '@reverie/shared/http/mount';
import { invalidRequest } from '@reverie/shared/http/problem-reply';
import type { Clock } from '@reverie/shared/time/clock';
import type { Space } from '../transport/admission.ts';
import type { Records, Steps } from '../db/records.ts';
import { mayWrite } from '../rooms/membership.ts';
import { findAccess, listMemberRows, ownerOf } from '../rooms/rooms.store.ts';
import {
  correctSize,
  deleteFile,
  deleteFiles,
  deleteUnnamed,
  findBlob,
  findPiece,
  insertBlob,
  listFileRows,
  noteChange,
  pathsOf,
  saveFile,
  sizeNamed,
  unnamedBlobs,
  versionOf,
} from './files.store.ts';

export interface FilesDeps {
  records: Records;
  clock: Clock;
  space: Space;
  quotaOf: (account: string) => number | Promise<number>;
  /** Has the devices of an account ask for its rooms again. */
  tellRooms: (account: string) => void;
}

/** A room, and the account that asks. */
export interface RoomAt {
  room: string;
  account: string;
}

/** Bytes of a piece: what a database is asked for at once. */
const PIECE = 1024 * 1024;
/** Files that are in memory at once while they come, of all accounts, and of one. */
const AT_ONCE = { all: 6, account: 2 } as const;
/** How long a file may come: so many ms, or at so many bytes a second where that is longer. */
const DEADLINE = { ms: 120_000, bytesPerSecond: 64 * 1024 } as const;
/** How often is looked whether a file came too long, ms. */
const LOOK_EVERY = 1000;
/** Files whose bytes are deleted in one transaction: those of gigabytes would keep all others waiting. */
const REMOVED_AT_ONCE = 4;

function* accessTo({ room, account }: RoomAt): Steps<{ owner: string; mayWrite: boolean }> {
  const access = yield* findAccess(room, account);
  if (!access) throw new Problem('not_found', `There is no room ${room} of this account`);
  return { owner: access.owner, mayWrite: mayWrite(access.role) };
}

/** The owner of a room into which an account may write. */
function* writable(at: RoomAt): Steps<string> {
  const { owner, mayWrite: may } = yield* accessTo(at);
  if (!may) throw new Problem('forbidden_role', 'Viewers of a room change none of its files');
  return owner;
}

/** Which files notes of a room name. */
export function filesOf({ records }: Pick<FilesDeps, 'records'>, at: RoomAt) {
  return records.read(function* () {
    yield* accessTo(at);
    const version = yield* versionOf(at.room);
    const rows = yield* listFileRows(at.room);
    const files = rows.map(({ stored, ...file }) => ({ ...file, stored: stored === 1 }));
    return { version, files };
  });
}

/** Has paths of a room name files, and others nothing more; what nothing names is deleted. Answers what is to be sent. */
export async function nameFiles(
  deps: FilesDeps,
  at: RoomAt,
  { set, remove }: { set: readonly RelayFile[]; remove: readonly Pick<RelayFile, 'path' | 'hash'>[] },
): Promise<{ missing: string[]; space: number }> {
  const { records, space, quotaOf } = deps;
  const { room } = at;
  refuseTwoSizes(set);
  const owner = await records.read(() => writable(at));
  const spaceLeft = async () => (await quotaOf(owner)) - (await space.used(owner));
  const left = await spaceLeft();
  const { missing, isChanged, grown } = await records.write(function* () {
    yield* writable(at);
    const before = yield* pathsOf(room);
    let isChanged = false;
    for (const file of remove) isChanged = (yield* deleteFile(room, file)) || isChanged;
    const missing = new Set<string>();
    for (const file of set) {
      const blob = yield* findBlob(room, file.hash);
      if (blob && blob.size !== file.size)
        throw invalidRequest([{ path: 'set', message: `${file.hash} has ${blob.size} bytes in this room` }]);
      // Until the bytes are here a size is what somebody says: the next one may know better.
      if (!blob) isChanged = (yield* correctSize(room, file)) || isChanged;
      if (!blob) missing.add(file.hash);
      isChanged = (yield* saveFile(room, file)) || isChanged;
    }
    const after = yield* pathsOf(room);
    if (after.count > relayFileLimits.files)
      throw new Problem('quota_exceeded', `Notes of a room name at most ${relayFileLimits.files} files`);
    const grown = after.bytes - before.bytes;
    if (grown > Math.max(0, left))
      throw new Problem('quota_exceeded', 'The owner of the room has no space left for these names of files');
    if (isChanged) yield* noteChange(room);
    return { missing: [...missing], isChanged, grown };
  });
  space.add(owner, grown);
  await removeUnnamed(deps, room);
  if (isChanged) await tellMembers(deps, room);
  return { missing, space: Math.max(0, await spaceLeft()) };
}

/** Two sizes of one hash at once are a lie. */
function refuseTwoSizes(files: readonly RelayFile[]): void {
  const sizes = new Map<string, number>();
  for (const { hash, size } of files) {
    const other = sizes.get(hash) ?? size;
    if (other !== size)
      throw invalidRequest([
        { path: 'set', message: `${hash} has ${other} bytes, and ${size}; say one size` },
      ]);
    sizes.set(hash, size);
  }
}

async function tellMembers({ records, tellRooms }: FilesDeps, room: string): Promise<void> {
  for (const { account } of await records.read(() => listMemberRows(room))) tellRooms(account);
}

/** Deletes the bytes of files that no path names, a few at a time; of all rooms where none is said. */
export async function removeUnnamed(
  { records, space }: Pick<FilesDeps, 'records' | 'space'>,
  room?: string,
): Promise<void> {
  for (;;) {
    const some = await records.read(() => unnamedBlobs(room, REMOVED_AT_ONCE));
    if (some.length === 0) return;
    await records.write(function* () {
      for (const blob of some) yield* deleteUnnamed(blob);
    });
    for (const blob of some) {
      const owner = await records.read(() => ownerOf(blob.room));
      if (owner !== undefined) space.forget(owner);
    }
    records.empty();
    await turn();
  }
}

/** Deletes the files of a room that is about to go, a few at a time. */
export async function removeFiles(records: Records, room: string): Promise<void> {
  await records.write(() => deleteFiles(room));
  await removeUnnamed({ records, space: NOBODYS }, room);
}

/** The space of whoever goes is counted anew by who removes the room. */
const NOBODYS: Space = {
  used: () => 0,
  add: () => undefined,
  forget: () => undefined,
  forgetAll: () => undefined,
};

/** Lets others through between two slices. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Takes the bytes of files that rooms name, some at once. */
export interface BlobTaking {
  take(at: RoomAt & { hash: string }, file: AsyncIterable<Uint8Array>): Promise<void>;
}

export function createBlobTaking(deps: FilesDeps): BlobTaking {
  const { records, space, quotaOf, clock } = deps;
  /** Files that come now, by account. */
  const coming = new Map<string, number>();

  /** What is to be stored: of which size, in whose space. Undefined where it is here. */
  function wanted(at: RoomAt & { hash: string }): Promise<{ owner: string; size: number } | undefined> {
    return records.read(function* () {
      const owner = yield* writable(at);
      const size = yield* sizeNamed(at.room, at.hash);
      if (size === undefined)
        throw new Problem('not_found', `No path of the room names ${at.hash}; say first which does`);
      return (yield* findBlob(at.room, at.hash)) ? undefined : { owner, size };
    });
  }

  async function refuseFull({ owner, size }: { owner: string; size: number }): Promise<void> {
    if ((await space.used(owner)) + size > (await quotaOf(owner)))
      throw new Problem('quota_exceeded', 'The owner of the room has no space left for this file');
  }

  async function store(at: RoomAt & { hash: string }, file: AsyncIterable<Uint8Array>): Promise<void> {
    const want = await wanted(at);
    if (!want) return;
    await refuseFull(want);
    const pieces = await piecesOf(inTime(file, want.size, clock), { hash: at.hash, size: want.size });
    const isNew = await records.write(function* () {
      // What was so before the bytes came may be otherwise by now.
      yield* writable(at);
      if ((yield* sizeNamed(at.room, at.hash)) !== want.size || (yield* findBlob(at.room, at.hash)))
        return false;
      yield* insertBlob({ room: at.room, hash: at.hash, size: want.size }, pieces);
      yield* noteChange(at.room);
      return true;
    });
    if (!isNew) return;
    space.add(want.owner, want.size);
    await tellMembers(deps, at.room);
  }

  return {
    async take(at, file) {
      const own = coming.get(at.account) ?? 0;
      const all = [...coming.values()].reduce((sum, count) => sum + count, 0);
      if (own >= AT_ONCE.account || all >= AT_ONCE.all)
        throw new Problem('rate_limited', 'Other files come just now; send this one again in a moment', {
          headers: { 'Retry-After': '1' },
        });
      coming.set(at.account, own + 1);
      try {
        await store(at, file);
      } finally {
        const left = (coming.get(at.account) ?? 1) - 1;
        if (left === 0) coming.delete(at.account);
        else coming.set(at.account, left);
      }
    },
  };
}

/**
 * The pieces of a file as they come, until its time is over: it holds a place that others wait for. Throws `rate_limited` then, and has the
 * connection closed once that is answered.
 */
async function* inTime(
  file: AsyncIterable<Uint8Array>,
  size: number,
  clock: Clock,
): AsyncGenerator<Uint8Array> {
  const deadline = clock.now() + Math.max(DEADLINE.ms, (size / DEADLINE.bytesPerSecond) * 1000);
  const over = Promise.withResolvers<never>();
  const timer = clock.every(LOOK_EVERY, () => {
    if (clock.now() < deadline) return;
    over.reject(
      new Problem('rate_limited', 'The file comes too slowly; send it again when the connection is faster', {
        headers: { 'Retry-After': '60', Connection: 'close' },
      }),
    );
  });
  try {
    // Not `for await`: it would cut the connection before a refusal is sent.
    const pieces = file[Symbol.asyncIterator]();
    for (;;) {
      const piece = await Promise.race([pieces.next(), over.promise]);
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    timer.stop();
  }
}

/** Reads a file that should have a hash and a size, in pieces. Throws `invalid_request`, or `too_large` as soon as it is longer. */
async function piecesOf(
  file: AsyncIterable<Uint8Array>,
  { hash, size }: { hash: string; size: number },
): Promise<Buffer[]> {
  const whole = Buffer.allocUnsafe(size);
  const made = createHash('sha256');
  let at = 0;
  for await (const bytes of file) {
    if (at + bytes.length > size)
      throw new Problem('too_large', `The file should have ${size} bytes, and has more`, {
        headers: { Connection: 'close' },
      });
    whole.set(bytes, at);
    made.update(bytes);
    at += bytes.length;
  }
  if (at < size) throw invalidRequest([{ path: '', message: `has ${at} bytes, and should have ${size}` }]);
  if (made.digest('hex') !== hash)
    throw invalidRequest([{ path: 'hash', message: 'is not that of the bytes' }]);
  return Array.from({ length: Math.ceil(size / PIECE) }, (_, n) =>
    whole.subarray(n * PIECE, (n + 1) * PIECE),
  );
}

/** The bytes of a file of a room. Throws `not_found` where they are not here. */
export async function blobOf(
  { records }: Pick<FilesDeps, 'records'>,
  { hash, ...at }: RoomAt & { hash: string },
): Promise<FileReply> {
  const blob = await records.read(function* () {
    yield* accessTo(at);
    return yield* findBlob(at.room, hash);
  });
  if (!blob) throw new Problem('not_found', `The room has no file ${hash}`);
  async function* pieces() {
    for (let n = 0; n * PIECE < (blob?.size ?? 0); n += 1) {
      const body = await records.read(() => findPiece(at.room, hash, n));
      if (!body) throw new Error('A file was deleted while it was read');
      yield body;
    }
  }
  return new FileReply(() => Readable.from(pieces(), { objectMode: false }), {
    type: 'application/octet-stream',
    size: blob.size,
    etag: hash,
    headers: { 'Content-Disposition': 'attachment' },
  });
}
