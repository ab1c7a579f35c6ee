import type { AccountId, Readable } from '@reverie/shared/accounts/caller';
import type { ReadDb, Store } from '../../../db/open-store.ts';
import type { Embedder } from '../../../models/embedder.ts';
import type { YieldToOthers } from '../../../platform/yielding.ts';
import { searchedIn } from '../everywhere/searched.ts';
import type { Frequencies, Searched } from '../ranking/frequencies.ts';
import { inEnglish } from '../../../language/abroad/in-english.ts';
import type { Meanings } from './meanings.ts';
import { languageOf, type QueryLanguage } from './query-language.ts';
import type { Segments } from '../vectors/segments.ts';
import { type Correction, respelled, respelledTerms } from '../spelling/respelling.ts';
import type { Spelling } from '../spelling/spelling.ts';
import type { VectorIndex } from '../vectors/vectors.ts';
import { termsInOtherWords } from './other-words.ts';
import { affordable, allTerms, longest, type QueryTerm, tokenWeights } from './terms.ts';

/** What finding and ranking need beside the database. */
export interface RankingDeps {
  embedder: Embedder;
  segments: Segments;
  frequencies: Frequencies;
  meanings: Meanings;
  spelling: Spelling;
}

/** What it takes to read the database in pieces, between which others have their turn. */
export interface PiecewiseDeps extends RankingDeps {
  store: Pick<Store, 'read'>;
  yieldToOthers: YieldToOthers;
}

/** Where to look. */
export interface SearchScope {
  account: AccountId;
  /** A namespace that does not exist holds nothing; `*` is every one of the account that may be read. */
  namespace: string;
  /** Namespaces that `*` stands for; all where this is missing. */
  readable?: Readable | undefined;
  /** Ids of the memories that may be found; all of the namespace where this is missing. */
  among?: ReadonlySet<number> | undefined;
  /** Misspelt words, and what they are read as. */
  corrections?: readonly Correction[] | undefined;
  /** The only vectors that are looked at, where not all are. */
  vectors?: VectorIndex | undefined;
  /**
   * What this search has read of queries before. Shared by all looks of one search at one place, for the map goes by texts
   * alone: another namespace, other vectors or a later search need a new one. Without it each look reads its query again.
   */
  prepared?: PreparedQueries;
}

/** Queries that were read already, by their text, so that each stream and the ranking use the same one. */
export type PreparedQueries = Map<string, Query | undefined>;

/** A text with all that is known of it before anything is looked for. */
export interface Query {
  account: AccountId;
  namespace: Searched;
  /** The only vectors that are looked at, where not all are. */
  vectors: VectorIndex | undefined;
  text: string;
  /** The text with words of memories in the place of misspelt ones. */
  respelled: string;
  /** It in English, by the everyday sense of each word, where it is in a language whose words are known. */
  read: string;
  terms: readonly QueryTerm[];
  /** So many of its terms are looked for, where it has more than a query may. */
  cut: TermCut | undefined;
  df: (term: QueryTerm) => number;
  /** The places of the text index that looking for a term walks. */
  costOf: (term: QueryTerm) => number;
  language: QueryLanguage;
  /** All zero where the embedder knows nothing of it. */
  vector: Float32Array;
}

/** How many terms of a query are looked for, and of how many. */
export interface TermCut {
  readonly terms: number;
  readonly of: number;
}

/** Reads a text as a query of a namespace; undefined where there is no such namespace. */
export function prepareQuery(
  db: ReadDb,
  deps: RankingDeps,
  asked: SearchScope & { text: string },
): Query | undefined {
  const { prepared, text } = asked;
  if (prepared?.has(text)) return prepared.get(text);
  const query = readQuery(db, deps, asked);
  prepared?.set(text, query);
  return query;
}

function readQuery(
  db: ReadDb,
  { embedder, frequencies }: RankingDeps,
  { text, corrections = [], ...scope }: SearchScope & { text: string },
): Query | undefined {
  const { account } = scope;
  const namespace = searchedIn(db, scope);
  if (!namespace) return undefined;
  const language = languageOf(text);
  const all = [...termsInOtherWords(respelledTerms(allTerms(text), corrections), text)];
  const costOf = frequencies.costs(db, account, namespace);
  const terms = affordable(withoutStopWords(longest(all), language.stopWords), costOf);
  const of = withoutStopWords(all, language.stopWords).length;
  const cut = terms.length < of ? { terms: terms.length, of } : undefined;
  const df = frequencies.of(db, account, namespace);
  const spelt = respelled(text, corrections);
  const read = language.isEnglish ? spelt : inEnglish(spelt);
  // A server has made the vector of the text as it stands, and knows misspelt words.
  const embedded = embedder.isRemote ? text : read;
  const vector = embedder.encode(embedded, tokenWeights(terms, df, namespace.chunks));
  return {
    account,
    namespace,
    vectors: scope.vectors,
    text,
    respelled: spelt,
    read,
    language,
    terms,
    cut,
    df,
    costOf,
    vector,
  };
}

/** The vectors that a query is compared with. */
export function vectorsAt(
  db: ReadDb,
  { segments }: Pick<RankingDeps, 'segments'>,
  { account, namespace: { namespaces }, vectors }: Pick<Query, 'account' | 'namespace' | 'vectors'>,
): VectorIndex {
  if (vectors) return vectors;
  const [only] = namespaces;
  if (only !== undefined && namespaces.length === 1) return segments.of(db, only);
  return segments.ofSeveral(db, { account, ids: namespaces });
}

/** Unless nothing else is left. */
function withoutStopWords(terms: readonly QueryTerm[], stopWords: ReadonlySet<string>): readonly QueryTerm[] {
  const kept = terms.filter(({ token, quoted }) => quoted || !stopWords.has(token));
  return kept.length > 0 ? kept : terms;
}
