import type { AskStage, AskStageName, AskStream } from '@reverie/shared/contract/search/ask';
import { WORDING_WORTH } from '@reverie/shared/contract/fields';
import type { YieldToOthers } from '../../platform/yielding.ts';
import { partAround } from './parts.ts';
import type {
  AskFacts,
  AskHit,
  AskMemories,
  AskMemory,
  AskScope,
  AskSearch,
  KnownFact,
  RankedHit,
  ReadText,
} from './ports.ts';

/** What is looked for, in whose memories, and when it is asked. */
export interface Wanted {
  readonly scope: Omit<AskScope, 'among'>;
  /** Ways to say it; the person's own first. */
  readonly wordings: readonly string[];
  readonly now: Date;
}

/** A memory that may answer. */
export interface Candidate {
  readonly memory: AskMemory;
  /** 0..1: its best over all wordings. */
  readonly score: number;
  /** The other wording that found it so well, where the person's own did not. */
  readonly wording?: string;
  /** What of it fits best, and as it is quoted; undefined where it has nothing to quote. */
  readonly read: QuotedText | undefined;
  readonly boosts: RankedHit['boosts'];
}

/** What of a text fits best, with what stands around it. */
export interface QuotedText extends ReadText {
  readonly quote: string;
}

/** Characters of a quote: what fits best, with the blocks around it in its section. */
const LONGEST_QUOTE = 400;

/** What is quoted of a text: a row of a table with its head, else what fits best with what stands around it. */
export function quotedFrom(value: string, read: ReadText): QuotedText {
  return { ...read, quote: saidAround(value, read, { most: LONGEST_QUOTE, isOneSection: true }) };
}

/** What fits best, with the blocks around it; a row by itself, with its head. */
export function saidAround(
  value: string,
  { passage, row }: Pick<ReadText, 'passage' | 'row'>,
  room: Parameters<typeof partAround>[2],
): string {
  if (row !== undefined) return row;
  const { start, end } = partAround(value, passage.start, room);
  return value.slice(Math.min(start, passage.start), Math.max(end, passage.end)).trim();
}

/** What was found, and the stages that found it. */
export interface Look {
  readonly scope: AskScope;
  /** All that was looked for, the question first. */
  readonly queries: readonly string[];
  /** What each stream found. */
  readonly found: readonly { readonly name: AskStream; readonly hits: readonly AskHit[] }[];
  readonly facts: readonly KnownFact[];
  /** Best first. */
  readonly ranked: readonly Candidate[];
  readonly stages: readonly AskStage[];
}

/** What looking takes. */
export interface LookingDeps {
  memories: AskMemories;
  search: AskSearch;
  facts: AskFacts | undefined;
  /** Called between the pieces of the work. */
  yieldToOthers: YieldToOthers;
  /** Milliseconds that have passed since some moment. */
  elapsed: () => number;
}

/** What is known while the stages run; each changes it. */
interface Looking {
  readonly wanted: Wanted;
  readonly scope: AskScope;
  /** Those that were changed since the time that is asked about. */
  readonly changed: readonly number[];
  queries: readonly string[];
  readonly found: Map<AskStream, AskHit[]>;
  facts: readonly KnownFact[];
  ranked: readonly Candidate[];
}

/** Runs one of the six stages; returns why it had nothing to do, where it had not. */
type RunStage = (deps: LookingDeps, looking: Looking) => Promise<string | void> | string | void;

const STAGES: Readonly<Record<AskStageName, RunStage>> = {
  query_expansion: queryExpansion,
  vector_search: vectorSearch,
  keyword_fallback: keywordFallback,
  full_context_fallback: fullContextFallback,
  rerank,
  fact_lookup: factLookup,
};

/** Memories that a stream brings. */
const MOST = 200;

/** Runs the six stages in their order. */
export async function lookFor(deps: LookingDeps, wanted: Wanted): Promise<Look> {
  const among = wanted.scope.asOf === undefined ? undefined : deps.memories.existing(wanted.scope);
  const scope: AskScope = { ...wanted.scope, among };
  const looking: Looking = {
    wanted,
    scope,
    changed: scope.asOf === undefined ? [] : deps.memories.changedSince(scope, MOST),
    queries: wanted.wordings,
    found: new Map(),
    facts: [],
    ranked: [],
  };
  const stages: AskStage[] = [];
  for (const [name, run] of Object.entries(STAGES) as [AskStageName, RunStage][]) {
    await deps.yieldToOthers();
    const from = deps.elapsed();
    const skipped = await run(deps, looking);
    stages.push({
      name,
      latency_ms: Number((deps.elapsed() - from).toFixed(3)),
      candidates:
        name === 'rerank' || name === 'fact_lookup' ? looking.ranked.length : candidateIds(looking).length,
      ...(skipped !== undefined && { skipped }),
    });
  }
  const found = [...looking.found].map(([name, hits]) => ({ name, hits }));
  return { scope, queries: looking.queries, found, facts: looking.facts, ranked: looking.ranked, stages };
}

/** Adds what a stream found, no memory twice. */
function addTo({ found }: Looking, name: AskStream, hits: readonly AskHit[]): void {
  if (hits.length === 0) return;
  const before = found.get(name) ?? [];
  const known = new Set(before.map(({ id }) => id));
  found.set(name, [...before, ...hits.filter(({ id }) => !known.has(id))]);
}

function candidateIds({ found }: Looking): number[] {
  return [...new Set([...found.values()].flatMap((hits) => hits.map(({ id }) => id)))];
}

/** Memories without a score of their own. */
const unscored = (ids: readonly number[]): AskHit[] => ids.map((id) => ({ id, score: 0 }));

/** Ways to say it that are looked for. */
const MOST_QUERIES = 14;

/** First stage: the wordings that were given, and the dates that they name by what they are counted from. */
async function queryExpansion({ search }: LookingDeps, looking: Looking): Promise<string | void> {
  const { wordings, now } = looking.wanted;
  const all = [...wordings, ...wordings.flatMap((text) => search.expand(text, now))];
  looking.queries = [...new Set(all)].slice(0, MOST_QUERIES);
  await search.prepare?.(looking.scope, looking.queries);
  if (looking.queries.length === 1) return 'there is no other way to say it';
}

/** Second stage: the memories whose chunks mean what the question means. */
async function vectorSearch(
  { search, yieldToOthers }: LookingDeps,
  looking: Looking,
): Promise<string | void> {
  const near = await search.vectors(looking.scope, looking.queries, { limit: MOST, yieldToOthers });
  const hits = near.filter(({ score }) => score > 0);
  if (hits.length === 0) return 'nothing has a vector like the question';
  addTo(looking, 'vectors', hits);
}

/** The best hits whose sessions are looked at. */
const ANCHORS = 5;

/**
 * Third stage: what has all of the question's words, then, to fill up, what has any of them; and the turns next to the best hits
 * in their sessions, for the reply to a question seldom repeats its words.
 */
async function keywordFallback(
  { search, memories, yieldToOthers }: LookingDeps,
  looking: Looking,
): Promise<string | void> {
  const { scope, queries, found } = looking;
  const all = await search.words(scope, queries.slice(0, 1), { limit: MOST, yieldToOthers, all: true });
  await yieldToOthers();
  const any = await search.words(scope, queries, { limit: MOST, yieldToOthers, all: false });
  await yieldToOthers();
  // By score, for what has all of the words is not always what says most with them.
  const hits = [...new Map([...any, ...all].map((hit) => [hit.id, hit])).values()].sort(
    (a, b) => b.score - a.score,
  );
  addTo(looking, 'words', hits);
  const best = [...hits.slice(0, ANCHORS), ...(found.get('vectors')?.slice(0, ANCHORS) ?? [])];
  const near = memories.around(scope, [...new Set(best.map(({ id }) => id))]);
  addTo(looking, 'session', unscored(near));
  if (hits.length === 0 && near.length === 0) return 'no memory has a word of it';
}

/** A namespace of so many memories is read whole. */
const SMALL = 30;

/**
 * Fourth stage: all memories of a small namespace, the newest of a large one where nothing was found, and, for a question as of a past time,
 * those that were changed after it.
 */
function fullContextFallback({ memories }: LookingDeps, looking: Looking): string | void {
  const { scope, changed } = looking;
  const newest = memories.newest(scope, SMALL + 1);
  if (newest.length === 0) return 'the namespace is empty';
  const known = new Set(candidateIds(looking));
  const isSmall = newest.length <= SMALL;
  const more = isSmall || known.size === 0 ? newest.slice(0, SMALL) : [];
  const added = [...new Set([...changed, ...more])].filter((id) => !known.has(id));
  if (added.length === 0) return isSmall ? 'all memories are candidates already' : 'enough was found';
  addTo(looking, 'context', unscored(added));
}

/** Candidates that are read. */
const READ = 28;

/** Fifth stage: orders the candidates as search does, by the best of the wordings, and reads the first of them. */
async function rerank(deps: LookingDeps, looking: Looking): Promise<string | void> {
  const { scope, wanted, changed } = looking;
  if (looking.found.size === 0) return 'there is no candidate';
  const { search, memories, yieldToOthers } = deps;
  const found = [...looking.found].map(([name, hits]) => ({ name, hits }));
  const best = new Map<number, Omit<Candidate, 'memory' | 'read'> & { text: string }>();
  for (const [at, text] of wanted.wordings.entries()) {
    for (const { id, score, boosts } of await search.rank(scope, text, {
      found,
      limit: READ,
      yieldToOthers,
    })) {
      const worth = at === 0 ? score : WORDING_WORTH * score;
      if (worth > (best.get(id)?.score ?? -1))
        best.set(id, { score: worth, text, boosts, ...(at > 0 && { wording: text }) });
    }
    await yieldToOthers();
  }
  // What was said then no index knows: it is read whatever its present words are worth.
  const wantedIds = [...best].sort(([, a], [, b]) => b.score - a.score).slice(0, READ);
  const ids = [...new Set([...wantedIds.map(([id]) => id), ...changed])];
  const byId = memories.byId(scope, ids);
  const wasChanged = new Set(changed);
  const ranked: Candidate[] = [];
  const [question = ''] = wanted.wordings;
  for (const [text, some] of Map.groupBy(ids, (id) => best.get(id)?.text ?? question)) {
    const texts = some.flatMap((id) => byId.get(id) ?? []);
    const read = await search.read(scope, text, { texts, yieldToOthers });
    for (const memory of texts) {
      const { score = 0, boosts = [], wording } = best.get(memory.id) ?? {};
      const said = read.get(memory.id);
      ranked.push({
        memory,
        boosts,
        read: said && quotedFrom(memory.value, said),
        score: wasChanged.has(memory.id) ? (said?.fit() ?? 0) : score,
        ...(wording !== undefined && { wording }),
      });
    }
  }
  ranked.sort((a, b) => b.score - a.score || b.memory.created_at.localeCompare(a.memory.created_at));
  looking.ranked = ranked.slice(0, READ);
}

/** Sixth stage: what the best of them state of the question's words in a row, a property or a line. */
function factLookup({ facts, search }: LookingDeps, looking: Looking): string | void {
  if (!facts) return 'no facts are kept';
  const words = search.wordsOf(looking.scope, looking.wanted.wordings[0] ?? '').all;
  if (words.length === 0) return 'the question names nothing';
  looking.facts = facts.lookup(looking.scope, { ids: looking.ranked.map(({ memory }) => memory.id), words });
  if (looking.facts.length === 0) return 'no fact is known of it';
}

/** The stages of several looks as one: their times added up, with the most candidates. */
export function stagesOf(looks: readonly Look[]): AskStage[] {
  const [first, ...others] = looks;
  return (first?.stages ?? []).map((stage) => {
    const all = [stage, ...others.flatMap(({ stages }) => stages.filter(({ name }) => name === stage.name))];
    const { skipped, ...rest } = stage;
    return {
      ...rest,
      latency_ms: Number(all.reduce((sum, one) => sum + one.latency_ms, 0).toFixed(3)),
      candidates: Math.max(...all.map(({ candidates }) => candidates)),
      ...(skipped !== undefined && all.every((one) => one.skipped !== undefined) && { skipped }),
    };
  });
}
