import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadingSheet } from '@reverie/shared/contract/dreams/dreams';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { Author, NewEvent } from '../../db/change.ts';
import type { ReadDb, Store, WriteDb } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';

/** Where a memory is. */
export interface MemoryPlace {
  account: AccountId;
  namespace: string;
  key: string;
}

/** A memory as insights need it. Times in milliseconds since 1970, UTC; `metadata` as JSON. */
export interface SourceMemory {
  id: number;
  key: string;
  value: string;
  metadata: string;
  class: string;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  hidden: string | null;
}

/** What is written of a memory. */
export interface MemoryToWrite {
  namespace: string;
  key: string;
  value: string;
  metadata: JsonObject;
  expires_at?: string;
  created_at?: string;
  updated_at?: string;
}

/** How a memory is hidden: behind the key that it was merged into or that was kept instead, or archived. */
export type HowHidden = { hidden: 'merged' | 'superseded'; behind: string } | { hidden: 'archived' };

/** Memories, as insights use them; all of it joins the transaction that is under way. */
export interface DreamMemories {
  find(db: ReadDb, at: MemoryPlace): SourceMemory | undefined;
  write(db: WriteDb, author: Author, memory: MemoryToWrite): void;
  remove(db: WriteDb, author: Author, at: MemoryPlace): void;
  hide(db: WriteDb, author: Author, at: MemoryPlace & { how: HowHidden }): void;
  /** Shows it again, as it was, where it is hidden behind that key or waits to be; null: where it is archived. */
  show(db: WriteDb, author: Author, at: MemoryPlace & { behind: string | null }): void;
}

/** The sheets on which an agent reads a namespace. */
export interface Sheets {
  /** The next one that nobody has read; null where all is read. */
  next(account: AccountId, namespace: string): Promise<ReadingSheet | null>;
  /** Takes note that a sheet was read; one that is not known, or not any more, is none. */
  read(account: AccountId, namespace: string, id: string): void;
}

/** What insights need of the rest. */
export interface InsightDeps {
  store: Store;
  clock: Clock;
  memories: DreamMemories;
  record: (db: WriteDb, event: NewEvent) => void;
  /** Takes what events with this key said out of the log. */
  redact: (db: WriteDb, at: MemoryPlace) => void;
}
