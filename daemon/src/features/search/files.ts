import type { AccountId, Readable } from '@reverie/shared/accounts/caller';
import type { FileHit } from '@reverie/shared/contract/search/file-hit';

/** What search needs of the PDFs that memories name: finds what they say. */
export type SearchedFiles = (wanted: {
  account: AccountId;
  query: string;
  namespace: string;
  readable: Readable | undefined;
  /** Memories that may be named by what is found; all where this is missing. */
  among: ReadonlySet<number> | undefined;
  /** Queries of FTS5: all of these, and none of those. */
  having: readonly string[];
  lacking: readonly string[];
  threshold: number;
  limit: number;
}) => Promise<FileHit[]>;
