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

/** A namespace of an account. */
export interface NamespaceAt {
  account: AccountId;
  namespace: string;
}

/** A picture or PDF of a namespace: `path` is that in the folder of its notes, `hash` the SHA-256 of its bytes. */
export interface SyncedFile {
  path: string;
  hash: string;
  /** Bytes. */
  size: number;
}

/** The pictures and PDFs that notes name, as sync sends and keeps them. */
export interface SyncedFiles {
  /** Those of a namespace; `isOwn` of one that came out of a folder of this machine. */
  all(at: NamespaceAt): (SyncedFile & { isOwn: boolean })[];
  /** Which of some paths a note of the namespace names; others have their turn meanwhile. */
  named(at: NamespaceAt, paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** A number that is another one once notes of the namespace name something else. */
  linksVersion(at: NamespaceAt): number;
  /** Where the bytes of a hash lie; undefined where they are not here. */
  fileOf(hash: string): string | undefined;
  /**
   * Keeps a file that another device has, once its bytes are those of its hash and are of a kind that is kept; `bytes` is asked
   * where the namespace does not have them.
   * Answers why it is not kept.
   */
  keep(
    at: NamespaceAt,
    file: SyncedFile,
    bytes: () => Promise<AsyncIterable<Uint8Array>>,
  ): Promise<'kept' | 'wrong_bytes' | 'other_type' | 'full'>;
  /** Takes away what another device had and has no more. */
  drop(at: NamespaceAt, path: string): void;
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
  /** What a memory says now, `metadata` as JSON, and its writer (see `db/authors.ts`); undefined where there is none. */
  content(
    account: AccountId,
    at: { namespace: string; key: string },
  ): (Content & { writer: string | null }) | undefined;
  /** Keys of other memories that were made then, ms since 1970, and had this key once, or one that the memory of this key had. */
  namesakes(account: AccountId, at: { namespace: string; key: string; created_at: number }): string[];
  /** A memory that had two names goes on under one of them: tells so, where it was not renamed from the other. */
  keptName(db: WriteDb, author: Author, at: { namespace: string; key: string; other: string }): void;
  /** What the memory of a key said, now or earlier, as of a time in ms since 1970. */
  asOf(
    account: AccountId,
    at: { namespace: string; key: string; updated_at: number },
  ): { value: string; metadata: string; writer: string | null }[];
}
