import type { AccountId, Caller, Readable } from '@reverie/shared/accounts/caller';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import * as contract from '@reverie/shared/contract/memories';
import { namespacesIn, type Operator, understandQuery } from '@reverie/shared/contract/operators';
import * as searchContract from '@reverie/shared/contract/search';
import { type Mount, Streamed } from '@reverie/shared/http/mount';
import { createYielding } from '../../platform/yielding.ts';
import { elsewhere } from './everywhere/elsewhere.ts';
import type { Cut } from './query.ts';
import { type Found, search, type SearchDeps } from './search.service.ts';

interface Filter {
  namespace: string;
  /** Namespaces that `*` stands for; all where this is missing. */
  readable?: Readable | undefined;
  operators?: readonly Operator[] | undefined;
  class?: contract.MemoryClass | undefined;
  tags?: readonly string[] | undefined;
  include?: readonly contract.HiddenKind[] | undefined;
}

/** What search needs of memories. */
export interface SearchedMemories {
  byId(account: AccountId, ids: readonly number[], preview?: number): Map<number, contract.Memory>;
  /** Ids that pass a filter; undefined when there is none. */
  idsOf(account: AccountId, filter: Filter): readonly number[] | undefined;
  /** The newest that pass a filter. */
  newest(
    account: AccountId,
    wanted: Filter & { limit: number; preview?: number | undefined },
  ): readonly contract.Memory[];
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
  ): AsyncIterable<contract.Memory>;
}

interface Wanted extends Filter {
  /** Without its operators. */
  query: string;
  limit: number;
  threshold: number;
  preview?: number | undefined;
  explain?: boolean;
}

export interface SearchRoutesDeps extends SearchDeps {
  /** Has a server make the vector of a query, where one does; gives up after a short time. */
  prepare?: ((texts: readonly string[]) => Promise<void>) | undefined;
}

export function searchRoutes(mount: Mount<Caller>, deps: SearchRoutesDeps, memories: SearchedMemories): void {
  /** Hits by score, then newest. */
  const hits = async (
    account: AccountId,
    wanted: Wanted,
  ): Promise<{ hits: searchContract.SearchHit[]; cut?: Cut }> => {
    if (wanted.query === '') return { hits: memories.newest(account, wanted).map(toListed(wanted)) };
    await deps.prepare?.([wanted.query]);
    const among = memories.idsOf(account, wanted);
    const shown = await search(deps, { ...wanted, account, among });
    const hidden = wanted.include?.length
      ? await search(deps, { ...wanted, account, among, namespace: memories.shelfOf(wanted.namespace) })
      : undefined;
    const best = [...shown.found, ...(hidden?.found ?? [])].sort((a, b) => b.score - a.score);
    const page: { id: number; hit: searchContract.SearchHit }[] = [];
    const yieldToOthers = createYielding();
    // Read as far as the page needs them: two hundred may be as many MiB.
    for (let from = 0; from < best.length && page.length < wanted.limit;) {
      const some = withTies(best, from, wanted.limit);
      from += some.length;
      const ids = some.map(({ memoryId }) => memoryId);
      const byId = memories.byId(account, ids, wanted.preview);
      for (const { memoryId, score, why } of some) {
        const memory = byId.get(memoryId);
        if (!memory || !isWanted(memory, wanted)) continue;
        page.push({ id: memoryId, hit: { ...memory, score, ...(wanted.explain && { why }) } });
      }
    }
    // Megabytes that were read take as long once more to be written.
    await yieldToOthers();
    page.sort((a, b) => b.hit.score - a.hit.score || b.hit.created_at.localeCompare(a.hit.created_at));
    page.splice(wanted.limit);
    memories.recalled(
      account,
      page.map(({ id }) => id),
      wanted.query,
    );
    return { hits: page.map(({ hit }) => hit), ...(shown.cut && { cut: shown.cut }) };
  };

  /** Where another namespace answers clearly better. */
  const elsewhereThan = async (
    account: AccountId,
    { query, namespace, readable, threshold, ...wanted }: Wanted,
    results: readonly searchContract.SearchHit[],
  ): Promise<searchContract.Elsewhere[]> => {
    if (namespace === EVERY_NAMESPACE || query === '') return [];
    const every = { ...wanted, namespace: EVERY_NAMESPACE, readable };
    const among = () => memories.idsOf(account, every);
    const here = results[0]?.score ?? 0;
    const found = await elsewhere(deps, { account, namespace, readable, query, here, among });
    return found.filter(({ best }) => best >= threshold);
  };

  for (const route of [searchContract.searchMemories, searchContract.searchMemoriesShort])
    mount(route, async ({ body, caller }) => {
      const { text: query, filters } = understandQuery(body.query, body.namespace);
      const { account } = caller;
      const readable = namespacesIn(filters, caller.readable);
      const wanted = { ...body, query, operators: filters, readable };
      const { hits: results, cut } = await hits(account, wanted);
      const others = await elsewhereThan(account, wanted, results);
      return {
        ...{ results, count: results.length },
        ...(others.length > 0 && { elsewhere: others }),
        ...(body.explain && { understood: { text: query, filters }, ...(cut && { cut }) }),
      };
    });

  mount(searchContract.searchMemoriesGet, async ({ query: asked, caller }) => {
    const { q, limit, threshold, namespace = 'default' } = asked;
    if (q === '*') {
      const { readable } = caller;
      return new Streamed(everything(memories.every(caller.account, { ...asked, readable })));
    }
    const { text: query, filters } = understandQuery(q, namespace);
    const { hits: found } = await hits(caller.account, {
      ...{ query, namespace, threshold, operators: filters },
      readable: namespacesIn(filters, caller.readable),
      limit: Math.min(limit ?? 10, 200),
    });
    return { memories: found.map(toRow) };
  });
}

/** What only operators were asked for has the highest score: it passes them all. */
function toListed({ explain }: Wanted): (memory: contract.Memory) => searchContract.SearchHit {
  return (memory) => ({ ...memory, score: 1, ...(explain && { why: { streams: [], boosts: [] } }) });
}

/** So many of a list from a place on, and those that have the score of the last one: their order is decided by their age. */
function withTies(best: readonly Found[], from: number, count: number): readonly Found[] {
  let to = Math.min(from + count, best.length);
  while (to < best.length && best[to]?.score === best[to - 1]?.score) to += 1;
  return best.slice(from, to);
}

/** Whether a memory is shown, or hidden in a way that was asked for. */
function isWanted(
  { merged_into, superseded_by, archived_at }: contract.Memory,
  { include = [] }: Pick<Wanted, 'include'>,
): boolean {
  if (merged_into !== undefined) return include.includes('merged');
  if (superseded_by !== undefined) return include.includes('superseded');
  return archived_at === undefined || include.includes('archived');
}

function toRow({ key, value, score, namespace, created_at }: searchContract.SearchHit) {
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
