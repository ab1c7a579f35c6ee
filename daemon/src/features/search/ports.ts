import type { AccountId, Readable } from '@reverie/shared/accounts/caller';
import type { Condition } from '@reverie/shared/contract/conditions';
import type {
  HiddenKind,
  ListedMemory,
  Memory,
  MemoryClass,
} from '@reverie/shared/contract/memories/memories';
import type { Operator } from '@reverie/shared/contract/search/operators';

/** Which memories may be found. */
export interface Filter {
  namespace: string;
  /** Namespaces that `*` stands for; all where this is missing. */
  readable?: Readable | undefined;
  operators?: readonly Operator[] | undefined;
  class?: MemoryClass | undefined;
  tags?: readonly string[] | undefined;
  where?: readonly Condition[] | undefined;
  include?: readonly HiddenKind[] | undefined;
}

/**
 * Waits until what was written is in the text index, and has a server make the vectors of queries before they are looked for in a
 * namespace, where one does; gives up after a short time.
 */
export type PrepareQueries = (
  texts: readonly string[],
  place: { account: AccountId; namespace: string },
) => Promise<void>;

/** What of each memory is shown, and how many. */
export interface HitShape {
  limit: number;
  preview?: number | undefined;
  values: boolean;
}

/** What search needs of memories. */
export interface SearchedMemories {
  byId(account: AccountId, ids: readonly number[]): Map<number, Memory>;
  /** A memory with as much of its value as is wanted. */
  shown(memory: Memory, wanted: Omit<HitShape, 'limit'>): ListedMemory;
  /** Ids that pass a filter; undefined when there is none. */
  idsOf(account: AccountId, filter: Filter): readonly number[] | undefined;
  /** The newest that pass a filter. */
  newest(account: AccountId, wanted: Filter & HitShape): readonly ListedMemory[];
  /** Where the index has the hidden memories of a namespace. */
  shelfOf(namespace: string): string;
  /** Told which memories a query recalled. */
  recalled(account: AccountId, ids: readonly number[], query: string): void;
  every(
    account: AccountId,
    wanted: {
      namespace?: string | undefined;
      readable?: Readable | undefined;
      limit?: number | undefined;
    },
  ): AsyncIterable<Memory>;
}
