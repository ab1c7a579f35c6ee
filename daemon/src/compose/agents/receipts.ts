import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Store, WriteDb } from '../../db/open-store.ts';
import { PLAUSIBLE } from '../../features/agents/hooks/hooks.service.ts';
import type { HooksWorld } from '../../features/agents/hooks/ports.ts';
import { startRecalls } from '../../features/agents/recalls/evaluation.service.ts';
import { recallRoutes } from '../../features/agents/recalls/recalls.routes.ts';
import { recordRecall } from '../../features/agents/recalls/recalls.service.ts';
import { dropRecallsOf } from '../../features/agents/recalls/recalls.store.ts';
import { SHELF } from '../../features/memories/hiding.ts';
import { memoriesById } from '../../features/memories/reading/reading.service.ts';
import type { PrepareQueries } from '../../features/search/ports.ts';
import type { RankingDeps } from '../../features/search/query/query.ts';
import { search } from '../../features/search/search.service.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createYielding } from '../../platform/yielding.ts';
import { VERSION } from '../../version.ts';
import type { Part } from '../parts.ts';

export interface ReceiptsParts {
  store: Store;
  clock: Clock;
  log: Log;
  ranking: RankingDeps;
  /** Days for which receipts are kept; 0 for none. */
  days: number;
  embedder: Embedder;
  /** Texts that wait for their vectors. */
  pending: () => number;
  /** Has a server make the vector of a query, where one does. */
  prepare?: PrepareQueries | undefined;
}

/** Joins the receipts of what was put before agents; the composition root holds it. */
export function createReceipts({
  store,
  clock,
  log,
  ranking,
  days,
  embedder,
  pending,
  prepare,
}: ReceiptsParts): Part & {
  /** A hook put memories before an agent. */
  injected: HooksWorld['injected'];
  /** A namespace is about to be cleared. */
  cleared(db: WriteDb, at: { account: AccountId; namespace: string }): void;
} {
  const deps = {
    store,
    clock,
    log,
    days,
    world: {
      byId: (account: AccountId, ids: readonly number[]) =>
        // What is in the trash stands below a namespace that no request can name.
        new Map(
          [...memoriesById({ store }, account, ids)].filter(
            ([, { namespace }]) => !namespace.startsWith(SHELF),
          ),
        ),
      async look(
        account: AccountId,
        { namespace, query, limit }: { namespace: string; query: string; limit: number },
      ) {
        await prepare?.([query], { account, namespace });
        const looking = { store, ...ranking, yieldToOthers: createYielding() };
        const wanted = { account, namespace, query, limit, threshold: 0, among: undefined };
        const { found } = await search(looking, wanted);
        return found.slice(0, limit).map(({ memoryId: id, score }) => ({ id, score }));
      },
      hookLine: PLAUSIBLE,
      madeWith: () => `${VERSION} ${embedder.model}`,
      pending,
    },
  };
  return {
    injected(caller, { event, ...injection }) {
      if (event !== 'end') recordRecall(deps, caller, { ...injection, way: event });
    },
    cleared: dropRecallsOf,
    serve: ({ mount }) => recallRoutes(mount, deps),
    start: () => startRecalls(deps),
  };
}
