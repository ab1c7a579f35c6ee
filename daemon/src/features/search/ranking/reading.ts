import { hashOf, foldText, WORD } from '../../../language/words/words.ts';
import type { AskedVector } from '../../../models/rows.ts';
import {
  ABROAD,
  BORDER,
  type CutText,
  NO_ROW,
  PASSED_OVER,
  STOP,
  type KnownWord,
} from '../query/known-words.ts';
import type { Meanings } from '../query/meanings.ts';
import type { Query } from '../query/query.ts';
import { rarity, stemsOf, tokenWeights } from '../query/terms.ts';

/** How well a text fits a query, seen close to; each 0..1. */
export interface CloseFit {
  /** Share of the query's idf mass that the text says in the same words. */
  readonly coverage: number;
  /** How alike the best sentence is: a cosine, but for words of a sentence counting as if they were strangers to each other. */
  readonly sentence: number;
  /** Share of the idf mass of the query's words that the text says in other words of the same concept. */
  readonly concepts: number;
  /** For each of the query's words that the text lacks, how alike its most like word is; weighted by idf. */
  readonly alike: number;
  /** The text, or a part of it, is in another language than English, and was read by its English words. */
  readonly isTranslated: boolean;
}

/** What a stop word adds to its sentence, where other words add 1. */
const STOP_WORD = 0.3;
/** Words that a sentence has at least: what is shorter goes with the next one. */
const SHORTEST = 3;
/** Marks of keys, by their low 16 bits: the query has such a stem; a phrase of a concept of the query may begin with it. */
const WANTED = 1;
const BEGINS = 2;

/**
 * Reads pieces of a text; `text` is asked for where words do not do. A piece is a chunk of a memory, or a whole text, cut into tokens: words, and
 * borders (`BORDER`), where a sentence or a line ends, or the English of a text in another language begins. A sentence is what stands between two borders, or
 * to the end of its piece; one that is shorter than `SHORTEST` goes on behind the border, into the next piece, too.
 */
export type ReadPieces = (pieces: readonly CutText[], text: () => string) => CloseFit;

/** The readers that were made last: they read with arrays that all share. */
const latest = new WeakMap<Meanings, { readonly query: Query; readonly read: ReadPieces }>();

/**
 * Gives the reader for a query, which takes texts as they are indexed. Only the reader that was asked for last works: ask again where
 * others have had their turn meanwhile.
 */
export function readerOf(query: Query, meanings: Meanings): ReadPieces {
  const before = latest.get(meanings);
  if (before?.query === query) return before.read;
  const read = createReader(query, meanings);
  latest.set(meanings, { query, read });
  return read;
}

function createReader(query: Query, meanings: Meanings): ReadPieces {
  const asked = askedWords(query, meanings);
  const parts = partsOf(query);
  const marks = meanings.scratch.marks.fill(0);
  for (const key of [...asked.map((word) => word.key), ...parts.flatMap(({ keys }) => keys)])
    marks[key & 0xffff] = WANTED;
  const concepts = conceptsOf(query, { meanings, asked, marks });
  const likeness = createLikeness(query, { meanings, asked });
  const coverage = createCoverage(parts);
  const mass = asked.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const same = new Float32Array(asked.length);
  const alike = new Float32Array(asked.length);
  let sentenceKeys = new Int32Array(256);
  // Cleared for each text: a hundred of each for a query is work for the collector.
  const said = new Set<number>();
  const begins: number[] = [];

  /** Reads word by word: notes in `said`, `same` and `alike` what they are to the words of the query, and answers how alike the best sentence is. */
  function readWords(pieces: readonly CutText[]): { sentence: number; isTranslated: boolean } {
    const most = pieces.reduce((sum, { count }) => sum + count, 0);
    if (sentenceKeys.length < most) sentenceKeys = new Int32Array(2 * most);
    said.clear();
    same.fill(0);
    alike.fill(0);
    // One by one: numbers that came out of an array are objects as long as they are counted with.
    let words = 0;
    let named = 0;
    let product = 0;
    let square = 0;
    let best = 0;
    let isTranslated = false;
    for (const [index, piece] of pieces.entries()) {
      const { from: start, count, keys, rows, kinds } = piece;
      likeness.touch(piece);
      const end = start + count;
      for (let at = start; at <= end; at++) {
        // A piece ends with a border that does not stand in it.
        const kind = at < end ? (kinds[at] ?? 0) : BORDER;
        if ((kind & BORDER) !== 0) {
          if ((kind & ABROAD) !== 0) isTranslated = true;
          if (words < SHORTEST && (at < end || index < pieces.length - 1)) continue;
          if (square > 0) best = Math.max(best, product / Math.sqrt(square));
          for (const from of begins)
            markNamed(concepts, same, meanings.lexicon.namedAt(sentenceKeys, named, from));
          begins.length = words = named = 0;
          product = 0;
          square = 0;
          continue;
        }
        words++;
        const key = keys[at] ?? 0;
        const mark = marks[key & 0xffff] ?? 0;
        if ((mark & WANTED) !== 0) said.add(key);
        if ((kind & PASSED_OVER) === 0) {
          if ((mark & BEGINS) !== 0) begins.push(named);
          sentenceKeys[named++] = key;
        }
        const row = rows[at] ?? NO_ROW;
        if (row === NO_ROW) continue;
        const place = likeness.of(row);
        const factor = (kind & STOP) === 0 ? 1 : STOP_WORD;
        product += factor * (likeness.pool[place] ?? 0);
        square += factor * factor * (likeness.pool[place + 1] ?? 0);
        if (factor < 1 || likeness.pool[place + 2] === 0) continue;
        for (let i = 0; i < alike.length; i++) {
          const value = likeness.pool[place + 3 + i] ?? 0;
          if (value > (alike[i] ?? 0)) alike[i] = value;
        }
      }
    }
    return { sentence: best, isTranslated };
  }

  return (pieces, text) => {
    const { sentence, isTranslated } = readWords(pieces);
    let shared = 0;
    let like = 0;
    for (const [i, { key, weight }] of asked.entries()) {
      if (said.has(key)) continue;
      shared += weight * (same[i] ?? 0);
      like += weight * (alike[i] ?? 0);
    }
    const fit = { coverage: coverage(said, text), sentence, concepts: shared / mass };
    return { ...fit, alike: like / mass, isTranslated };
  };
}

/** A word of the query that says something. */
interface Asked extends KnownWord {
  readonly weight: number;
  /** Of unit length; all zero where the table lacks the word. */
  readonly vector: Float32Array;
}

function queryWords({ read }: Query): string[] {
  return foldText(read).toLowerCase().match(WORD) ?? [];
}

function askedWords(query: Query, { words, table }: Meanings): Asked[] {
  const asked = new Map<number, Asked>();
  for (const token of longestOf([...new Set(queryWords(query))])) {
    const word = words.word(token);
    if (word.isStop || asked.has(word.key)) continue;
    const df = query.df({ token, match: `"${token}"`, prefix: false, quoted: false });
    const vector = word.row < 0 ? new Float32Array(table.dimensions) : table.encode(token);
    asked.set(word.key, { ...word, vector, weight: rarity(df, query.namespace.chunks) });
  }
  return [...asked.values()];
}

/** Words of a query that texts are read for; each takes its place beside every other word of all that is read. */
const MOST_ASKED = 64;

/** The longest of some words, in their order, as of terms. */
function longestOf(words: readonly string[]): readonly string[] {
  if (words.length <= MOST_ASKED) return words;
  const kept = new Set([...words].sort((a, b) => b.length - a.length).slice(0, MOST_ASKED));
  return words.filter((word) => kept.has(word));
}

/** What a term of the query is looked for by. */
interface Part {
  readonly keys: readonly number[];
  readonly stems: readonly string[];
  readonly weight: number;
  readonly prefix: boolean;
  readonly anyOf: boolean;
}

function partsOf({ terms, df, namespace }: Query): Part[] {
  return terms.map((term) => {
    const stems = stemsOf(term);
    const { prefix, anyOf = false } = term;
    return { stems, keys: stems.map(hashOf), weight: rarity(df(term), namespace.chunks), prefix, anyOf };
  });
}

/** How much of a query's idf mass a text holds, 0..1: rare words count for more than common ones. */
function createCoverage(parts: readonly Part[]): (said: ReadonlySet<number>, text: () => string) => number {
  const mass = parts.reduce((sum, { weight }) => sum + weight, 0);
  const hasPrefix = parts.some(({ prefix }) => prefix);
  return (said, text) => {
    if (mass === 0) return 0;
    const stems = hasPrefix ? stemsOf({ token: text().toLowerCase() }) : [];
    let covered = 0;
    for (const part of parts) {
      if (isSaid(part, said, stems)) covered += part.weight;
    }
    return covered / mass;
  };
}

/** Whether a text says a part of a query; `stems` are the text's own, where a part is the beginning of a word. */
function isSaid(part: Part, said: ReadonlySet<number>, stems: readonly string[]): boolean {
  if (part.prefix) return part.stems.every((stem) => stems.some((one) => one.startsWith(stem)));
  if (part.anyOf) return part.keys.some((key) => said.has(key));
  return part.keys.every((key) => said.has(key));
}

/** Words of the query, the rarest, that every word of a text is compared with: a pasted paragraph has dozens. */
const COMPARED = 6;
/** Dimensions of 128 whose signs may differ where a word is looked at closely: strangers differ in 64, a cosine of 0.4 in 47. */
const DIFFERING = 56 / 128;

/** An asked word that texts are compared with, and its place in `asked`. */
interface Compared {
  readonly i: number;
  readonly row: number;
  readonly vector: AskedVector;
}

/**
 * What a row of the table is to the query, made once for each row; `of` says where in `pool` it stands: its dot product with the
 * query's vector, the square of its length, whether it is like any word that is asked, then how alike it is to each of them (0 for
 * what is about a stranger).
 */
function createLikeness(query: Query, { meanings, asked }: { meanings: Meanings; asked: readonly Asked[] }) {
  const { words: table, encode } = meanings.table;
  const vector = table.ask(
    encode(query.read, tokenWeights(query.terms, query.df, query.namespace.chunks)),
    0,
  );
  const width = asked.length + 3;
  const most = DIFFERING * table.dimensions;
  const { scratch } = meanings;
  if (scratch.places.length < table.rows) scratch.places = new Int32Array(table.rows);
  const places = scratch.places.fill(-1);
  const closest = [...asked.entries()]
    .sort(([, a], [, b]) => b.weight - a.weight)
    .slice(0, COMPARED)
    .filter(([, { row }]) => row >= 0)
    .map(([i, { row, vector: of }], at): Compared => ({ i, row, vector: table.ask(of, at + 1) }));
  let size = 0;
  const found = {
    pool: scratch.pool.fill(0),
    /** What `touch` came across: it has to be kept, or the engine leaves the reads out. */
    touched: 0,
    /** Has the words of a text in the processor's caches before they are asked for one by one: up to a twentieth of a search. */
    touch({ from, count, rows }: CutText): void {
      let touched = 0;
      for (let at = from; at < from + count; at++) {
        const row = rows[at] ?? NO_ROW;
        if (row !== NO_ROW && (places[row] ?? 0) < 0) touched ^= table.touch(row);
      }
      found.touched = touched;
    },
    of(row: number): number {
      const before = places[row] ?? -1;
      if (before >= 0) return before;
      const place = size;
      places[row] = place;
      size += width;
      if (size > found.pool.length) {
        const larger = new Float32Array(2 * found.pool.length);
        larger.set(found.pool);
        found.pool = scratch.pool = larger;
      }
      const square = table.square(row);
      found.pool[place] = table.dot(vector, row);
      found.pool[place + 1] = square;
      for (const { i, row: word, vector: asking } of closest) {
        if (table.differing(word, row) > most) continue;
        found.pool[place + 2] = 1;
        found.pool[place + 3 + i] = table.dot(asking, row) / (Math.sqrt(square) || 1);
      }
      return place;
    },
  };
  return found;
}

/** A run of the query's words that the lexicon has. */
interface QueryNaming {
  /** Its words' places in `asked`. */
  readonly places: readonly number[];
  /** How many concepts have it. */
  readonly size: number;
}

/** What the query names, by concept. */
type QueryConcepts = ReadonlyMap<number, readonly QueryNaming[]>;

function conceptsOf(
  query: Query,
  {
    meanings: { words, lexicon },
    asked,
    marks,
  }: { meanings: Meanings; asked: readonly Asked[]; marks: Uint8Array },
): QueryConcepts {
  const said = queryWords(query).map((word) => words.word(word));
  const keys = said.flatMap(({ key, isPassedOver }) => (isPassedOver ? [] : [key]));
  const namings = new Map<number, QueryNaming[]>();
  const known = new Set<string>();
  for (const { from, to, concepts } of lexicon.namings(keys, keys.length)) {
    // What is said a thousand times names nothing more, and would be compared a thousand times.
    const run = keys.slice(from, to).join();
    if (known.has(run)) continue;
    known.add(run);
    const places = asked.flatMap(({ key }, place) => (keys.slice(from, to).includes(key) ? [place] : []));
    const naming = { places, size: concepts.length };
    for (const concept of concepts) namings.set(concept, [...(namings.get(concept) ?? []), naming]);
  }
  for (const concept of namings.keys())
    for (const begin of lexicon.begins(concept)) marks[begin] = (marks[begin] ?? 0) | BEGINS;
  return namings;
}

/** Marks the asked words that a phrase says in other words, by the share of concepts that both runs of words have. */
function markNamed(namings: QueryConcepts, same: Float32Array, concepts: Uint16Array | undefined): void {
  if (!concepts) return;
  const shared = new Map<QueryNaming, number>();
  for (const concept of concepts)
    for (const naming of namings.get(concept) ?? []) shared.set(naming, (shared.get(naming) ?? 0) + 1);
  for (const [{ places, size }, count] of shared) {
    // The root: words of many meanings share few of them, and mean the same now and then.
    const share = Math.sqrt(count / Math.sqrt(size * concepts.length));
    for (const place of places) same[place] = Math.max(same[place] ?? 0, share);
  }
}
