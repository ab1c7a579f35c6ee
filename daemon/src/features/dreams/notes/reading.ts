import { sentencesOf } from '../../../language/sentences.ts';
import { STOP_WORDS } from '../../../language/words.ts';
import type { DreamMemory, DreamView } from '../strategies/strategy.ts';
import { meaningOf } from './synonyms.ts';
import { anyOf, listed } from '../../../language/word-lists.ts';

/** A word, number or identifier of a sentence; `start` and `end` in the sentence, in UTF-16 units. */
export interface SentenceWord {
  readonly text: string;
  /** As compared: lower case, without possessive, stemmed, synonyms alike. */
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** `name`: written with a capital within sentences, throughout the namespace. `id`: with digits, dots, underscores or inner capitals. */
  readonly shape: 'word' | 'name' | 'id' | 'number';
  /** Whether it says something: no word of grammar. */
  readonly says: boolean;
}

export interface ReadSentence {
  readonly of: ReadMemory;
  /** Word for word, as it stands in the value. */
  readonly text: string;
  readonly tokens: readonly SentenceWord[];
  readonly foreign: boolean;
}

export interface ReadMemory {
  readonly memory: DreamMemory;
  /** Days since 1970, UTC, of `memory.time`. */
  readonly day: number;
  /** What the words of its key say. */
  readonly keyTerms: readonly string[];
  readonly sentences: readonly ReadSentence[];
  /** What all its words say, those of the key among them. */
  readonly terms: ReadonlySet<string>;
}

/** A namespace, its words read once for all strategies. */
export interface ReadNamespace {
  readonly memories: readonly ReadMemory[];
  readonly byId: ReadonlyMap<number, ReadMemory>;
  /** In how many memories a term stands. */
  frequency(term: string): number;
  /** How much a term tells memories apart, natural logarithm; 0 where all have it. */
  weight(term: string): number;
}

const DAY = 86_400_000;
const TOKEN = /[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_'’.:/@#+-]*[\p{L}\p{N}\p{M}_])?/gu;
const NUMBER = /^[\d.,:/-]*\d[\d.,:/-]*$/u;
const ID = /[_@#]|\p{L}[\p{L}-]*\d|\d\p{L}{2}|\p{Ll}\p{Lu}|\p{L}[./:]\p{L}|^\p{Lu}[\p{Lu}-]{2,}$/u;
/** Words that tell German, French and Spanish sentences from English ones: in German every noun has a capital. */
const FOREIGN = new RegExp(`(?:^|[^\\p{L}])${anyOf('dreams/foreign-words')}(?![\\p{L}])`, 'giu');
/** They say nothing of what a sentence is about, beside the stop words of the index. */
const SMALL_WORDS = new Set(listed('dreams/small-words'));

const readings = new WeakMap<DreamView, ReadNamespace>();

/** Reads a view; the second call for the same one is free. */
export function readNamespace(view: DreamView): ReadNamespace {
  let reading = readings.get(view);
  if (!reading) readings.set(view, (reading = read(view.memories())));
  return reading;
}

function read(memories: readonly DreamMemory[]): ReadNamespace {
  const capitals = new Map<string, { upper: number; lower: number }>();
  const raw = memories.map((memory) => {
    const sentences = sentencesOf(memory.value).map(({ text }) => {
      const foreign = (text.match(FOREIGN)?.length ?? 0) >= 2;
      const tokens = tokensOf(text);
      if (!foreign) countCapitals(text, tokens, capitals);
      return { text, tokens, foreign };
    });
    return { memory, sentences };
  });
  const isName = (term: string): boolean => {
    const { upper, lower } = capitals.get(term) ?? { upper: 0, lower: 0 };
    return upper > 0 && lower * 4 <= upper;
  };
  const frequencies = new Map<string, number>();
  const read = raw.map(({ memory, sentences }): ReadMemory => {
    const keyTerms = [
      ...new Set(
        tokensOf(memory.key.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')).flatMap(({ says, shape, term }) =>
          says && shape !== 'number' ? [term] : [],
        ),
      ),
    ];
    const terms = new Set(keyTerms);
    const of: ReadMemory & { sentences: ReadSentence[] } = {
      memory,
      day: Math.floor(memory.time / DAY),
      keyTerms,
      sentences: [],
      terms,
    };
    for (const { text, tokens, foreign } of sentences) {
      const shaped = tokens.map((token) =>
        token.shape === 'word' && !foreign && /^\p{Lu}./u.test(token.text) && isName(token.term)
          ? { ...token, shape: 'name' as const }
          : token,
      );
      for (const { says, term } of shaped) if (says) terms.add(term);
      of.sentences.push({ of, text, tokens: shaped, foreign });
    }
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    return of;
  });
  return {
    memories: read,
    byId: new Map(read.map((one) => [one.memory.id, one])),
    frequency: (term) => frequencies.get(term) ?? 0,
    weight: (term) => Math.log((read.length + 1) / ((frequencies.get(term) ?? 0) + 0.5)),
  };
}

/** The tokens of a text; those joined by a hyphen or slash are parted where no digit says that they are one identifier. */
export function tokensOf(text: string): SentenceWord[] {
  const found: SentenceWord[] = [];
  for (const { 0: whole, index } of text.matchAll(TOKEN)) {
    if (NUMBER.test(whole) || (ID.test(whole) && !/^\p{L}+(?:['’]\p{L}+)?$/u.test(whole))) {
      found.push(tokenOf(whole, index));
      continue;
    }
    for (const part of whole.matchAll(/[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)?/gu))
      found.push(tokenOf(part[0], index + part.index));
  }
  return found;
}

type PlacelessWord = Omit<SentenceWord, 'start' | 'end'>;

/** Words as they are written: a namespace says most of them a hundred times, and a string of its own for each took as much as its tokens. */
const words = new Map<string, PlacelessWord>();

function tokenOf(written: string, start: number): SentenceWord {
  let word = words.get(written);
  if (!word) {
    word = wordOf(written);
    if (words.size < 100_000) words.set(written, word);
  }
  const { text, term, shape, says } = word;
  return { text, term, start, end: start + text.length, shape, says };
}

function wordOf(text: string): PlacelessWord {
  const shape = NUMBER.test(text) ? 'number' : ID.test(text) ? 'id' : 'word';
  const lower = text.toLowerCase().replaceAll('’', "'").replace(/'s$/u, '');
  const says = shape !== 'word' || (lower.length > 1 && !STOP_WORDS.has(lower) && !SMALL_WORDS.has(lower));
  return {
    text,
    term: shape === 'word' || (shape === 'id' && /^\p{Lu}+$/u.test(text)) ? meaningOf(lower) : lower,
    shape,
    says,
  };
}

/** Verbs that people do, after a subject of one word. */
const PERSONAL = new RegExp(`^\\s(?:${anyOf('dreams/personal-verbs')}|\\p{Ll}{2,}ed)(?!\\p{L})`, 'u');

function countCapitals(
  text: string,
  tokens: readonly SentenceWord[],
  counts: Map<string, { upper: number; lower: number }>,
): void {
  for (const [index, { text: word, term, shape, start }] of tokens.entries()) {
    if (shape !== 'word') continue;
    const count = counts.get(term) ?? { upper: 0, lower: 0 };
    counts.set(term, count);
    if (!/^\p{Lu}/u.test(word)) count.lower += 1;
    // The first word of a sentence, of a quotation or after a colon has a capital anyway; but `Anna's` and `Anna says` name somebody.
    else if (
      /['’]s$/u.test(word) &&
      !/^(?:it|that|there|here|he|she|what|who|where|let|this|how)['’]/iu.test(word)
    )
      count.upper += 1;
    else if (PERSONAL.test(text.slice(start + word.length, start + word.length + 16))) count.upper += 1;
    else if (index > 0 && !/[.:!?"“»(\n-]\s*$/u.test(text.slice(Math.max(0, start - 3), start)))
      count.upper += 1;
  }
}
