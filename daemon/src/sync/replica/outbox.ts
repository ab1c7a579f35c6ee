import type { AccountId } from '@reverie/shared/accounts/caller';
import { hlcOf } from '@reverie/shared/document/clock';
import type { Content, VersionName } from '@reverie/shared/document/register';
import { Problem } from '@reverie/shared/contract/problems';
import { type Author, isAskedFor, isFromElsewhere } from '../../db/change.ts';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import { isToSync, keepHere } from '../namespaces/choices.ts';
import { dropConflicts, moveConflicts } from '../conflicts/conflicts.store.ts';
import { filledBuckets, insertRedaction } from './documents.store.ts';
import { tick } from '../link.store.ts';
import { findLost } from '../namespaces/lost.store.ts';
import {
  findSyncedByName,
  hiddenMemories,
  insertSynced,
  memoriesAfter,
  type SentMemory,
  type SyncedRow,
  saveSyncedRow,
} from '../namespaces/namespaces.store.ts';
import { dropSaid, insertOperation } from './outbox.store.ts';

interface MemoryAddress {
  namespace: string;
  key: string;
}

/** A key at which nothing is any more. */
type Leaving = MemoryAddress & {
  author: Author;
  /** When what stood there was changed, ms since 1970; not given where all of it goes. */
  seen?: number;
  /** Runs before it is said. */
  before?: (row: SyncedRow) => void;
};

/** Notes changes for other devices, each in the transaction of the change. */
export interface SyncOutbox {
  /** `before`: when what it was written over was changed, ms since 1970, null where nothing was there; not given where it says what it said, elsewhere. */
  wrote(
    db: WriteDb,
    change: MemoryAddress & { author: Author; before?: number | null | undefined },
    content: Content,
  ): void;
  renamed(
    db: WriteDb,
    change: { author: Author; from: MemoryAddress; to: MemoryAddress },
    content: Content,
  ): void;
  deleted(db: WriteDb, change: MemoryAddress & { author: Author }): void;
  cleared(db: WriteDb, change: { author: Author; namespace: string }): void;
}

export interface OutboxDeps {
  /** The time, by the relay's clock where this machine's is ahead. */
  clock: { now(): number };
  /** The account that is linked; undefined while none is, and then nothing is written at all. */
  linked: () => AccountId | undefined;
  /** Told once the change is on disk. */
  wake: () => void;
}

export function createOutbox({ clock, linked, wake }: OutboxDeps): SyncOutbox {
  /** The namespace that a change goes to; undefined where none is told. Throws `forbidden_role` where somebody asked for it who may not. */
  function open(db: WriteDb, { author, name }: { author: Author; name: string }): SyncedRow | undefined {
    const { account } = author;
    if (linked() !== account) return undefined;
    const known = findSyncedByName(db, account, name);
    // What left sync comes back when somebody says so: else the next change alone would go into a room of its own.
    if (!known && findLost(db, account, name)) return undefined;
    if (!known && !isToSync(db, account, { name })) {
      keepHere(db, account, { namespace: name, now: clock.now() });
      return undefined;
    }
    const found = known ?? insertSynced(db, account, { name, memories: 0 });
    if (found.role !== 'viewer') return found;
    if (!isAskedFor(author)) return undefined;
    throw readOnly(name);
  }

  /** Says what a memory says now. */
  function say(
    db: WriteDb,
    { author, namespace, key, before }: MemoryAddress & { author: Author; before: number | null },
    content: Content,
  ): void {
    const row = open(db, { author, name: namespace });
    if (!row) return;
    const now = clock.now();
    insertOperation(db, {
      account: author.account,
      namespaceId: row.id,
      kind: 'set',
      key,
      content: { ...contentOf(content), before },
      hlc: tick(db, now),
      now,
    });
    db.afterCommit(wake);
  }

  /** Says that nothing is at a key any more. */
  function gone(db: WriteDb, { author, namespace, key, seen, before }: Leaving): void {
    const row = open(db, { author, name: namespace });
    if (!row) return;
    const now = clock.now();
    before?.(row);
    insertOperation(db, {
      account: author.account,
      namespaceId: row.id,
      kind: 'delete',
      key,
      content: seen === undefined ? null : { before: seen },
      hlc: tick(db, now),
      now,
    });
    db.afterCommit(wake);
  }

  return {
    wrote(db, { before, ...at }, content) {
      if (!isFromElsewhere(at.author))
        say(db, { ...at, before: before === undefined ? content.updated_at : before }, content);
    },
    renamed(db, { author, from, to }, content) {
      const { account } = author;
      moveConflicts(db, account, { from, to });
      // First what it says now: who reads the deletion after it has the history to go on with. What another namespace's members have
      // never seen is not theirs.
      const was = from.namespace === to.namespace ? from.key : undefined;
      say(db, { author, ...to, before: null }, { ...content, was });
      // What it said under the old key stays to be told: the other device's history goes on from there.
      gone(db, { author, ...from, seen: content.updated_at });
    },
    deleted(db, { author, namespace, key }) {
      const { account } = author;
      dropConflicts(db, account, { namespace, key, isTold: isFromElsewhere(author) });
      if (isFromElsewhere(author)) return;
      gone(db, {
        author,
        namespace,
        key,
        before: (row) => dropSaid(db, row.id, key),
      });
    },
    cleared(db, { author, namespace }) {
      const { account } = author;
      dropConflicts(db, account, { namespace, key: null, isTold: isFromElsewhere(author) });
      if (isFromElsewhere(author)) return;
      const row = open(db, { author, name: namespace });
      if (!row) return;
      const now = clock.now();
      const hlc = tick(db, now);
      dropSaid(db, row.id, null);
      insertOperation(db, {
        account,
        namespaceId: row.id,
        kind: 'clear',
        key: null,
        content: null,
        hlc,
        now,
      });
      // Nothing is left of what was there before the link.
      saveSyncedRow(db, row.id, { cleared_before: hlc, upload_after: null, upload_done: row.upload_total });
      for (const bucket of filledBuckets(db, row.id))
        insertRedaction(db, { account, namespaceId: row.id, bucket });
      db.afterCommit(wake);
    },
  };
}

/** What is answered to who asks for a change of a namespace that they may only read. */
export const readOnly = (namespace: string): Problem =>
  new Problem(
    'forbidden_role',
    `The namespace ${JSON.stringify(namespace)} is shared with you to read only; ask its owner for the role of an editor`,
  );

/** What a row says, and nothing else of it. */
function contentOf(row: Content): Content {
  const { value, metadata, created_at, updated_at, expires_at, was, trashed, archived, behind } = row;
  return { value, metadata, created_at, updated_at, expires_at, was, trashed, archived, behind };
}

/** Tells other devices, once, which memories are hidden here: programs before this one kept that to themselves. */
export function tellHidden(db: WriteDb, now: number): void {
  for (const { account, synced: namespaceId, key, ...content } of hiddenMemories(db))
    insertOperation(db, {
      account,
      namespaceId,
      kind: 'set',
      key,
      content: contentOf(content),
      hlc: tick(db, now),
      now,
    });
}

/** Tells the other devices of a namespace, within the transaction, that somebody decided here about a version that lost. */
export function tellSettled(
  db: WriteDb,
  row: Pick<SyncedRow, 'id' | 'account'>,
  { key, now, settles }: { key: string; now: number; settles: VersionName },
): void {
  insertOperation(db, {
    account: row.account,
    namespaceId: row.id,
    kind: 'settle',
    key,
    content: settles,
    hlc: tick(db, now),
    now,
  });
}

/** Memories of a first upload that go into the outbox at once. */
const UPLOAD_PAGE = 500;

/**
 * Puts the next memories from before the link into the outbox, stamped with the time of their last change: what
 * another device changed later wins. Answers whether there are more.
 */
export function uploadPage(db: WriteDb, row: SyncedRow, now: number): boolean {
  if (row.upload_after === null) return false;
  const memories = memoriesAfter(db, row.account, {
    name: row.name,
    after: row.upload_after,
    limit: UPLOAD_PAGE,
  });
  for (const memory of memories)
    insertOperation(db, {
      account: row.account,
      namespaceId: row.id,
      kind: 'set',
      now,
      isFirst: true,
      ...broughtOf(memory, row, now),
    });
  const last = memories.at(-1);
  const isEnd = memories.length < UPLOAD_PAGE || last === undefined;
  saveSyncedRow(db, row.id, {
    upload_after: isEnd ? null : last.id,
    upload_done: isEnd ? row.upload_total : row.upload_done + memories.length,
  });
  return !isEnd;
}

/** What a memory from before the link says, stamped with the time of its last change. */
function broughtOf(
  { id: _, key, ...content }: SentMemory,
  { cleared_before }: SyncedRow,
  now: number,
): { key: string; hlc: number; content: Content } {
  // A clear that came before this device joined was not meant for what it brings along.
  const hlc = Math.max(hlcOf(Math.min(content.trashed ?? content.updated_at, now)), cleared_before + 1);
  return { key, hlc, content };
}

/** All memories that are still to be uploaded, as `uploadPage` stamps them. */
export function* memoriesToUpload(
  db: ReadDb,
  row: SyncedRow,
  now: number,
): Generator<{ id: number; key: string; hlc: number; content: Content }> {
  for (let after = row.upload_after; after !== null;) {
    const page = memoriesAfter(db, row.account, { name: row.name, after, limit: UPLOAD_PAGE });
    for (const memory of page) yield { id: memory.id, ...broughtOf(memory, row, now) };
    after = page.length < UPLOAD_PAGE ? null : (page.at(-1)?.id ?? null);
  }
}
