import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { ModelReach } from '@reverie/shared/contract/system/models';
import { createBacklog } from '../../db/backlog.ts';
import type { ReadDb, Store } from '../../db/open-store.ts';
import type { MemoryDeps } from '../../features/memories/deps.ts';
import { SHELF } from '../../features/memories/hiding.ts';
import {
  asWanted,
  everyMemory,
  listMemories,
  memoriesById,
  memoryIds,
} from '../../features/memories/reading/reading.service.ts';
import { mayModelSee, mayModelSeeId } from '../../features/memories/namespaces/privacy.ts';
import { countChunks } from '../../features/search/ranking/candidates.store.ts';
import { createEmbeddingQueue } from '../../features/search/vectors/embedding-queue.ts';
import { createIndexMerging } from '../../features/search/index/index-merging.ts';
import {
  createCutter,
  createWaitingChunks,
  indexLeft,
  indexMemory,
  removeStale,
  unindexMemory,
  unindexNamespace,
} from '../../features/search/index/index.service.ts';
import {
  countWaiting,
  isIndexed,
  staleAccounts,
  unindexedAccounts,
} from '../../features/search/index/index.store.ts';
import { createMeanings } from '../../features/search/query/meanings.ts';
import { createRecutting } from '../../features/search/index/recutting.ts';
import type { PrepareQueries } from '../../features/search/ports.ts';
import type { RankingDeps } from '../../features/search/query/query.ts';
import { sayingAll, sayingAny } from '../../features/search/ranking/saying.ts';
import { searchRoutes } from '../../features/search/search.routes.ts';
import { createFrequencies } from '../../features/search/search.service.ts';
import type { SearchedFiles } from '../../features/search/files.ts';
import type { SearchedSessions } from '../../features/search/sessions.ts';
import { createSegments } from '../../features/search/vectors/segments.ts';
import { createSpelling } from '../../features/search/spelling/spelling.ts';
import type { BackgroundEmbedder } from '../../models/background-embedder.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { StaticTable } from '../../models/static-table.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { TellAnchors } from '../../platform/tell-anchors.ts';
import type { Part } from '../parts.ts';

export interface SearchParts {
  store: Store;
  clock: Clock;
  log: Log;
  embedder: Embedder;
  /** Makes the same model's vectors away from the main thread. */
  background: BackgroundEmbedder;
  /** How far goes what a server makes vectors of; undefined where none does. */
  reach: () => ModelReach | undefined;
  /** Has a server make the vectors of queries, where one does. */
  fetchQueries?: (texts: readonly string[]) => Promise<void>;
  /** The table that comes with the program: it knows what single words mean, whatever embeds texts. */
  table: () => StaticTable;
}

export interface Search {
  /** What a write calls in its transaction. */
  readonly index: MemoryDeps['index'];
  /** What ranks: ask and the graph use the same. */
  readonly ranking: RankingDeps;
  readonly prepare: PrepareQueries;
  /** Resolves when what was written of an account is in the text index, or after some seconds. */
  settled(account: AccountId): Promise<void>;
  /** Lets go of what memory holds of an account that was emptied. */
  forget(account: AccountId, namespaceIds: readonly number[]): void;
  /** Another model makes the vectors from now on, or may see other namespaces: they are made anew at once. */
  audienceChanged(): void;
  /** Texts that wait for their vectors, and memories that are still to be cut as this program does. */
  pending(): number;
  /** The model in use, how many chunks that a caller may see have its vectors, and how many memories are still to be cut as this program does. */
  describe(caller: Pick<Caller, 'account' | 'within'>): Described;
  /** The routes of search, which need what is made after the indexes. */
  routes(world: SearchWorld): Part;
  start(): Stop;
}

type Described = { model: string; dimensions: number; recutting: number } & ReturnType<typeof countChunks>;

/** What search needs that is made after the indexes. */
export interface SearchWorld {
  memories: MemoryDeps;
  recalled(account: AccountId, ids: readonly number[], query: string): void;
  sessions: SearchedSessions;
  files: SearchedFiles;
  tellAnchors: TellAnchors;
}

/** Joins the indexes of words and meanings; the composition root holds it. */
export function createSearch({
  store,
  clock,
  log,
  embedder,
  background,
  reach,
  fetchQueries,
  table,
}: SearchParts): Search {
  const meanings = createMeanings(table);
  const segments = createSegments(embedder, meanings.texts);
  const merging = createIndexMerging({ store, clock, log });
  const spelling = createSpelling((word) => meanings.table.words.row(word) >= 0);
  const { touched } = merging;
  const words = createBacklog(
    { store, log },
    {
      accounts: unindexedAccounts,
      piece: (db, account) =>
        indexLeft(db, { embedder, segments, touched, wake: () => queue.wake(), cut, waiting }, account),
    },
  );
  const cut = createCutter();
  const waiting = createWaitingChunks();
  const removed = spelling.forget;
  // Nobody waits for it: whoever reads the index passes by what is gone.
  const removal = createBacklog(
    { store, log },
    { accounts: staleAccounts, piece: (db, account) => removeStale(db, { touched, removed }, account) },
  );
  const indexes = { embedder, segments, touched, removed, left: words.left, stale: removal.left };
  // The queue itself has memories cut anew, and goes on with what waits then.
  const recutting = createRecutting(store, { ...indexes, wake: () => undefined });
  const mayEmbed = (db: ReadDb, namespaceId: number) => {
    const goes = reach();
    return goes === undefined || mayModelSeeId(db, namespaceId, goes);
  };
  // What was written before it is asked for is found.
  const prepare: PrepareQueries = async (texts, { account, namespace }) => {
    await words.settled(account);
    const goes = reach();
    const isKept =
      goes !== undefined &&
      namespace !== EVERY_NAMESPACE &&
      !store.read((db) => mayModelSee(db, account, { namespace, reach: goes }));
    // No vector of such a namespace could be compared with the query's.
    if (!isKept) await fetchQueries?.(texts);
  };
  const queue = createEmbeddingQueue({
    store,
    clock,
    log,
    embedder,
    background,
    segments,
    recutting,
    mayEmbed,
  });
  const indexing = { ...indexes, wake: queue.wake };
  const ranking = { embedder, segments, meanings, frequencies: createFrequencies(), spelling };
  return {
    index: {
      put: (db, memory, before) => indexMemory(db, indexing, { memory, before }),
      remove: (db, memory) => unindexMemory(db, indexing, memory),
      shelve: (db, memory) => indexMemory(db, indexing, { memory, before: undefined }),
      clear: (db, account, namespaceId) => unindexNamespace(db, indexing, { account, namespaceId }),
      has: isIndexed,
      saying: sayingAll,
      sayingAny,
    },
    ranking,
    prepare,
    settled: words.settled,
    forget(account, namespaceIds) {
      merging.forget(account);
      spelling.forget(account);
      for (const id of namespaceIds) segments.drop(id);
    },
    audienceChanged: queue.audienceChanged,
    pending: () => recutting.pending() + store.read(countWaiting),
    describe: ({ account, within }) => ({
      model: embedder.model,
      dimensions: embedder.dimensions,
      recutting: recutting.pending(account),
      ...store.read((db) => countChunks(db, account, within)),
    }),
    routes: ({ memories, recalled, sessions, files, tellAnchors }) => ({
      serve: ({ mount }) =>
        searchRoutes(
          mount,
          { store, prepare, sessions, files, tellAnchors, ...ranking },
          {
            byId: (account, ids) => memoriesById(memories, account, ids),
            shown: asWanted,
            idsOf: (account, filter) => memoryIds(memories, account, filter),
            newest: (account, wanted) =>
              listMemories(memories, account, { ...wanted, order: 'noted', offset: 0 }).memories,
            shelfOf: (namespace) => SHELF + namespace,
            recalled,
            every: (account, wanted) => everyMemory(memories, account, wanted),
          },
        ),
    }),
    start() {
      merging.start();
      words.start();
      removal.start();
      void queue
        .adoptModel()
        .catch((err: unknown) => log.warn({ err }, 'vectors of another model could not be replaced'));
      return () => {
        merging.stop();
        words.stop();
        removal.stop();
        queue.stop();
      };
    },
  };
}
