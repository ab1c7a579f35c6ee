import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Passage } from '@reverie/shared/contract/passage';
import { indexedText } from '../../language/indexed-text.ts';
import { scoreOf } from './calibration.ts';
import { createPassages } from './hits/passage.ts';
import type { Query, RankingDeps } from './query.ts';
import { inEnglish } from '../../language/abroad/in-english.ts';
import { languageOf } from './query-language.ts';
import { termsInOtherWords } from './other-words.ts';
import { readerOf } from './reading.ts';
import { allTerms, longest, type QueryTerm, tokenWeights } from './terms.ts';

/** How well a text that is no memory fits a query: a score on the scale of those of memories, and what is shown of the text. */
export interface OtherText {
  score: number;
  passage: Passage;
}

/** A query about texts that are kept elsewhere than memories, with a text index of their own. */
export interface OtherQuery {
  /** For FTS5: any of its words; undefined where it has none. */
  match: string | undefined;
  /**
   * Reads texts with it in mind. `lexical` is BM25 as a share of the best, 0..1; `count` says in how many texts a match stands, and `texts`
   * how many there are. To be used before others have their turn. Undefined where a text has nothing to show.
   */
  reader(index: {
    texts: number;
    count: (match: string) => number;
  }): (text: string, lexical: number) => OtherText | undefined;
}

/** Characters around a passage that its score is made of. */
const AROUND = 400;

/** Prepares a query about other texts. Where a server makes the vectors, words and concepts decide alone. */
export function otherQuery(
  { embedder, meanings }: Pick<RankingDeps, 'embedder' | 'meanings'>,
  account: AccountId,
  text: string,
): OtherQuery {
  const language = languageOf(text);
  const read = inEnglish(text);
  const all = longest([...termsInOtherWords(allTerms(text), text)]);
  const said = all.filter(({ token, quoted }) => quoted || !language.stopWords.has(token));
  const terms = said.length > 0 ? said : all;
  return {
    match: terms.length === 0 ? undefined : terms.map(({ match }) => match).join(' OR '),
    reader({ texts, count }) {
      const counts = new Map<string, number>();
      const df = ({ match }: QueryTerm) => {
        const known = counts.get(match) ?? count(match);
        counts.set(match, known);
        return known;
      };
      const vector = embedder.isRemote
        ? new Float32Array(embedder.dimensions)
        : embedder.encode(read, tokenWeights(terms, df, texts));
      const query: Query = {
        ...{ account, namespace: { namespaces: [], chunks: texts }, vectors: undefined },
        ...{ text, respelled: text, read, terms, cut: undefined, df, costOf: df, language, vector },
      };
      const choose = createPassages(query, meanings);
      const hasVector = language.isRead && vector.some((x) => x !== 0);
      return (value, lexical) => {
        const passage = choose(value, () => []);
        if (!passage) return undefined;
        const near = indexedText(
          value.slice(Math.max(0, passage.start - AROUND), passage.end + AROUND).toWellFormed(),
        );
        const fit = readerOf(query, meanings)([meanings.words.cut(near)], () => near);
        const rest = { lexical, follows: 0, phrase: false, exact: false, hasVector };
        const score = scoreOf({ ...fit, ...rest, cosine: fit.sentence });
        return { passage, score: Math.round(score * 1e6) / 1e6 };
      };
    },
  };
}
