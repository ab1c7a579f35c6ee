import type { AccountId } from '@reverie/shared/accounts/caller';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { Behind, Content } from '@reverie/shared/document/register';
import type { Author } from '../db/change.ts';
import type { WriteDb } from '../db/open-store.ts';

/** What a memory says, as sync hands it over. Times in ms since 1970. */
export interface RemoteContent {
  value: string;
  metadata: JsonObject;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  was?: string | undefined;
  trashed?: number | undefined;
  archived?: number | undefined;
  behind?: Behind | undefined;
}

/** The memories, as sync writes them: the one writer's functions, handed in. */
export interface SyncedMemories {
  apply(
    db: WriteDb,
    author: Author,
    change: { namespace: string; key: string; content: RemoteContent | undefined },
  ): boolean;
  clear(db: WriteDb, author: Author, namespace: string): void;
  /** Deletes what is in the trash: what was put there until a time, or the one memory of a key that was made then. Times in ms since 1970. */
  forgetTrashed(
    db: WriteDb,
    author: Author,
    which: { namespace: string } & ({ until: number } | { key: string; created_at: number }),
  ): void;
  /** Tells of a version that lost. */
  merged(db: WriteDb, author: Author, at: { namespace: string; key: string; lost: JsonObject }): void;
  /** Stores a version that lost as the newest one. */
  restore(
    author: Author,
    item: { namespace: string; key: string; value: string; metadata: JsonObject; expires_at?: string },
  ): void;
  /** What a memory says now, `metadata` as JSON; undefined where there is none. */
  content(account: AccountId, at: { namespace: string; key: string }): Content | undefined;
}
