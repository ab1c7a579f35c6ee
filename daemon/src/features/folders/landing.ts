import type { AccountId } from '@reverie/shared/accounts/caller';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** What a file says, with the source that it is told by. */
export type FileMemory = PortableMemory & { source: NonNullable<PortableMemory['source']> };

/** What became of a file's memory: its id and the version that the file agrees with now, or why it stayed as it was. */
export type Landed =
  | { outcome: 'created' | 'updated' | 'unchanged' | 'restored' | 'conflict'; id: number; version: number }
  | { outcome: 'kept' | 'deleted_here' };

/** A source, and the address that it gives its memory. */
export interface SourceAddress {
  sourceId: string;
  namespace: string;
  key: string;
}

/** The memories, as folders write them: each in the transaction that it is handed. */
export interface Landing {
  /** Makes a memory what its file says; with `wins` also one that was edited here. */
  put(db: WriteDb, account: AccountId, file: { memory: FileMemory; wins: boolean }): Landed;
  /** A file has another name, and its memory with it. False where nothing is known of it, or another memory has the name. */
  move(db: WriteDb, account: AccountId, file: { from: SourceAddress; to: SourceAddress }): boolean;
  /** Moves the memory of a file that is gone to the trash; one that was edited here since is kept. */
  remove(db: WriteDb, account: AccountId, file: SourceAddress): 'trashed' | 'kept' | 'gone';
  /** The tags that a file with these should have: its own and the person's, without those that the person took off. */
  tagsOf(
    db: ReadDb,
    account: AccountId,
    file: SourceAddress & { memoryId: number; tags: string[] },
  ): string[];
  /** Resolves when what was put is indexed, or after some seconds. */
  settled(account: AccountId): Promise<void>;
  /** A file says what this version of its memory says; `metadata` are those that the file says. */
  agree(
    db: WriteDb,
    account: AccountId,
    file: SourceAddress & { hash: string; memoryId: number; version: number } & Pick<FileMemory, 'metadata'>,
  ): void;
}
