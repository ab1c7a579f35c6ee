import { foldText } from '../../language/words.ts';
import type { Word } from './passages.ts';

/** Letters that two words have to share at least: `Anna` and `Annabel` share four. */
const SHORTEST = 5;
/** Of a word at the end of a compound, and of what stands before it there. */
const SHORTEST_LAST = 6;
/** Ends of surnames, which make another person of a name: Roberts, Robertson, Martinez, Petrov. */
const OF_SURNAMES =
  /^(?:s|son|sson|sen|ssen|mann?|ez|es|ini|ino|etti|elli|ov|ova|ev|eva|off|ovic|ovich|ski|ska|sky|er|ers|el|ke|le|bauer|meier|mayer|maier|feld|berg|stein|burg|dorf|hof|hofer|ton|ham|ley|man)$/u;
/** Endings of one noun of science, and of what is made of it: lactobacillus, lactobacilli; metoprolol, metoprolols; allergen, allergic. */
const OF_SCIENCE = /(?:us|i|um|a|ae|is|es|on|en|ic|ics|al|ous|ates?|ides?|ines?|in|e|y|ies|s)$/u;

/**
 * Whether a name at hand may be the common noun that a text has in another form or in a compound: `Paracetamol` where the text has
 * `paracetamol-Saft` or `paracetamoltablets`. A word with a capital in the text is somebody's name, and only that one's, unless all nouns
 * have capitals there.
 */
export function isKindred(name: Word, said: Word, { capitalNouns }: { capitalNouns: boolean }): boolean {
  if (!capitalNouns && /^\p{Lu}/u.test(said.written)) return false;
  const [short, long] =
    name.text.length <= said.text.length ? [name.text, said.text] : [said.text, name.text];
  if (short.length < SHORTEST) return false;
  const root = (word: string) => word.replace(OF_SCIENCE, '');
  if (!capitalNouns && root(short).length >= SHORTEST && root(short) === root(long)) return true;
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
