import { keyOf } from '../../language/lexicon.ts';
import { BORDER, PASSED_OVER, STOP, type Word } from './known-words.ts';
import type { Meanings } from './meanings.ts';
import type { Query } from './query.ts';
import { rarity, stemsOf, tokenWeights } from './terms.ts';

/** How well a text fits a query, seen close to; each 0..1. */
export interface Reading {
  /** Share of the query's idf mass that the text says in the same words. */
  readonly coverage: number;
  /** How alike the best sentence is: a cosine, but for words of a sentence counting as if they were strangers to each other. */
  readonly sentence: number;
  /** Share of the idf mass of the query's words that the text says in other words of the same concept. */
  readonly concepts: number;
  /** For each of the query's words that the text lacks, how alike its most like word is; weighted by idf. */
  readonly alike: number;
}

/** Reads texts (as they are indexed) with a query in mind. */
export function createReader(query: Query, meanings: Meanings): (text: string) => Reading {
  const coverage = createCoverage(query);
  const asked = askedWords(query, meanings);
  const likeness = createLikeness(query, { meanings, asked });
  const concepts = conceptsOf(query, { meanings, asked });
  const mass = asked.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const same = new Uint8Array(asked.length);
  const alike = new Float32Array(asked.length);
  return (text) => {
    const { count, keys, rows, kinds } = meanings.words.cut(text);
    const said = new Set<number>();
    same.fill(0);
    alike.fill(0);
    const sentences = createSentences(concepts, same);
    for (let at = 0; at < count; at++) {
      const kind = kinds[at] ?? 0;
      if (kind === BORDER) {
        sentences.end();
        continue;
      }
      const key = keys[at] ?? 0;
      const row = rows[at] ?? -1;
      said.add(key);
      sentences.say(key, kind);
      if (row < 0) continue;
      const place = likeness.of(row);
      sentences.add(likeness.pool[place] ?? 0, likeness.square(row), (kind & STOP) !== 0);
      if ((kind & STOP) !== 0) continue;
      for (let i = 0; i < alike.length; i++) {
        const value = likeness.pool[place + 1 + i] ?? 0;
        if (value > (alike[i] ?? 0)) alike[i] = value;
      }
    }
    sentences.end(true);
    let shared = 0;
    let like = 0;
    for (let i = 0; i < asked.length; i++) {
      const word = asked[i];
      if (!word || said.has(word.key)) continue;
      shared += word.weight * (same[i] ?? 0);
      like += word.weight * (alike[i] ?? 0);
    }
    return {
      coverage: coverage(said, text),
      sentence: sentences.best(),
      concepts: shared / mass,
      alike: like / mass,
    };
  };
}

/** A word of the query that says something. */
interface Asked extends Word {
  readonly weight: number;
  /** Of unit length; all zero where the table lacks the word. */
  readonly vector: Float32Array;
}

function queryWords({ text }: Query): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
}

function askedWords(query: Query, { words, table }: Meanings): Asked[] {
  const asked = new Map<number, Asked>();
  for (const token of new Set(queryWords(query))) {
    const word = words.word(token);
    if (word.isStop || asked.has(word.key)) continue;
    const df = query.df({ token, match: `"${token}"`, prefix: false, quoted: false });
    const vector = word.row < 0 ? new Float32Array(table.dimensions) : table.encode(token);
    asked.set(word.key, { ...word, vector, weight: rarity(df, query.namespace.chunks) });
  }
  return [...asked.values()];
}

/** How much of a query's idf mass a text holds, 0..1: rare words count for more than common ones. */
function createCoverage({
  terms,
  df,
  namespace,
}: Query): (said: ReadonlySet<number>, text: string) => number {
  const parts = terms.map((term) => {
    const stems = stemsOf(term);
    return { stems, keys: stems.map(keyOf), weight: rarity(df(term), namespace.chunks), prefix: term.prefix };
  });
  const mass = parts.reduce((sum, { weight }) => sum + weight, 0);
  const hasPrefix = parts.some(({ prefix }) => prefix);
  return (said, text) => {
    if (mass === 0) return 0;
    const stems = hasPrefix ? stemsOf({ token: text.toLowerCase() }) : [];
    let covered = 0;
    for (const part of parts) {
      const has = part.prefix
        ? part.stems.every((stem) => stems.some((one) => one.startsWith(stem)))
        : part.keys.every((key) => said.has(key));
      if (has) covered += part.weight;
    }
    return covered / mass;
  };
}

/**
 * What a row of the table is to the query: its dot product with the query's vector, then how alike it is to each word that is
 * asked. Made once for each row; `of` says where in `pool` it stands.
 */
function createLikeness(query: Query, { meanings, asked }: { meanings: Meanings; asked: readonly Asked[] }) {
  const { table } = meanings;
  const vector = table.encode(query.text, tokenWeights(query.terms, query.df, query.namespace.chunks));
  const width = asked.length + 1;
  const places = new Map<number, number>();
  const found = {
    pool: new Float32Array(1024 * width),
    square: (row: number) => table.words.square(row),
    of(row: number): number {
      const before = places.get(row);
      if (before !== undefined) return before;
      const place = places.size * width;
      places.set(row, place);
      if (place + width > found.pool.length) {
        const larger = new Float32Array(2 * found.pool.length);
        larger.set(found.pool);
        found.pool = larger;
      }
      found.pool[place] = table.words.dot(vector, row);
      const length = Math.sqrt(table.words.square(row)) || 1;
      for (const [index, word] of asked.entries())
        found.pool[place + 1 + index] = table.words.dot(word.vector, row) / length;
      return place;
    },
  };
  return found;
}

/** The places in `asked` that each concept of the query stands for. */
interface QueryConcepts {
  readonly lexicon: Meanings['lexicon'];
  readonly places: ReadonlyMap<number, readonly number[]>;
  /** Whether a phrase of one of them may begin with such a key. */
  mayBegin(key: number): boolean;
}

function conceptsOf(
  query: Query,
  { meanings: { words, lexicon }, asked }: { meanings: Meanings; asked: readonly Asked[] },
): QueryConcepts {
  const said = queryWords(query).map((word) => words.word(word));
  const keys = said.flatMap(({ key, isPassedOver }) => (isPassedOver ? [] : [key]));
  const places = new Map<number, number[]>();
  for (const { from, to, concepts } of lexicon.namings(keys, keys.length)) {
    const meant = asked.flatMap(({ key }, place) => (keys.slice(from, to).includes(key) ? [place] : []));
    for (const concept of concepts) places.set(concept, [...(places.get(concept) ?? []), ...meant]);
  }
  const begins = new Uint8Array(0x10000);
  for (const concept of places.keys()) for (const key of lexicon.begins(concept)) begins[key] = 1;
  return { lexicon, places, mayBegin: (key) => begins[key & 0xffff] === 1 };
}

/** What a stop word adds to its sentence, where other words add 1. */
const STOP_WORD = 0.3;
/** Words that a sentence has at least: what is shorter goes with the next one. */
const SHORTEST = 3;

/** Follows a text sentence by sentence: the best one's likeness, and which of the asked words its concepts stand for. */
function createSentences({ lexicon, places, mayBegin }: QueryConcepts, same: Uint8Array) {
  const keys: number[] = [];
  let words = 0;
  let product = 0;
  let square = 0;
  let best = 0;
  let mayName = false;
  return {
    say(key: number, kind: number): void {
      words++;
      if ((kind & PASSED_OVER) !== 0) return;
      keys.push(key);
      if (mayBegin(key)) mayName = true;
    },
    add(dot: number, length: number, isStop: boolean): void {
      const factor = isStop ? STOP_WORD : 1;
      product += factor * dot;
      square += factor * factor * length;
    },
    end(last = false): void {
      if (words < SHORTEST && !last) return;
      if (square > 0) best = Math.max(best, product / Math.sqrt(square));
      if (mayName) {
        for (const { concepts } of lexicon.namings(keys, keys.length))
          for (const concept of concepts) for (const place of places.get(concept) ?? []) same[place] = 1;
      }
      keys.length = 0;
      words = product = square = 0;
      mayName = false;
    },
    best: () => best,
  };
}
