import type { AccountId, Caller, Readable } from '@reverie/shared/accounts/caller';
import { accountFor } from '@reverie/shared/accounts/narrower-keys';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import * as contract from '@reverie/shared/contract/memories';
import { namespacesIn, type Operator, understandQuery } from '@reverie/shared/contract/operators';
import type { SessionHit } from '@reverie/shared/contract/sessions';
import * as searchContract from '@reverie/shared/contract/search';
import { type Mount, Streamed } from '@reverie/shared/http/mount';
import { createYielding } from '../../platform/yielding.ts';
import { elsewhere } from './everywhere/elsewhere.ts';
import { passagesOfHits } from './hits/passages-of-hits.ts';
import type { Cut, PiecewiseDeps } from './query.ts';
import { narrowedTo, type SearchedSessions } from './sessions.ts';
import { type Found, search, type SearchDeps } from './search.service.ts';
import type { Correction } from './spelling/respelling.ts';

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
  byId(account: AccountId, ids: readonly number[]): Map<number, contract.Memory>;
  /** A memory with as much of its value as is wanted. */
  shown(memory: contract.Memory, wanted: Pick<Wanted, 'preview' | 'values'>): contract.ListedMemory;
  /** Ids that pass a filter; undefined when there is none. */
  idsOf(account: AccountId, filter: Filter): readonly number[] | undefined;
  /** The newest that pass a filter. */
  newest(
    account: AccountId,
    wanted: Filter & Pick<Wanted, 'limit' | 'preview' | 'values'>,
  ): readonly contract.ListedMemory[];
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
  account: AccountId;
  /** Without its operators. */
  query: string;
  limit: number;
  threshold: number;
  preview?: number | undefined;
  values: boolean;
  /** Without: what is shown of a value is not looked for. */
  passages: boolean;
  explain?: boolean;
}

/** What a search shows, how much of its query was looked for where it was not all of it, and which words were read as others. */
interface Hits {
  hits: searchContract.SearchHit[];
  cut?: Cut;
  corrected: readonly Correction[];
}

/** Memories that are read at once. */
const AT_ONCE = 16;

export interface SearchRoutesDeps extends SearchDeps {
  /** Has a server make the vector of a query, where one does; gives up after a short time. */
  prepare?: ((texts: readonly string[]) => Promise<void>) | undefined;
  sessions: SearchedSessions;
}

export function searchRoutes(mount: Mount<Caller>, deps: SearchRoutesDeps, memories: SearchedMemories): void {
  /** Hits by score, then newest. */
  const hits = async (looking: PiecewiseDeps, wanted: Wanted): Promise<Hits> => {
    const { account } = wanted;
    const { yieldToOthers } = looking;
    if (wanted.query === '')
      return { hits: memories.newest(account, wanted).map(toListed(wanted)), corrected: [] };
    await deps.prepare?.([wanted.query]);
    const ids = memories.idsOf(account, wanted);
    const among = ids && new Set(ids);
    const shown = await search(looking, { ...wanted, among });
    const hidden = wanted.include?.length
      ? await search(looking, { ...wanted, among, namespace: memories.shelfOf(wanted.namespace) })
      : undefined;
    const best = [...shown.found, ...(hidden?.found ?? [])].sort((a, b) => b.score - a.score);
    const page: { id: number; hit: searchContract.SearchHit }[] = [];
    await yieldToOthers();
    // Read as far as the page needs them: two hundred may be as many MiB.
    for (let from = 0; from < best.length && page.length < wanted.limit;) {
      const some = withTies(best, from, Math.min(AT_ONCE, wanted.limit - page.length));
      from += some.length;
      await yieldToOthers();
      const ids = some.map(({ memoryId }) => memoryId);
      const byId = memories.byId(account, ids);
      const there = some.flatMap((found) => {
        const memory = byId.get(found.memoryId);
        return memory && isWanted(memory, wanted) ? [{ ...found, id: found.memoryId, memory }] : [];
      });
      const texts = there.map(({ memory, ...found }) => ({ ...found, value: memory.value }));
      const passages = wanted.passages ? await passagesOfHits(looking, texts) : undefined;
      for (const { id, memory, score, why } of there) {
        const passage = passages?.get(id);
        const hit = {
          ...memories.shown(memory, wanted),
          score,
          ...(score < searchContract.WEAKER && { weaker: true as const }),
          ...(passage && { passage }),
          ...(wanted.explain && { why }),
        };
        page.push({ id, hit });
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
    const { cut, corrected } = shown;
    return { hits: page.map(({ hit }) => hit), ...(cut && { cut }), corrected };
  };

  /** Where another namespace answers clearly better. */
  const elsewhereThan = async (
    looking: PiecewiseDeps,
    { account, query, namespace, readable, threshold, ...wanted }: Wanted,
    results: readonly searchContract.SearchHit[],
  ): Promise<searchContract.Elsewhere[]> => {
    if (namespace === EVERY_NAMESPACE || query === '') return [];
    const every = { ...wanted, namespace: EVERY_NAMESPACE, readable };
    const among = () => memories.idsOf(account, every);
    const here = results[0]?.score ?? 0;
    const found = await elsewhere(looking, { account, namespace, readable, query, here, among });
    return found.filter(({ best }) => best >= threshold);
  };

  for (const route of [searchContract.searchMemories, searchContract.searchMemoriesShort])
    mount(route, async ({ body, caller }) => {
      const { text: query, filters } = understandQuery(body.query, body.namespace);
      const { account } = caller;
      const readable = namespacesIn(filters, caller.readable);
      const wanted = { ...body, account, query, operators: filters, readable, passages: true };
      const looking = { ...deps, yieldToOthers: createYielding() };
      const isOfMemories = body.sources.includes('memories');
      const { hits: results, cut, corrected } = isOfMemories ? await hits(looking, wanted) : NO_HITS;
      const others = isOfMemories ? await elsewhereThan(looking, wanted, results) : [];
      const sessions = body.sources.includes('sessions')
        ? await hitsInSessions(deps.sessions, { caller, wanted, yieldToOthers: looking.yieldToOthers })
        : undefined;
      const understood = {
        ...{ text: query, filters },
        ...(corrected.length > 0 && { corrected: corrected.map(({ word, read_as }) => ({ word, read_as })) }),
      };
      return {
        ...{ results, count: results.length },
        ...(others.length > 0 && { elsewhere: others }),
        ...(sessions && { sessions }),
        ...(body.explain && { understood, ...(cut && { cut }) }),
      };
    });

  mount(searchContract.searchMemoriesGet, async ({ query: asked, caller }) => {
    const { q, limit, threshold, namespace = 'default' } = asked;
    if (q === '*') {
      const { readable } = caller;
      return new Streamed(everything(memories.every(caller.account, { ...asked, readable })));
    }
    const { text: query, filters } = understandQuery(q, namespace);
    const account = namespace === EVERY_NAMESPACE ? caller.account : accountFor(caller, namespace);
    const looking = { ...deps, yieldToOthers: createYielding() };
    const { hits: found } = await hits(looking, {
      ...{ account, query, namespace, threshold, operators: filters, values: true, passages: false },
      readable: namespacesIn(filters, caller.readable),
      limit: Math.min(limit ?? 10, 200),
    });
    return { memories: found.map(toRow) };
  });
}

const NO_HITS: Hits = { hits: [], corrected: [] };

/** What was said in sessions, where a query has words to look for. */
async function hitsInSessions(
  search: SearchedSessions,
  asked: { caller: Caller; wanted: Wanted; yieldToOthers: PiecewiseDeps['yieldToOthers'] },
): Promise<SessionHit[]> {
  const { caller, wanted } = asked;
  const { query: q, namespace, threshold, limit, operators = [] } = wanted;
  const narrowed = narrowedTo(operators, wanted);
  if (q === '' || narrowed === undefined) return [];
  await asked.yieldToOthers();
  return search(caller, { q, namespace, narrowed, threshold, limit });
}

/** What only operators were asked for has the highest score: it passes them all. */
function toListed({ explain }: Wanted): (memory: contract.ListedMemory) => searchContract.SearchHit {
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

function toRow({ key, value = '', score, namespace, created_at }: searchContract.SearchHit) {
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
