import type { AccountId } from '@reverie/shared/accounts/caller';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { Behind } from '@reverie/shared/document/register';
import type { Author, NewEvent } from '../../db/change.ts';
import type { ReadDb, Store, WriteDb } from '../../db/open-store.ts';
import type { FindNamed } from '../../language/notes/note-names.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SessionPlace } from './reading/session.ts';

/** A memory as the indexes take it. */
export interface IndexedMemory {
  id: number;
  account: AccountId;
  namespaceId: number;
  key: string;
  value: string;
  /** As JSON. */
  metadata: string;
  place: SessionPlace | undefined;
}

/** What has to be kept in step with the rows, in the same transaction. */
export interface MemoryIndex {
  /** Indexes a new or changed memory; `before` is where it stood in a session until now. */
  put(db: WriteDb, memory: IndexedMemory, before: SessionPlace | undefined): void;
  /** Takes a memory out, before its row is deleted. */
  remove(db: WriteDb, memory: IndexedMemory): void;
  /** Indexes a hidden memory apart: `namespaceId` is where such ones stand. */
  shelve(db: WriteDb, memory: IndexedMemory): void;
  /** Takes out all memories of a namespace, before their rows are deleted. */
  clear(db: WriteDb, account: AccountId, namespaceId: number): void;
  /** Whether its words are in the index: those of a long text are behind the write. */
  has(db: ReadDb, memoryId: number): boolean;
  /** Ids of the memories that say each of some runs of words, hidden ones included. */
  saying(db: ReadDb, account: AccountId, exact: readonly string[]): readonly number[];
  /** … and of those that say any of some words; not for a word that stands there with the dash that left it out. */
  sayingAny(db: ReadDb, account: AccountId, without: readonly string[]): readonly number[];
}

/** The event log, as memories use it. */
export interface MemoryEvents {
  record(db: WriteDb, event: NewEvent): void;
  /** Takes what a memory said out of earlier events; `key` is null for a whole namespace. */
  redact(db: WriteDb, at: { account: AccountId; namespace: string; key: string | null }): void;
  /** The same for the names that a memory, or those of a namespace, had before; while their rows are still there. */
  redactEarlier(db: WriteDb, of: { account: AccountId } & ({ id: number } | { namespaceId: number })): void;
  /** A memory is not called so any more: its events until now are found by what it was called. */
  renamed(db: WriteDb, memory: { account: AccountId; id: number; namespace: string; key: string }): void;
  /** Whether a memory was called so once, as far as that was kept. */
  wasCalled(db: ReadDb, memory: { id: number; namespace: string; key: string }): boolean;
  /** A memory goes on from another one, and so do its earlier names. */
  goesOn(db: WriteDb, memory: { from: number; to: number }): void;
  /** Keys of other memories that were made then, ms since 1970, and had this key once, or one that the memory of this key had. */
  namesakes(
    db: ReadDb,
    of: { account: AccountId; namespace: string; key: string; created_at: number },
  ): readonly string[];
}

/** What was derived from memories and is withdrawn with them, in the same transaction. */
export interface MemoryFollowers {
  /** A memory has another value, or metadata, now. */
  overwritten(db: WriteDb, memory: { id: number; value: string }): void;
  /** A memory has another key, or is in another namespace now. */
  renamed(db: WriteDb, memory: { id: number; from: string; to: { namespace: string; key: string } }): void;
  /** A memory is in the trash now. */
  trashed(db: WriteDb, memory: { id: number }): void;
  /** A memory is about to be deleted. */
  deleted(db: WriteDb, memory: { id: number }): void;
  /** All memories of a namespace are about to be deleted. */
  cleared(db: WriteDb, at: { account: AccountId; namespace: string }): void;
}

/** What a memory states, facts and links, kept in the transaction that changes it. */
export interface MemoryFacts {
  /** A memory is hidden, or moves: it says nothing until it is shown again. */
  withdrawn(db: WriteDb, memory: { id: number }): void;
  /** A memory says this now: its row is written. */
  changed(db: WriteDb, memory: { id: number }): void;
}

/** The links between memories, as renaming needs them. */
export interface MemoryLinks {
  /** Finds the memories of a namespace by the names that they have now. */
  named(db: ReadDb, within: { account: AccountId; namespaceId: number }): FindNamed;
  /** Ids of the other memories whose links lead to one. */
  linkingTo(db: ReadDb, memory: { account: AccountId; namespaceId: number; id: number }): readonly number[];
}

/** What a memory says, as sync tells it. Times in ms since 1970; `metadata` as JSON. */
export interface MemoryContent {
  value: string;
  metadata: string;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  /** When it was put into the trash. */
  trashed?: number | undefined;
  /** When it was archived. */
  archived?: number | undefined;
  /** What it is hidden behind, wherever that is there. */
  behind?: Behind | undefined;
}

/** Sync, told of each change in its transaction; by its origin it knows what other devices said themselves. */
export interface MemorySync {
  /**
   * A memory says this now. Throws `forbidden_role` where this home may only read. `before`: when what it was written over was changed, ms since 1970,
   * null where nothing was there; not given where it says what it said.
   */
  wrote(
    db: WriteDb,
    change: { author: Author; namespace: string; key: string; before?: number | null | undefined },
    content: MemoryContent,
  ): void;
  /** A memory has another address now, and says this there. Throws likewise, for either namespace. */
  renamed(
    db: WriteDb,
    change: {
      author: Author;
      from: { namespace: string; key: string };
      to: { namespace: string; key: string };
    },
    content: MemoryContent,
  ): void;
  /** A memory is gone, whoever deleted it. Throws likewise, but not where its time was over. */
  deleted(db: WriteDb, change: { author: Author; namespace: string; key: string }): void;
  cleared(db: WriteDb, change: { author: Author; namespace: string }): void;
}

/** What an account may store. */
export interface MemoryQuota {
  /** Counts a memory, as it is shown, in the transaction that writes it. Throws `quota_exceeded` and `storage_exceeded`, which undo it. */
  stored(db: WriteDb, account: AccountId, memory: JsonObject): void;
}

export interface MemoryDeps {
  store: Store;
  clock: Clock;
  index: MemoryIndex;
  events: MemoryEvents;
  followers: MemoryFollowers;
  facts: MemoryFacts;
  links: MemoryLinks;
  sync: MemorySync;
  quota: MemoryQuota;
  /** Told after a read which memories were asked for by their keys. */
  recalled: (account: AccountId, memoryIds: readonly number[]) => void;
  /** Earlier versions that are kept of a memory. */
  maxVersions: number;
}
