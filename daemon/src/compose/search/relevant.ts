import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { Store } from '../../db/open-store.ts';
import { memoriesById } from '../../features/memories/reading/reading.service.ts';
import { passagesOfHits } from '../../features/search/hits/passages-of-hits.ts';
import type { RankingDeps } from '../../features/search/query/query.ts';
import { search } from '../../features/search/search.service.ts';
import { createYielding } from '../../platform/yielding.ts';

/** A memory that fits a text, and what of it does; its title where nothing does. */
export interface RelevantMemory {
  memory: Memory;
  score: number;
  passage: string;
}

/** Finds the memories of a namespace that fit a text best, no less than a score, others having their turn all the while. */
export async function relevantTo(
  { store, ranking }: { store: Store; ranking: RankingDeps },
  account: AccountId,
  { text, ...wanted }: { namespace: string; text: string; threshold: number; limit: number },
): Promise<RelevantMemory[]> {
  const looking = { store, ...ranking, yieldToOthers: createYielding() };
  const { found } = await search(looking, { ...wanted, account, query: text, among: undefined });
  const best = found.slice(0, wanted.limit);
  const ids = best.map(({ memoryId }) => memoryId);
  const byId = memoriesById({ store }, account, ids);
  const there = best.flatMap((one) => {
    const memory = byId.get(one.memoryId);
    return memory ? [{ ...one, id: one.memoryId, memory, value: memory.value }] : [];
  });
  const passages = await passagesOfHits(looking, there);
  return there.map(({ id, memory, score }) => ({
    memory,
    score,
    passage: passages.get(id)?.text ?? memory.title,
  }));
}
