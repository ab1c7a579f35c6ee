import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { FileHit } from '@reverie/shared/contract/search/file-hit';
import type { ListedMemory, Memory } from '@reverie/shared/contract/memories/memories';
import { type Elsewhere, type SearchHit, WEAKER } from '@reverie/shared/contract/search/search';
import type { SessionHit } from '@reverie/shared/contract/sessions/sessions';
import { elsewhere } from '../everywhere/elsewhere.ts';
import type { Filter, HitShape, PrepareQueries, SearchedMemories } from '../ports.ts';
import type { TermCut, PiecewiseDeps } from '../query/query.ts';
import { type FoundMemory, search } from '../search.service.ts';
import type { SearchedFiles } from '../files.ts';
import { narrowedTo, phrasesOf, type SearchedSessions } from '../sessions.ts';
import { wordingsOf } from '../query/wordings.ts';
import type { Correction } from '../spelling/respelling.ts';
import { passagesOfHits } from './passages-of-hits.ts';

/** What showing hits needs beside what finding them does. */
export interface HitsDeps extends PiecewiseDeps {
  memories: SearchedMemories;
  /** Has a server make the vector of a query, where one does; gives up after a short time. */
  prepare?: PrepareQueries | undefined;
}

/** What a search is to find, and how much of it is shown. */
export interface SearchRequest extends Filter, HitShape {
  account: AccountId;
  /** Without its operators. */
  query: string;
  /** Further wordings of it. */
  queries?: readonly string[];
  threshold: number;
  /** Whether each hit shows the passage that was found. */
  passages: boolean;
  explain?: boolean;
}

/** What a search shows, how much of its query was looked for where it was not all of it, and which words were read as others. */
export interface Hits {
  hits: SearchHit[];
  cut?: TermCut;
  corrected: readonly Correction[];
}

/** Memories that are read at once. */
const AT_ONCE = 16;

/** Finds memories and shows them: by score, then newest. */
export async function findHits(deps: HitsDeps, wanted: SearchRequest): Promise<Hits> {
  const { memories, yieldToOthers } = deps;
  const { account } = wanted;
  const texts = wordingsOf(wanted.query, wanted.queries).map(({ text }) => text);
  const [query = ''] = texts;
  if (query === '') return { hits: memories.newest(account, wanted).map(toListed(wanted)), corrected: [] };
  await deps.prepare?.(texts, wanted);
  const ids = memories.idsOf(account, wanted);
  const among = ids && new Set(ids);
  const { found, cut, corrected } = await search(deps, { ...wanted, among });
  const hidden = wanted.include?.length
    ? await search(deps, { ...wanted, among, namespace: memories.shelfOf(wanted.namespace) })
    : undefined;
  const best = [...found, ...(hidden?.found ?? [])].sort((a, b) => b.score - a.score);
  const page = await pageOf(deps, wanted, best);
  // Megabytes that were read take as long once more to be written.
  await yieldToOthers();
  page.sort((a, b) => b.hit.score - a.hit.score || b.hit.created_at.localeCompare(a.hit.created_at));
  page.splice(wanted.limit);
  const shown = page.map(({ id }) => id);
  memories.recalled(account, shown, query);
  return { hits: page.map(({ hit }) => hit), ...(cut && { cut }), corrected };
}

interface OnPage {
  id: number;
  hit: SearchHit;
}

/** The best that may be shown, as many as the page has place for, and those with the score of the last. */
async function pageOf(
  deps: HitsDeps,
  wanted: SearchRequest,
  best: readonly FoundMemory[],
): Promise<OnPage[]> {
  const page: OnPage[] = [];
  await deps.yieldToOthers();
  // Read as far as the page needs them: two hundred may be as many MiB.
  for (let from = 0; from < best.length && page.length < wanted.limit;) {
    const some = withTies(best, from, Math.min(AT_ONCE, wanted.limit - page.length));
    from += some.length;
    await deps.yieldToOthers();
    page.push(...(await shownOf(deps, wanted, some)));
  }
  return page;
}

/** Those of some that are still there and wanted, each as it is shown. */
async function shownOf(
  deps: HitsDeps,
  wanted: SearchRequest,
  some: readonly FoundMemory[],
): Promise<OnPage[]> {
  const { memories } = deps;
  const ids = some.map(({ memoryId }) => memoryId);
  const byId = memories.byId(wanted.account, ids);
  const there = some.flatMap((found) => {
    const memory = byId.get(found.memoryId);
    return memory && isWanted(memory, wanted) ? [{ ...found, id: found.memoryId, memory }] : [];
  });
  const texts = there.map(({ memory, ...found }) => ({ ...found, value: memory.value }));
  const passages = wanted.passages ? await passagesOfHits(deps, texts) : undefined;
  return there.map(({ id, memory, score, wording, why }) => {
    const passage = passages?.get(id);
    const hit = {
      ...memories.shown(memory, wanted),
      score,
      ...(score < WEAKER && { weaker: true as const }),
      ...(passage && { passage }),
      ...(wording !== undefined && { wording }),
      ...(wanted.explain && { why }),
    };
    return { id, hit };
  });
}

/** Other namespaces that answer clearly better than the best hit here does. */
export async function findElsewhere(
  deps: HitsDeps,
  { account, query, queries, namespace, readable, threshold, ...wanted }: SearchRequest,
  hits: readonly SearchHit[],
): Promise<Elsewhere[]> {
  if (namespace === EVERY_NAMESPACE || wordingsOf(query, queries)[0]?.text === '') return [];
  const every = { ...wanted, namespace: EVERY_NAMESPACE, readable };
  const among = () => deps.memories.idsOf(account, every);
  const here = hits[0]?.score ?? 0;
  const found = await elsewhere(deps, { account, namespace, readable, query, queries, here, among });
  return found.filter(({ best }) => best >= threshold);
}

/** What was said in sessions, where a query has words to look for. */
export async function findInSessions(
  { sessions, yieldToOthers }: Pick<PiecewiseDeps, 'yieldToOthers'> & { sessions: SearchedSessions },
  caller: Caller,
  wanted: SearchRequest,
): Promise<SessionHit[]> {
  const { query: q, namespace, threshold, limit, operators = [] } = wanted;
  const narrowed = narrowedTo(operators, wanted);
  if (q === '' || narrowed === undefined) return [];
  await yieldToOthers();
  return sessions(caller, { q, namespace, narrowed, threshold, limit });
}

/** What the PDFs say that memories name which pass the filters, where it fits; those that only exact words are asked for are looked for by them. */
export async function findInFiles(
  { memories, files, yieldToOthers }: Pick<HitsDeps, 'memories' | 'yieldToOthers'> & { files: SearchedFiles },
  wanted: SearchRequest,
): Promise<FileHit[]> {
  const { account, namespace, readable, threshold, limit, operators = [] } = wanted;
  const exact = operators.flatMap(({ kind, value }) => (kind === 'exact' ? [value] : []));
  const query = wanted.query === '' ? exact.join(' ') : wanted.query;
  if (query === '') return [];
  await yieldToOthers();
  const ofMemories = operators.filter(({ kind }) => kind !== 'exact' && kind !== 'without');
  const ids = memories.idsOf(account, { ...wanted, operators: ofMemories });
  return files({
    account,
    query,
    namespace,
    readable,
    among: ids && new Set(ids),
    ...phrasesOf(operators),
    threshold: Math.max(threshold, WEAKER),
    limit,
  });
}

/** What only operators were asked for has the highest score: it passes them all. */
function toListed({ explain }: SearchRequest): (memory: ListedMemory) => SearchHit {
  return (memory) => ({ ...memory, score: 1, ...(explain && { why: { streams: [], boosts: [] } }) });
}

/** So many of a list from a place on, and those that have the score of the last one: their order is decided by their age. */
function withTies(best: readonly FoundMemory[], from: number, count: number): readonly FoundMemory[] {
  let to = Math.min(from + count, best.length);
  while (to < best.length && best[to]?.score === best[to - 1]?.score) to += 1;
  return best.slice(from, to);
}

/** Whether a memory is shown, or hidden in a way that was asked for. */
function isWanted(
  { merged_into, superseded_by, archived_at }: Memory,
  { include = [] }: Pick<SearchRequest, 'include'>,
): boolean {
  if (merged_into !== undefined) return include.includes('merged');
  if (superseded_by !== undefined) return include.includes('superseded');
  return archived_at === undefined || include.includes('archived');
}
