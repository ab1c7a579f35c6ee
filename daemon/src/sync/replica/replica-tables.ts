import { randomUUID } from 'node:crypto';
import { Key, Metadata, Value } from '@reverie/shared/contract/fields';
import { wallOf } from '@reverie/shared/document/clock';
import { isPresentBetween } from '@reverie/shared/protocol/epoch-number';
import { goesBackTo, isOfDevice, type Mark, readMark, shortWriter } from '@reverie/shared/document/lineage';
import {
  BUCKETS,
  type Content,
  descentOf,
  type Version,
  type Writer,
} from '@reverie/shared/document/register';
import type { ReplicaTables, WaitingEntry } from '@reverie/shared/document/replica';
import { z } from 'zod';
import { authorsOf } from '../../db/authors.ts';
import type { Author } from '../../db/change.ts';
import type { WriteDb } from '../../db/open-store.ts';
import {
  dropConflicts,
  dropSaid,
  dropSettled,
  dropVersion,
  insertConflict,
  lostAt,
  moveConflicts,
} from '../conflicts/conflicts.store.ts';
import {
  filledBuckets,
  insertRedaction,
  insertUpdate,
  loadConfirmed,
  replaceUpdates,
} from './documents.store.ts';
import { findLink, hear, observe, tick } from '../link.store.ts';
import { findSynced, keysOf, saveSyncedRow, type SyncedRow } from '../namespaces/namespaces.store.ts';
import { deleteOperations, insertOperation, toldIn, unwritten } from './outbox.store.ts';
import type { SyncedMemories } from '../ports.ts';
import type { ReplicaWork } from './replica-steps.ts';
import { insertSend, isClearWaiting, takeSends, waitingOf } from './sends.store.ts';

/** What the tables of a namespace need besides its row. */
export interface TablesDeps {
  memories: SyncedMemories;
  writer: Writer;
  /** The next number of an entry of this incarnation. */
  nextNumber: () => number;
  /** An entry of this incarnation is made anew; it may be in the log all the same. */
  replaced: (n: number) => void;
  /** By the relay's clock, as far as it is known. */
  now: () => number;
  /** The latest that a change may be stamped with. */
  latest: () => number;
  nameOf: (device: string) => string | null;
  /** Keys of which the log of a namespace, while it is read before what is here goes to it, has said what is here. */
  saidOnce: (namespaceId: number) => Set<string>;
}

export interface TablesOptions {
  /** Operations that are written at once; all of them where omitted. */
  limit?: number;
  /** Whose entry is merged. */
  device?: string;
  /** Whether it was there before this device came: then no webhook hears of it. */
  isFirst?: boolean;
}

/** A namespace's tables in SQLite, within the transaction under way. */
export function tablesOf(
  db: WriteDb,
  deps: TablesDeps,
  { row, limit = 1e9, device = deps.writer.device, isFirst = false }: TablesOptions & { row: SyncedRow },
): ReplicaTables & Pick<ReplicaWork, 'changed' | 'putAway'> {
  const { account, id: namespaceId, name: namespace } = row;
  const { memories, writer } = deps;
  const at = { account, namespaceId };
  let clearedBefore = row.cleared_before;
  let clearedInLog = row.cleared_in_log;
  let changed = 0;
  const isAnew = () => findSynced(db, namespaceId)?.rebuild === 1;
  const author = (of: string): Author => ({
    account,
    actor: { kind: 'device', id: of },
    origin: isFirst ? 'joined' : 'device',
  });

  function send(bucket: number, { body, patch }: WaitingEntry, seqs: readonly number[]): void {
    insertSend(db, at, {
      incarnation: writer.incarnation,
      n: deps.nextNumber(),
      now: deps.now(),
      bucket,
      body: body ?? null,
      cleared_before: null,
      patch,
      seqs,
    });
  }

  /** A stamp that no relay takes is of somebody who means harm: it would make all that is written here as new, and refused. */
  const isPossible = (hlc: number) => wallOf(hlc) <= deps.latest();

  /** Whether others disagreed before this device came: it is their business. */
  function isFromBefore(versions: readonly Version[]): boolean {
    if (versions.some((version) => version.device === writer.device)) return false;
    const { linked_at = 0 } = findLink(db) ?? {};
    return isFirst || versions.every(({ hlc }) => wallOf(hlc) < linked_at);
  }

  /** Keeps what lost, where it says something else; tells of it once. */
  function keepLoser(winner: Version, loser: Version): void {
    if (isSame(winner.content, loser.content) || isFromBefore([winner, loser])) return;
    // Whoever put it into the trash has it in the history of what stands.
    if (loser.content.trashed !== undefined) return;
    // Somebody went on from what another one only put away.
    if (goesBackTo(descentOf(winner), descentOf(loser).mark)) return;
    // What no device could have written says nothing that somebody might want back.
    const possible = Possible.safeParse(loser).data;
    if (!possible) return;
    const { value, metadata, updated_at, expires_at } = loser.content;
    const isNew = insertConflict(db, account, {
      id: `cfl_${randomUUID()}`,
      namespace,
      key: loser.key,
      value,
      metadata,
      expires_at,
      device: loser.device,
      device_name: deps.nameOf(loser.device),
      incarnation: loser.incarnation,
      hlc: loser.hlc,
      reason: 'lost',
      written_at: updated_at,
      found_at: deps.now(),
      mark: loser.origin?.is ?? null,
    });
    if (!isNew) return;
    const by = authorsOf(db, account)(`device:${loser.device}`) ?? null;
    const lost = { key: loser.key, value, namespace, metadata: possible.content.metadata, author: by };
    memories.merged(db, author(winner.device), { namespace, key: winner.key, lost });
  }

  /** Whether a writer, as it stands beside what it wrote, is the one of a mark; of what was written before that was kept the time has to do. */
  function mayBe(by: string | null, mark: Mark): boolean {
    if (by === null) return true;
    return isOfDevice(mark, by.startsWith('device:') ? by.slice('device:'.length) : writer.device);
  }

  return {
    clearedBefore: () => clearedBefore,
    saveClearedBefore(hlc) {
      clearedBefore = hlc;
      saveSyncedRow(db, namespaceId, { cleared_before: hlc });
      // Also of memories that were changed after the clear, which stay.
      dropConflicts(db, account, { namespace, key: null, upTo: hlc, isTold: true });
      memories.forgetTrashed(db, author(device), { namespace, until: wallOf(hlc) });
    },
    clearedInLog: () => clearedInLog,
    saveClearedInLog(hlc) {
      clearedInLog = hlc;
      hear(db, hlc);
      saveSyncedRow(db, namespaceId, { cleared_in_log: hlc });
    },
    isClearWaiting: () => isClearWaiting(db, namespaceId),
    hear(hlc) {
      if (isPossible(hlc)) hear(db, hlc);
    },
    isAnew,
    isShared: () => isPresentBetween(0, row.epoch),
    ...(row.upload_after !== null && {
      saidOnce({ key, content }: Version) {
        const here = memories.content(account, { namespace, key });
        if (here && isSame(here, content)) deps.saidOnce(namespaceId).add(key);
      },
    }),
    forgetSoon: (bucket) => insertRedaction(db, { ...at, bucket }),
    unwritten: () =>
      row.entering === null || row.entered >= BUCKETS ? unwritten(db, namespaceId, limit) : [],
    saveOwn(bucket, update, seqs) {
      if (update === undefined) deleteOperations(db, seqs);
      else send(bucket, { body: update }, seqs);
    },
    saveTheirs: (bucket, update) => insertUpdate(db, { ...at, bucket }, update),
    buckets: () => filledBuckets(db, namespaceId),
    confirmed: (bucket) => loadConfirmed(db, namespaceId, bucket),
    replaceConfirmed: (bucket, update) => replaceUpdates(db, { ...at, bucket }, update),
    waiting: (bucket) => waitingOf(db, namespaceId, bucket),
    replaceWaiting(bucket, entries) {
      const old = waitingOf(db, namespaceId, bucket);
      for (const { incarnation, n } of old) if (incarnation === writer.incarnation) deps.replaced(n);
      const seqs = takeSends(
        db,
        old.map(({ id }) => id),
      );
      for (const [index, entry] of entries.entries())
        send(bucket, entry, index === entries.length - 1 ? seqs : []);
      if (entries.length === 0) deleteOperations(db, seqs);
    },
    forget(versions) {
      for (const version of versions) {
        const { key, content } = version;
        dropVersion(db, account, { namespace, ...version });
        if (content.trashed !== undefined)
          memories.forgetTrashed(db, author(device), { namespace, key, created_at: content.created_at });
        // Another version may take its place, and would keep this one in its history.
        else if (isSaid(content, memories.content(account, { namespace, key })))
          memories.apply(db, author(device), { namespace, key, content: undefined });
      }
    },
    settle(versions) {
      for (const version of versions) dropSettled(db, account, { namespace, ...version });
    },
    place(key, winner, losers) {
      if (!winner) {
        if (memories.apply(db, author(device), { namespace, key, content: undefined })) changed += 1;
        return;
      }
      // What this device has written itself may not be with the relay yet.
      if (isPossible(winner.hlc)) (winner.device === writer.device ? observe : hear)(db, winner.hlc);
      const content = { ...winner.content, metadata: Possible.parse(winner).content.metadata };
      if (memories.apply(db, author(winner.device), { namespace, key, content })) changed += 1;
      for (const loser of losers) keepLoser(winner, loser);
      // It lost against what is gone by now, or somebody wrote it again.
      dropSaid(db, account, { namespace, key, content: winner.content });
    },
    dropOutgrown(key, isOutgrown) {
      for (const { written_at, mark, ...name } of lostAt(db, account, { namespace, key }))
        if (isOutgrown(readMark(mark) ?? { by: shortWriter(name), at: written_at }))
          dropSettled(db, account, { namespace, ...name });
    },
    goesOnAt(from, to) {
      moveConflicts(db, account, { from: { namespace, key: from }, to: { namespace, key: to } });
      memories.keptName(db, author(device), { namespace, key: to, other: from });
    },
    namesakes: (key, created_at) => memories.namesakes(account, { namespace, key, created_at }),
    // What waits to be uploaded, or to be said again, is in no document: nobody can have deleted it.
    said: (key) => (row.upload_after === null ? memories.content(account, { namespace, key }) : undefined),
    keys: () => keysOf(db, account, namespace),
    clear: () => memories.clear(db, author(device), namespace),
    now: deps.now,
    mayMerge: () => row.role !== 'viewer' && row.entering === null && row.upload_after === null && !isAnew(),
    textOf(keys, mark) {
      const [said, ...others] = keys
        .flatMap((key) => memories.asOf(account, { namespace, key, updated_at: mark.at }))
        .filter((version) => mayBe(version.writer, mark));
      return others.every(({ value, metadata }) => value === said?.value && metadata === said.metadata)
        ? said
        : undefined;
    },
    say(operation) {
      const { kind, key, hlc = tick(db, deps.now()) } = operation;
      insertOperation(db, {
        account,
        namespaceId,
        kind,
        key,
        hlc,
        now: deps.now(),
        content: toldIn(operation),
      });
    },
    putAway(key, content) {
      const metadata = parsedMetadata.parse(content.metadata);
      const away = { ...content, metadata, trashed: deps.now() };
      if (memories.apply(db, author(device), { namespace, key, content: away })) changed += 1;
    },
    changed: () => changed,
  };
}

function isSame(a: Content, b: Content): boolean {
  return a.value === b.value && a.metadata === b.metadata && a.expires_at === b.expires_at;
}

/** Whether a row is this version, and not another one that says the same. */
function isSaid(content: Content, row: Content | undefined): boolean {
  return (
    row?.value === content.value &&
    row.created_at === content.created_at &&
    row.updated_at === content.updated_at
  );
}

const Time = z.number().max(8.64e15);

/** Metadata as a slot says it: JSON. */
const parsedMetadata = z.string().transform(parsedAs).pipe(Metadata);

/** A version within the limits of the interface: another device may run anything. */
const Possible = z.object({
  key: Key,
  content: z.object({
    value: Value,
    metadata: parsedMetadata,
    created_at: Time,
    updated_at: Time,
    expires_at: Time.nullable(),
    trashed: Time.optional(),
    archived: Time.optional(),
    behind: z.object({ key: Key, created_at: Time }).optional(),
  }),
});

function parsedAs(json: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(json);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
}
