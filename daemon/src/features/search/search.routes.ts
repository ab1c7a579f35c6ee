import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/memories';
import { type Mount, Streamed } from '@reverie/shared/http/mount';
import { search, type SearchDeps } from './search.service.ts';

interface Filter {
  namespace: string;
  class?: contract.MemoryClass | undefined;
  tags?: readonly string[] | undefined;
}

/** What search needs of memories. */
export interface SearchedMemories {
  byId(account: AccountId, ids: readonly number[], preview?: number): Map<number, contract.Memory>;
  /** Ids that pass a filter; undefined when there is none. */
  idsOf(account: AccountId, filter: Filter): readonly number[] | undefined;
  every(
    account: AccountId,
    wanted: { namespace?: string | undefined; limit?: number | undefined },
  ): AsyncIterable<contract.Memory>;
}

interface Wanted extends Filter {
  query: string;
  limit: number;
  threshold: number;
  preview?: number | undefined;
  explain?: boolean;
}

export function searchRoutes(mount: Mount<Caller>, deps: SearchDeps, memories: SearchedMemories): void {
  /** Hits by score, then newest. */
  const hits = (account: AccountId, wanted: Wanted): contract.SearchHit[] => {
    const found = search(deps, { ...wanted, account, among: memories.idsOf(account, wanted) });
    const byId = memories.byId(
      account,
      found.map(({ memoryId }) => memoryId),
      wanted.preview,
    );
    return found
      .flatMap(({ memoryId, score, why }) => {
        const memory = byId.get(memoryId);
        return memory ? [{ ...memory, score, ...(wanted.explain && { why }) }] : [];
      })
      .sort((a, b) => b.score - a.score || b.created_at.localeCompare(a.created_at));
  };

  for (const route of [contract.searchMemories, contract.searchMemoriesShort])
    mount(route, ({ body, caller }) => {
      const results = hits(caller.account, body);
      return { results, count: results.length };
    });

  mount(contract.searchMemoriesGet, ({ query, caller }) => {
    if (query.q === '*') return new Streamed(everything(memories.every(caller.account, query)));
    const found = hits(caller.account, {
      query: query.q,
      namespace: query.namespace ?? 'default',
      limit: Math.min(query.limit ?? 10, 200),
      threshold: query.threshold,
    });
    return { memories: found.map(toRow) };
  });
}

function toRow({ key, value, score, namespace, created_at }: contract.SearchHit) {
  return { key, value, score, namespace, created_at };
}

/** The document of `q=*`, piece by piece; each memory has score 1, for nothing was asked. */
async function* everything(memories: AsyncIterable<contract.Memory>): AsyncGenerator<string> {
  yield '{"memories":[';
  let separator = '';
  for await (const memory of memories) {
    yield separator + JSON.stringify(toRow({ ...memory, score: 1 }));
    separator = ',';
  }
  yield ']}';
}
