import type { AccountId } from '@reverie/shared/accounts/caller';
import type { PortableMemory } from '@reverie/shared/contract/portable';
import type { WriteDb } from '../../db/open-store.ts';

/** What a file says, with the source that it is told by. */
export type FileMemory = PortableMemory & { source: NonNullable<PortableMemory['source']> };

/** What became of it: the memory and the version that the file agrees with now, or why all stayed as it was. */
export type Landed =
  | { outcome: 'created' | 'updated' | 'unchanged' | 'conflict'; id: number; version: number }
  | { outcome: 'kept' | 'deleted_here' };

/** The memories, as folders write them: each in the transaction that it is handed. */
export interface Landing {
  /** Makes a memory what its file says. `isNew`: nothing of the file is known; `wins`: over what was edited here. */
  put(db: WriteDb, account: AccountId, file: { memory: FileMemory; isNew: boolean; wins: boolean }): Landed;
  /** Gives a memory the name that its file has now; undefined where another memory has it. */
  rename(
    db: WriteDb,
    account: AccountId,
    file: { from: { key: string; sourceId: string }; memory: FileMemory; wins: boolean },
  ): Landed | undefined;
  /** Moves the memory of a file that is gone to the trash; one that was edited here since is kept. */
  remove(
    db: WriteDb,
    account: AccountId,
    file: { key: string; namespace: string; sourceId: string },
  ): 'trashed' | 'kept' | 'gone';
  /** A file says what this version of its memory says. */
  agree(
    db: WriteDb,
    account: AccountId,
    file: { sourceId: string; hash: string; memoryId: number; version: number },
  ): void;
}
