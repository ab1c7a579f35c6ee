import type { AccountId } from '@reverie/shared/accounts/caller';
import type { TextsOfAccount } from '../../db/text-indexes.store.ts';
import type { TextQuery } from '../../db/text-query.ts';
import { indexedText } from '../../language/indexed-text.ts';
import { scoreOf } from './ranking/calibration.ts';
import { createPassageSteps } from './hits/passage.ts';
import type { Query, RankingDeps } from './query/query.ts';
import { inEnglish } from '../../language/abroad/in-english.ts';
import { languageOf } from './query/query-language.ts';
import { termsInOtherWords } from './query/other-words.ts';
import { readerOf } from './ranking/reading.ts';
import { affordableOrOne, allTerms, longest, type QueryTerm, stemsOf, tokenWeights } from './query/terms.ts';

/** Characters around a passage that its score is made of. */
const AROUND = 400;
/** Places of the text index that are counted to know what a query costs: what is not counted by then is not looked for. */
const MOST_PRICED = 4_000_000;

/** Prepares a query about other texts. Where a server makes the vectors, words and concepts decide alone. */
export function otherQuery(
  { embedder, meanings }: Pick<RankingDeps, 'embedder' | 'meanings'>,
  { account, text }: { account: AccountId; text: string },
  index: TextsOfAccount,
): TextQuery {
  const language = languageOf(text);
  const read = inEnglish(text);
  const all = longest([...termsInOtherWords(allTerms(text), text)]);
  const said = all.filter(({ token, quoted }) => quoted || !language.stopWords.has(token));
  const costOf = costsIn(index);
  const terms = affordableOrOne(said.length > 0 ? said : all, costOf);
  const counts = new Map<string, number>();
  const df = ({ match }: QueryTerm) => {
    const known = counts.get(match) ?? index.count(match);
    counts.set(match, known);
    return known;
  };
  const vector = embedder.isRemote
    ? new Float32Array(embedder.dimensions)
    : embedder.encode(read, tokenWeights(terms, df, index.texts));
  const query: Query = {
    account,
    namespace: { namespaces: [], chunks: index.texts },
    vectors: undefined,
    text,
    respelled: text,
    read,
    terms,
    cut: undefined,
    df,
    costOf,
    language,
    vector,
  };
  const begin = createPassageSteps(query, meanings);
  const hasVector = language.isRead && vector.some((x) => x !== 0);
  return {
    match: terms.length === 0 ? undefined : terms.map(({ match }) => match).join(' OR '),
    async read(value, lexical, yieldToOthers) {
      const steps = begin(value, () => []);
      let step = steps.next();
      for (; !step.done; step = steps.next()) await yieldToOthers();
      const passage = step.value;
      if (!passage) return undefined;
      const near = indexedText(
        value.slice(Math.max(0, passage.start - AROUND), passage.end + AROUND).toWellFormed(),
      );
      const fit = readerOf(query, meanings)([meanings.words.cut(near)], () => near);
      const rest = { lexical, follows: 0, phrase: false, exact: false, hasVector };
      const score = scoreOf({ ...fit, ...rest, cosine: fit.sentence });
      return { passage, score: Math.round(score * 1e6) / 1e6 };
    },
  };
}

/** The places that looking for a term walks: those of each of its words. Infinite once finding that out took long. */
function costsIn({ occurrences }: Pick<TextsOfAccount, 'occurrences'>): (term: QueryTerm) => number {
  const known = new Map<string, number>();
  let left = MOST_PRICED;
  return (term) =>
    stemsOf(term).reduce((sum, stem) => {
      const name = `${term.prefix ? '*' : ' '}${stem}`;
      const before = known.get(name);
      if (before === undefined && left <= 0) return Infinity;
      const places = before ?? occurrences(stem, term.prefix);
      if (before === undefined) left -= places;
      known.set(name, places);
      return sum + places;
    }, 0);
}
