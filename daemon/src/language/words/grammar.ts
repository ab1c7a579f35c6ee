import { listed } from './word-lists.ts';

/** Lists of words by which a text says when and whether (data/grammar/README.md). */
export const GRAMMAR = ['again', 'called-off', 'denied', 'done', 'no-past', 'past'] as const;
export type GrammarList = (typeof GRAMMAR)[number];

/** Where a word of a list stands in a text, in UTF-16 units. */
export interface WordSpan {
  readonly start: number;
  readonly end: number;
}

const WORD = /\p{L}+(?:['’]\p{L}+)*(?:-\p{L}+)*/gu;

type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

const loaded = new Map<GrammarList, Phrases>();

/** The words of a list, as they stand in its file. */
export function grammarWords(list: GrammarList): string[] {
  return listed(`grammar/${list}`);
}

/** Of several words that begin alike the longest comes first. */
function phrasesOf(list: GrammarList): Phrases {
  let phrases = loaded.get(list);
  if (!phrases) {
    const split = grammarWords(list).map((line) => line.split(' '));
    phrases = Map.groupBy(
      split.toSorted((a, b) => b.length - a.length),
      ([first = '']) => first,
    );
    loaded.set(list, phrases);
  }
  return phrases;
}

interface SaidWord extends WordSpan {
  readonly word: string;
}

function wordsOf(text: string): SaidWord[] {
  return [...text.matchAll(WORD)].map(({ 0: said, index }) => ({
    word: said.toLowerCase().replaceAll('’', "'"),
    start: index,
    end: index + said.length,
  }));
}

/** Where a text says something of a list, in order. */
export function saidIn(text: string, list: GrammarList): WordSpan[] {
  const phrases = phrasesOf(list);
  const words = wordsOf(text);
  return words.flatMap(({ word, start }, at) => {
    const phrase = phrases
      .get(word)
      ?.find((wanted) => wanted.every((one, further) => words[at + further]?.word === one));
    return phrase ? [{ start, end: words[at + phrase.length - 1]?.end ?? start }] : [];
  });
}

/** Whether a text says something of a list. */
export function says(text: string, list: GrammarList): boolean {
  return saidIn(text, list).length > 0;
}

/** Words after which a form in -ed tells how things are: `the shop is closed`. */
const PASSIVE = new Set('am are be been being get gets is need needs to'.split(' '));

/** Where a text has a verb of the past, in order; `is closed` is none. */
export function pastIn(text: string): WordSpan[] {
  const [past, no] = [phrasesOf('past'), phrasesOf('no-past')];
  const words = wordsOf(text);
  return words.filter(({ word }, at) => {
    if (no.has(word)) return false;
    if (past.has(word)) return true;
    return /\p{L}{2,}ed$/u.test(word) && !PASSIVE.has(words[at - 1]?.word ?? '');
  });
}

/** Whether a text has a verb of the past. */
export function tellsPast(text: string): boolean {
  return pastIn(text).length > 0;
}

/** Whether a text denies something: `no`, `not`, `isn't`, `kein`. */
export function denies(text: string): boolean {
  return says(text, 'denied') || /\p{L}n['’]t(?!\p{L})/iu.test(text);
}
