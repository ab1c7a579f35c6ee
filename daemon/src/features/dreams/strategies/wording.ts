import { keyOf, type Lexicon, phraseWords } from '../../../language/lexicon.ts';
import { stem } from '../../../language/porter.ts';
import { softly, type Words } from './changes/words.ts';
import { isNumberWord } from './near-text.ts';
import type { Reading, ReadMemory } from './reading.ts';
import { meaningOf } from './synonyms.ts';

/** A word that says what a memory is about. */
export interface Content {
  readonly term: string;
  readonly text: string;
  readonly stem: string;
  readonly isName: boolean;
  readonly isNumber: false;
  /** `the neighbour's`. */
  readonly isOwner: boolean;
  readonly weight: number;
}

/** What a memory says, but for figures, units, and words that every statement may have. */
export interface Wording {
  readonly of: ReadMemory;
  readonly content: readonly Content[];
  readonly terms: ReadonlySet<string>;
  /** All words in order, those of grammar among them. */
  readonly order: readonly string[];
  /** The concepts of the lexicon that it may name, with the stems of the words by which it does. */
  readonly concepts: ReadonlyMap<number, ReadonlySet<string>>;
}

/** How much of what one says the other says, too, in these or other words. */
export interface Cover {
  /** 0..1, by weight. */
  readonly share: number;
  /** What the other has nothing like. */
  readonly lost: readonly Content[];
}

/** Words by which one asks, wants and keeps, and which say little of what. */
const LIGHT = new Set(
  `need want wish get have go come take put give keep let make do use say tell mean thing anything something everything nothing anybody anyone
  nobody everybody everyone somebody someone else kind way sort always never ever only just also still even more less most much longer long
  afterwards note notes agent reminder remember mind yes please whatever whoever called name like belong intend both own whole others any
  hold stay goes needs wants gets becomes become happens happen work works run runs turn fine okay ok sure
  ask approval permission consent above below over under`
    .split(/\s+/)
    .map(meaningOf),
);
const UNIT =
  /^(?:ms|s|secs?|seconds?|min|mins?|minutes?|h|hours?|hrs?|mm|cm|m|km|met(?:re|er)s?|g|kg|grams?|kilos?|ml|l|lit(?:re|er)s?|kb|mb|gb|tb|percent|degrees?|euros?|pounds?|dollars?|eur|gbp|usd|hundred|thousand)$/iu;
/** Who says it, and to whom: `Agent note (Otter):`, `…, Roz says`. */
const ATTRIBUTION =
  /^(?:agent )?(?:note|reminder|correction|noted|remember|user|assistant|rule|decision)(?: for [\p{L} ]{2,20})?(?: \([^)]{1,20}\))?:|, (?:says?|said) \p{Lu}\p{L}+(?=[.!]|$)|, \p{Lu}\p{L}+ (?:says|said)(?=[.!]|$)|,? said the [\p{L} ]{2,20} at /giu;
const LIKE = 0.4;
/** Words of one concept are often kinds of one thing, and not the same. */
const OF_ONE_CONCEPT = 0.7;

/** Reads how memories are worded, each once. */
export function wordingsOf(reading: Reading, lexicon: Lexicon): (memory: ReadMemory) => Wording {
  return once((of) => wordingOf(of, reading, lexicon));
}

function wordingOf(of: ReadMemory, reading: Reading, lexicon: Lexicon): Wording {
  const content = new Map<string, Content>();
  const order: string[] = [];
  let concepts: Map<number, Set<string>> | undefined;
  for (const { text: said, tokens } of of.sentences) {
    const passed = [...said.matchAll(ATTRIBUTION)].map(
      ({ 0: { length }, index }) => [index, index + length] as const,
    );
    for (const { text, term, shape, says, start } of tokens) {
      if (passed.some(([from, to]) => from <= start && start < to)) continue;
      order.push(says ? term : text.toLowerCase());
      const isFigure = shape === 'number' || isNumberWord(text) || UNIT.test(text);
      if (!says || isFigure || LIGHT.has(term) || content.has(term)) continue;
      const bare = text.toLowerCase().replace(/['’]s$/u, '');
      content.set(term, {
        term,
        text: bare,
        stem: stem(bare),
        isName: shape === 'name' || shape === 'id',
        isNumber: false,
        isOwner: bare !== text.toLowerCase(),
        weight: weightOf(term, reading),
      });
    }
  }
  return {
    of,
    content: [...content.values()],
    terms: new Set(content.keys()),
    order,
    // Most that are compared with anything have no two words in common with it.
    get concepts() {
      return (concepts ??= conceptsIn(of.memory.value, lexicon));
    },
  };
}

/** In a namespace of a few memories every word is frequent, and tells no less. */
const SMALLEST = 300;

/** How much a word tells of what a memory is about; `''` stands for one that no memory has. */
export function weightOf(term: string, reading: Reading): number {
  return Math.log((Math.max(SMALLEST, reading.memories.length) + 1) / (reading.frequency(term) + 0.5));
}

/** The concepts that a text may name, with the stems of the words by which it does. */
export function conceptsIn(text: string, lexicon: Lexicon): Map<number, Set<string>> {
  const words = phraseWords(text).map((word) => stem(word));
  const found = new Map<number, Set<string>>();
  for (const { from, to, concepts } of lexicon.namings(words.map(keyOf), words.length))
    for (const concept of concepts) {
      const by = found.get(concept) ?? new Set();
      found.set(concept, by);
      for (const word of words.slice(from, to)) by.add(word);
    }
  return found;
}

/** What of one text stands in another. */
export function coverOf(one: Wording, other: Wording, words: Words): Cover {
  let [mass, covered] = [0, 0];
  const lost: Content[] = [];
  for (const word of one.content) {
    let best = 0;
    for (const there of other.content) {
      best = Math.max(best, softly(word, there, words));
      if (best < OF_ONE_CONCEPT && isOfOneConcept(word, there, [one, other])) best = OF_ONE_CONCEPT;
      if (best === 1) break;
    }
    mass += word.weight;
    covered += word.weight * best;
    if (best < LIKE) lost.push(word);
  }
  return { share: mass === 0 ? 0 : covered / mass, lost };
}

function isOfOneConcept(a: Content, b: Content, [one, other]: readonly [Wording, Wording]): boolean {
  if (a.isName || b.isName) return false;
  for (const [concept, by] of one.concepts)
    if (by.has(a.stem) && other.concepts.get(concept)?.has(b.stem)) return true;
  return false;
}

/** The runs of words of two texts that stand in one another's place, the words around them being the same: `cabin lights` and `bilge pump`. */
export function replacedIn(
  { order: a }: Wording,
  { order: b }: Wording,
): readonly (readonly [string[], string[]])[] {
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j]
          ? 1 + (longest[(i + 1) * width + j + 1] ?? 0)
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
  if (2 * (longest[0] ?? 0) < 0.5 * (a.length + b.length)) return [];
  const runs: [string[], string[]][] = [];
  let run: [string[], string[]] = [[], []];
  let [i, j] = [0, 0];
  const end = (): void => {
    if (run[0].length > 0 && run[1].length > 0) runs.push(run);
    run = [[], []];
  };
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      end();
      i += 1;
      j += 1;
    } else if (
      j >= b.length ||
      (i < a.length && (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))
    )
      run[0].push(a[i++] ?? '');
    else run[1].push(b[j++] ?? '');
  }
  end();
  return runs;
}

/** Computed once for each memory: a memory is compared with many. */
export function once<T>(of: (memory: ReadMemory) => T): (memory: ReadMemory) => T {
  const known = new WeakMap<ReadMemory, { value: T }>();
  return (memory) => {
    let found = known.get(memory);
    if (!found) known.set(memory, (found = { value: of(memory) }));
    return found.value;
  };
}

const OF = /^(?:of|for|at|in|on|over|under|above|behind|beside|near|next|to|from|by)$/u;
const ARTICLE = /^(?:an?|the|my|our|his|her|their|your|its)$/u;

/** Whether one of the words that only one text has says which one is meant of a thing that both have: `the lease of the garage`. */
export function isWithin(lost: readonly Content[], { order }: Wording, shared: ReadonlySet<string>): boolean {
  return lost.some(({ term }) => {
    let before = order.indexOf(term) - 1;
    if (ARTICLE.test(order[before] ?? '')) before -= 1;
    return OF.test(order[before] ?? '') && shared.has(order[before - 1] ?? '');
  });
}

/** Whether one of them stands right before a word that both have: `the staging router`. */
export function isBefore(lost: readonly Content[], { order }: Wording, shared: ReadonlySet<string>): boolean {
  return lost.some(({ term }) => shared.has(order[order.indexOf(term) + 1] ?? ''));
}
