import { languageAbroad } from '../../../language/abroad/in-english.ts';
import { indexedText, SPECIAL, specialName } from '../../../language/indexed-text.ts';
import { isHash, shortHashes, soughtNumbers } from '../../../language/words/number-runs.ts';
import { stem } from '../../../language/words/porter.ts';
import {
  foldText,
  grams,
  hasUnspaced,
  identifierParts,
  spacedParts,
  spelledOut,
  STOP_WORDS,
  WORD,
} from '../../../language/words/words.ts';

/** One thing of a query that the text index can look for. */
export interface QueryTerm {
  /** Folded words, a blank between them: for people, and to keep document frequencies by. */
  readonly token: string;
  /** A quoted FTS5 phrase, `*` behind it where `prefix`. */
  readonly match: string;
  readonly prefix: boolean;
  /** The person put it in quotation marks. */
  readonly quoted: boolean;
  /** Any of the token's words may be meant: the word is misspelt, or can be written in several ways. */
  readonly anyOf?: boolean;
}

/** Terms that a query may have; FTS5 walks a list of rows for each. */
const MOST_TERMS = 64;
/** Words in one phrase: FTS5 compares the places of each. */
const LONGEST_PHRASE = 16;
/** Places of the text index that the terms of a query may be looked for at, in all: some 100 ns each, with what ranks them. */
const MOST_PLACES = 400_000;

/**
 * What to look for: words without stop words (unless nothing else is left), phrases in quotation marks, identifiers and paths whole
 * and in parts, grams of scripts without blanks; none for a query without letters, digits or emoji. At most 64, the longest.
 */
export function queryTerms(query: string): QueryTerm[] {
  return longest(allTerms(query));
}

/** The terms of a query, without a limit to how many. */
export function allTerms(query: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const stopped = new Map<string, QueryTerm>();
  const unquoted = query.replace(/"([^"]*)"|“([^“”]*)”/gu, (_, straight?: string, curly?: string) => {
    const phrase = phraseTerm(straight ?? curly ?? '');
    if (phrase) terms.set(phrase.match, phrase);
    return ' ';
  });
  let rest = foldText(unquoted);
  for (const { start, end, tokens } of soughtNumbers(rest).reverse()) {
    const term = numberTerm(tokens);
    terms.set(term.match, term);
    rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  }
  for (const piece of rest.split(/\s+/u)) {
    for (const term of termsOfPiece(piece)) {
      const into = STOP_WORDS.has(term.token) ? stopped : terms;
      if (!into.has(term.match)) into.set(term.match, term);
    }
  }
  return [...(terms.size > 0 ? terms : stopped).values()];
}

/** The terms to look for where a query has too many: at most 64, those in quotation marks first, then the longest. */
export function longest(terms: QueryTerm[]): QueryTerm[] {
  if (terms.length <= MOST_TERMS) return terms;
  const rank = (term: QueryTerm): number => (term.quoted ? 1e6 : 0) + term.token.length;
  const kept = new Set([...terms].sort((a, b) => rank(b) - rank(a)).slice(0, MOST_TERMS));
  return terms.filter((term) => kept.has(term));
}

/**
 * The terms that can be looked for without keeping everybody else waiting: those in quotation marks first, then the cheapest.
 * Ordinary queries lose none; in a hundred thousand memories a pasted page does.
 */
export function affordable(
  terms: readonly QueryTerm[],
  costOf: (term: QueryTerm) => number,
): readonly QueryTerm[] {
  const priced = terms.map((term) => ({ term, cost: costOf(term) }));
  if (priced.reduce((sum, { cost }) => sum + cost, 0) <= MOST_PLACES) return terms;
  let left = MOST_PLACES;
  const kept = new Set<QueryTerm>();
  for (const { term, cost } of priced.sort(
    (a, b) => Number(b.term.quoted) - Number(a.term.quoted) || a.cost - b.cost,
  )) {
    if (cost > left) continue;
    left -= cost;
    kept.add(term);
  }
  return terms.filter((term) => kept.has(term));
}

/**
 * Shares out among several wordings what one query may look for, 64 terms and so many places in all: the first one may have half of
 * it, the rest they take in turn, a term each time, the cheapest first. What one of them looks for costs the others nothing.
 */
export function sharedOut(
  wordings: readonly (readonly QueryTerm[])[],
  costOf: (term: QueryTerm) => number,
): (readonly QueryTerm[])[] {
  const kept = new Set<string>();
  let left = MOST_PLACES;
  const queues = wordings.map((terms) =>
    terms
      .map((term) => ({ match: term.match, quoted: term.quoted, cost: costOf(term) }))
      .sort((a, b) => Number(b.quoted) - Number(a.quoted) || a.cost - b.cost),
  );
  const take = (queue: (typeof queues)[number] | undefined) => {
    const term = queue?.shift();
    if (!term || kept.has(term.match) || kept.size >= MOST_TERMS || term.cost > left) return;
    kept.add(term.match);
    left -= term.cost;
  };
  const [first] = queues;
  while (first && first.length > 0 && kept.size < MOST_TERMS / 2 && left > MOST_PLACES / 2) take(first);
  while (queues.some((queue) => queue.length > 0)) for (const queue of queues) take(queue);
  return wordings.map((terms) => terms.filter(({ match }) => kept.has(match)));
}

/** How many times as many places one term may have that stands for itself: better found late than not at all. */
const ALONE = 5;

/** The affordable terms; where there are none the cheapest, unless looking for that one alone would keep everybody else waiting, too. */
export function affordableOrOne(
  terms: readonly QueryTerm[],
  costOf: (term: QueryTerm) => number,
): readonly QueryTerm[] {
  const some = affordable(terms, costOf);
  if (some.length > 0) return some;
  const [cheapest] = [...terms].sort((a, b) => costOf(a) - costOf(b));
  return cheapest && costOf(cheapest) <= ALONE * MOST_PLACES ? [cheapest] : [];
}

/** The terms of what stands between two blanks. */
function* termsOfPiece(piece: string): Generator<QueryTerm> {
  for (const match of piece.matchAll(SPECIAL)) yield termOf(specialName(match).split('.'));
  if (hasUnspaced(piece)) {
    for (const { text, whole } of grams(piece)) if (whole) yield gramTerm(text);
    for (const [word] of piece.matchAll(/\p{sc=Hang}{3,}/gu)) yield termOf([word]);
  }
  const words = spacedWords(piece);
  // The phrase has the endings too (`s` of Anna's-book), for they stand between the words in the index.
  if (words.length > 1) yield termOf((piece.match(WORD) ?? []).flatMap(spacedParts));
  for (const word of words) {
    // Numbers of a version or a date mean something together only.
    if (words.length > 1 && /^\p{N}{1,3}$|^.$/u.test(word)) continue;
    if (isHash(word)) {
      yield hashTerm(word);
      continue;
    }
    yield termOf([word]);
    const parts = identifierParts(word);
    if (parts.length === 0) continue;
    yield termOf(parts);
    for (const part of parts) if (!/^\p{N}+$|^.$/u.test(part) && !STOP_WORDS.has(part)) yield termOf([part]);
  }
}

/** The words of a piece of scripts with blanks; apostrophes and their endings are gone (`Anna's` is Anna, `don't` a stop word). */
function spacedWords(piece: string): string[] {
  const lower = piece.replaceAll('’', "'");
  const bare = lower.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (STOP_WORDS.has(bare)) return [bare];
  const words = lower.replace(/'(?:s|d|ll|re|ve|m|t)(?![\p{L}\p{N}])/giu, ' ').match(WORD) ?? [];
  return words.flatMap(spacedParts);
}

/**
 * A run of words as the text index looks for it, those of `Straße` also as `Strasse`, `Größe` as `Groesse` and the other way round;
 * undefined for a text without letters, figures and emoji.
 */
export function phraseTerm(text: string): QueryTerm | undefined {
  const folded = foldText(text).trim();
  const [number] = soughtNumbers(folded);
  if (number?.start === 0 && number.end === folded.length)
    return { ...numberTerm(number.tokens), quoted: true };
  const ways = new Set([folded]);
  const spelled = spelledOut(text);
  if (spelled.size > 0) ways.add(folded.replaceAll(WORD, (word) => spelled.get(word.toLowerCase()) ?? word));
  // One word that is spelled out is in the index; within a phrase it is not.
  if (/\s/u.test(folded) && /[aou]e/iu.test(folded) && languageAbroad(folded) === 'de')
    ways.add(folded.replaceAll(/(?<=[aou])e/giu, ''));
  return anyTerm([...ways].flatMap((way) => phraseOf(way) ?? []));
}

/** What any of some terms finds; the first one is what people see. */
function anyTerm(terms: readonly QueryTerm[]): QueryTerm | undefined {
  const [first] = terms;
  const matches = [...new Set(terms.map(({ match }) => match))];
  if (!first || matches.length === 1) return first;
  const isWord = terms.every(({ token }) => !token.includes(' '));
  return {
    ...first,
    match: `(${matches.join(' OR ')})`,
    ...(isWord && { token: [...new Set(terms.map(({ token }) => token))].join(' '), anyOf: true }),
  };
}

function phraseOf(text: string): QueryTerm | undefined {
  const grams = hasUnspaced(text) ? phraseOfGrams(text) : undefined;
  const parts = [...(grams ? [grams] : []), ...runsOfWords(text).map(termOf)];
  if (parts.length === 0)
    for (const match of text.matchAll(SPECIAL)) parts.push(termOf([specialName(match)]));
  const [first] = parts;
  if (!first) return undefined;
  return {
    token: parts.map(({ token }) => token).join(' '),
    match: parts.length === 1 ? first.match : `(${parts.map(({ match }) => match).join(' AND ')})`,
    prefix: parts.some(({ prefix }) => prefix),
    quoted: true,
  };
}

/** Words as they stand beside each other in the index: those that touch a script without blanks (2024東京) stand for themselves. */
function runsOfWords(text: string): string[][] {
  const runs: string[][] = [[]];
  for (const [word] of text.matchAll(WORD)) {
    if (hasUnspaced(word)) runs.push(...spacedParts(word).map((part) => [part]), []);
    else if (/[\p{L}\p{N}\p{Co}]/u.test(word)) runs.at(-1)?.push(word);
  }
  return runs.filter(({ length }) => length > 0);
}

/** The grams of a phrase as they stand in the index: behind each run but the last one its shorter ones, behind the last one any ending. */
function phraseOfGrams(text: string): QueryTerm | undefined {
  const found = grams(text);
  const last = found.findLast(({ whole }) => whole);
  if (!last) return undefined;
  const words = found.slice(0, found.lastIndexOf(last) + 1).map((gram) => gram.text);
  const { prefix } = gramTerm(last.text);
  const { token, match } = termOf(words);
  return { token, match: `${match}${prefix ? ' *' : ''}`, prefix, quoted: true };
}

function numberTerm(tokens: readonly string[]): QueryTerm {
  const match = `(${tokens.map((token) => `"${token}"`).join(' OR ')})`;
  return { token: tokens.join(' '), match, prefix: false, quoted: false, anyOf: true };
}

/** A hash by its beginning, a long one also by what others write of it. */
function hashTerm(word: string): QueryTerm {
  const short = shortHashes(word);
  const lower = word.toLowerCase();
  if (short.length === 0) return { token: lower, match: `"${lower}" *`, prefix: true, quoted: false };
  const words = [lower, ...short];
  const match = `(${words.map((one) => `"${one}"`).join(' OR ')})`;
  return { token: words.join(' '), match, prefix: false, quoted: false, anyOf: true };
}

/** A gram shorter than those of its script is looked for at the beginning of one. */
function gramTerm(text: string): QueryTerm {
  const full = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u.test(text) ? 3 : 2;
  const prefix = [...text].length < full;
  return { token: text.toLowerCase(), match: `"${text}"${prefix ? ' *' : ''}`, prefix, quoted: false };
}

/** Words hold no quotation mark, so nothing in a phrase can be FTS5 syntax. */
function termOf(words: readonly string[]): QueryTerm {
  const phrase = words.slice(0, LONGEST_PHRASE).join(' ');
  return {
    token: phrase.toLowerCase(),
    match: `"${phrase.replaceAll('"', '""')}"`,
    prefix: false,
    quoted: false,
  };
}

/** The FTS5 expression that finds what has any of the terms; '' where there is nothing to look for. */
export function matchExpression(terms: readonly QueryTerm[]): string {
  return terms.map((term) => term.match).join(' OR ');
}

/** The stems of a term's words, as FTS5's index and `fts5vocab` have them. */
export function stemsOf(term: Pick<QueryTerm, 'token'>): string[] {
  return (term.token.match(WORD) ?? []).map(stem);
}

/** The stems that a text has in the index, those of its identifiers' parts and its grams included. */
export function stemsOfText(text: string): ReadonlySet<string> {
  return new Set(stemsOf({ token: indexedText(text).toLowerCase() }));
}

/** Below this many rows dropping terms saves nothing. */
const MANY_ROWS = 1_000;

/**
 * Leaves out terms that more than a tenth of the rows have while a rarer one finds something: they cost most of the time and hardly
 * rank (design/retrieval.md). Quoted phrases stay.
 */
export function selectTerms(
  terms: readonly QueryTerm[],
  df: (term: QueryTerm) => number,
  rows: number,
): readonly QueryTerm[] {
  if (rows < MANY_ROWS) return terms;
  const rare = terms.filter((term) => df(term) <= rows / 10);
  if (!rare.some((term) => df(term) > 0)) return terms;
  return terms.filter((term) => term.quoted || df(term) <= rows / 10);
}

/** The idf of a term among `rows` rows as a share of the largest there can be, 0..1. */
export function rarity(df: number, rows: number): number {
  const n = Math.max(1, rows);
  return Math.log(1 + n / (1 + Math.max(0, df))) / Math.log(1 + n);
}

/**
 * How much each token of the query's vector counts: rarity^0.7, 0 for stop words (unless the query has nothing else), which took
 * vector search on LoCoMo from R@10 .494 to .541 (research/embedding.md).
 */
export function tokenWeights(
  terms: readonly QueryTerm[],
  df: (term: QueryTerm) => number,
  rows: number,
): (token: string) => number {
  const weights = new Map<string, number>();
  for (const term of terms) {
    const weight = rarity(df(term), rows) ** 0.7;
    for (const word of term.token.split(' ')) {
      if (!weights.has(word) || !term.token.includes(' ')) weights.set(word, weight);
    }
  }
  return (token) => weights.get(token) ?? (STOP_WORDS.has(token) ? 0 : 1);
}
