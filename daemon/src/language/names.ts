import { ENGLISH_WEEKDAYS, monthNames } from './date-names.ts';
import { loadTagWords, type TagWords } from './parts-of-speech.ts';
import { sentencesOf } from './sentences.ts';
import { anyOf } from './word-lists.ts';

/** A proper name in a text; `start` and `end` in UTF-16 units. */
export interface FoundName {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The proper names of a text, in order. */
export type FindNames = (text: string) => FoundName[];

const TITLE = '(?:Dr|Prof|Mr|Mrs|Ms|Frau|Herr|St)\\.?';
const PART = "\\p{Lu}[\\p{L}\\p{N}'’-]*[\\p{L}\\p{N}]|\\p{Lu}\\.";
/** Capitalised words in a row, also with a small word between them: `Dr. Okafor`, `Ludwig van Beethoven`, `Grafana Cloud`. */
const NAME = new RegExp(
  `(?<![\\p{L}\\p{N}_/.@-])(?:${TITLE}\\s+)?(?:${PART})(?:(?:\\s+(?:van|von|de|der|den|del|di|da|la|le|el|al|of|&))*\\s+(?:${PART}))*(?![\\p{L}\\p{N}_])`,
  'gu',
);
/** Capitalised, and no names. */
const NO_NAME = new RegExp(
  `^(?:${anyOf('language/no-names')}|${[...ENGLISH_WEEKDAYS, ...monthNames('en')].join('|')})$`,
  'u',
);

/** Loads what tells a name at the beginning of a sentence from a word there. */
export async function loadFindNames(): Promise<FindNames> {
  const tagWords = await loadTagWords();
  return (text) => findNames(text, tagWords);
}

function findNames(text: string, tagWords: TagWords): FoundName[] {
  const found: FoundName[] = [];
  const inside = new Set<string>();
  const first: FoundName[] = [];
  for (const sentence of sentencesOf(text))
    for (const match of sentence.text.matchAll(NAME)) {
      const name = trimmed(match[0], sentence.start + match.index);
      if (!name) continue;
      const startsSentence = /^[\s"'“„«(*_>-]*$/u.test(text.slice(sentence.start, name.start));
      if (startsSentence && !/\s/u.test(name.text)) first.push(name);
      else {
        found.push(name);
        inside.add(name.text);
      }
    }
  // A word that opens a sentence is a name where it is one elsewhere in the text, or where the tagger knows it as one.
  for (const name of first)
    if (inside.has(name.text) || isName(name.text, text.slice(name.start, name.start + 120), tagWords))
      found.push(name);
  return found.sort((a, b) => a.start - b.start);
}

/** Without words at its ends that are no part of a name (`The Anna`), and without the `'s` of a possessor. */
function trimmed(text: string, start: number): FoundName | undefined {
  let from = start;
  let name = text;
  for (
    let word = /^\S+/u.exec(name)?.[0];
    word !== undefined && NO_NAME.test(word);
    word = /^\S+/u.exec(name)?.[0]
  ) {
    const rest = name.slice(word.length).trimStart();
    from += name.length - rest.length;
    name = rest;
  }
  name = name.replace(/['’]s$/u, '');
  return name.length > 1 ? { text: name, start: from, end: from + name.length } : undefined;
}

function isName(name: string, around: string, tagWords: TagWords): boolean {
  const tags = tagWords(around)[0]?.tags;
  return (
    tags !== undefined &&
    (tags.has('Person') || tags.has('Place') || tags.has('Organization') || /\p{Ll}\p{Lu}|\p{N}/u.test(name))
  );
}
