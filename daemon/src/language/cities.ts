import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadOrdinaryWords } from './ordinary-words.ts';
import { foldText } from './words.ts';

/** A city that a text names, by its line in the table, and the words of the name there, folded and in small letters. */
export interface NamedCity {
  readonly city: number;
  readonly words: readonly string[];
}

interface Name {
  readonly words: readonly string[];
  readonly city: number;
}

const FILE = join(import.meta.dirname, '../../data/places/cities.txt');
const WORD = /[\p{L}\p{M}]+/gu;

let loaded: ReadonlyMap<string, readonly Name[]> | undefined;

/** The names by their first word, longer ones first; read the first time, in a few milliseconds (data/places/README.md). */
function namesByWord(): ReadonlyMap<string, readonly Name[]> {
  if (loaded) return loaded;
  const lines = readFileSync(FILE, 'utf8').split('\n');
  const names = lines.flatMap((line, city) =>
    line.startsWith('#')
      ? []
      : line.split('|').map((name): Name => ({ city, words: (name.match(WORD) ?? []).map(folded) })),
  );
  names.sort((a, b) => b.words.length - a.words.length);
  return (loaded = Map.groupBy(names, ({ words }) => words[0] ?? ''));
}

function folded(word: string): string {
  return foldText(word).toLowerCase().replaceAll('ß', 'ss');
}

/** The shortest name of which `Wiener` or `Kölns` is understood to be a form. */
const SHORTEST = 4;

/**
 * The cities that a text names in any of their languages, so that `Wien` and `Vienna` are one; only those that are called differently
 * in some of them are known. A name in small letters counts in a text that has no other ones, unless it is an English word (`nice`).
 */
export function citiesIn(text: string): NamedCity[] {
  const names = namesByWord();
  const { has: isOrdinary } = loadOrdinaryWords();
  const tokens = text.match(WORD) ?? [];
  const words = tokens.map(folded);
  const hasCapitals = /\p{Lu}/u.test(text);
  const found: NamedCity[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (hasCapitals ? !/^\p{Lu}/u.test(tokens[at] ?? '') : isOrdinary(word)) continue;
    const fits = (name: Name) => name.words.every((part, next) => next === 0 || part === words[at + next]);
    const name =
      names.get(word)?.find(fits) ??
      formsOf(word)
        .flatMap((form) => names.get(form) ?? [])
        .find((one) => one.words.length === 1 && fits(one));
    if (!name) continue;
    found.push({ city: name.city, words: words.slice(at, at + name.words.length) });
    at += name.words.length - 1;
  }
  return found;
}

/** What a word may be a form of: `Kölns`, `Wiener`, `Münchner`, `Dresdner`. */
function formsOf(word: string): string[] {
  const city = /^(.+)s$/u.exec(word)?.[1];
  const people = /^(.+)er[ns]?$/u.exec(word)?.[1];
  const bases = people === undefined ? [] : [people, `${people}en`, people.replace(/n$/u, 'en')];
  return [...(city === undefined ? [] : [city]), ...bases].filter((base) => base.length >= SHORTEST);
}
