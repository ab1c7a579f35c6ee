import { loadOrdinaryWords } from '../../../language/ordinary-words.ts';
import { foldText } from '../../../language/words.ts';
import type { ContentWord } from '../question/content-words.ts';
import { anyOf } from '../../../language/word-lists.ts';

/** Letters that two words have to share at least: `Anna` and `Annabel` share four. */
const SHORTEST = 5;
/** Of a word at the end of a compound, and of what stands before it there. */
const SHORTEST_LAST = 6;
/** Ends of surnames, which make another person of a name: Roberts, Robertson, Martinez, Petrov. */
const OF_SURNAMES = new RegExp(`^${anyOf('ask/surname-endings')}$`, 'u');
/** Endings of one noun of science, and of what is made of it: lactobacillus, lactobacilli; metoprolol, metoprolols; allergen, allergic. */
const OF_SCIENCE = /(?:us|i|um|a|ae|is|es|on|en|ic|ics|al|ous|ates?|ides?|ines?|in|e|y|ies|s)$/u;

/**
 * Whether a name at hand may be the common noun that a text has in another form or in a compound: `Paracetamol` where the text has
 * `paracetamol-Saft` or `paracetamoltablets`. A word with a capital in the text is somebody's name, and only that one's, unless all nouns
 * have capitals there. What only begins like an ordinary word is another one: a Barbera is no barber, and Winterthur no winter.
 */
export function isKindred(
  name: ContentWord,
  said: ContentWord,
  { capitalNouns }: { capitalNouns: boolean },
): boolean {
  if (!capitalNouns && /^\p{Lu}/u.test(said.written)) return false;
  const [short, long] =
    name.text.length <= said.text.length ? [name.text, said.text] : [said.text, name.text];
  if (short.length < SHORTEST) return false;
  const { has: isOrdinary } = loadOrdinaryWords();
  if (
    !capitalNouns &&
    isOrdinary(said.text) &&
    name.text.length >= said.text.length &&
    !isOrdinary(name.text)
  )
    return false;
  const root = (word: string) => word.replace(OF_SCIENCE, '');
  if (!capitalNouns && root(short).length >= SHORTEST && root(short) === root(long)) return true;
  // With a capital inside a sentence an ordinary word names somebody: Winter, where the text has `winterize`.
  if (!capitalNouns && isOrdinary(short)) return false;
  if (long.startsWith(short)) return !OF_SURNAMES.test(long.slice(short.length));
  return short.length >= SHORTEST_LAST && long.endsWith(short) && long.length - short.length >= 2;
}

/** Words of a text with a hyphen, in small letters: their parts, and what they are without it: `Wi-Fi` is `wifi`. */
export function hyphenated(text: string): { readonly parts: readonly string[]; readonly joined: string }[] {
  return [...foldText(text).matchAll(/(?<![\p{L}\p{N}])\p{L}+(?:[-‐‑]\p{L}+)+(?![\p{L}\p{N}])/gu)].map(
    ([word]) => {
      const parts = word.toLowerCase().split(/[-‐‑]/u);
      return { parts, joined: parts.join('') };
    },
  );
}

/** What stands before a common noun, with one adjective between them at most. */
const DETERMINED =
  /(?<![\p{L}\p{N}])(?:an?|the|my|your|his|her|its|our|their|this|that|these|those|no|some|any|every|each|one|which|whose)\s+(?:\p{Ll}+\s+)?$/u;

/** Whether a text has a word in small letters and as a common noun only: `the barber` and `a good mark` are nobody's names. */
export function isCommonNounIn(text: string, words: readonly ContentWord[], { stem }: ContentWord): boolean {
  const same = words.filter((word) => word.stem === stem);
  return (
    same.length > 0 &&
    same.every(({ written }) => {
      if (!/^\p{Ll}/u.test(written)) return false;
      const places = [
        ...text.matchAll(
          new RegExp(
            `(?<![\\p{L}\\p{N}])${written.replace(/[^\p{L}\p{N}]/gu, String.raw`\$&`)}(?![\\p{L}\\p{N}])`,
            'gu',
          ),
        ),
      ];
      return (
        places.length > 0 &&
        places.every(({ index }) => DETERMINED.test(text.slice(Math.max(0, index - 40), index)))
      );
    })
  );
}
