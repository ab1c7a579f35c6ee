import { numberTokens } from './words/number-runs.ts';
import {
  foldText,
  grams,
  hasUnspaced,
  identifierParts,
  spacedParts,
  spelledOut,
  wordsIn,
} from './words/words.ts';

/**
 * What the text index stores: the text, folded, and below it what its words do not show: parts of identifiers, `1.2` of `v1.2`,
 * numbers without their signs, `muehle` of `Mühle`, grams of scripts without blanks, names for C++, C# and emoji.
 */
export function indexedText(text: string): string {
  const folded = foldText(text);
  const extra = [...extraTokens(folded), ...spelledOut(text).values()];
  return extra.length === 0 ? folded : `${folded}\n${extra.join(' ')}`;
}

/** How much longer a letter of a script without blanks takes to be indexed: each begins a word. */
const UNSPACED = 4;

/** What it takes to index a text, in UTF-16 units of one with blanks between its words. */
export function indexUnits(text: string): number {
  return hasUnspaced(text) ? UNSPACED * text.length : text.length;
}

/** The version of what is indexed of a text: raise it, and what `mayHaveOtherWords` is indexed again. */
export const FOLDING = 2;

/** Whether a text may have been indexed by other words in the version before: letters beyond ASCII, numbers in groups or long ones, hashes. */
export function mayHaveOtherWords(text: string): boolean {
  return /[^\x00-\x7f]|\d[\d.,'_ ()/-]{3}|\d[a-f\d]{6}|[a-f]\d[a-f\d]{5}/iu.test(text);
}

/** What stands in a text and is no word of it: C++, C#, a version with its v, an emoji; `specialName` says what it is indexed as. */
export const SPECIAL =
  /(?<![\p{L}\p{N}])([A-Za-z])(\+\+|#)(?![\p{L}\p{N}#])|(?<![\p{L}\p{N}])v(\d+(?:\.\d+)+)|(\p{Extended_Pictographic}|\p{RI}{2})/gu;

function extraTokens(folded: string): string[] {
  const extra: string[] = [];
  const isUnspaced = hasUnspaced(folded);
  for (const word of new Set(wordsIn(folded))) {
    const spaced = isUnspaced && hasUnspaced(word) ? spacedParts(word) : [];
    extra.push(...spaced);
    for (const identifier of spaced.length > 0 ? spaced : [word]) {
      const parts = identifierParts(identifier);
      if (parts.length > 0) extra.push(parts.join(' '));
    }
  }
  for (const match of folded.matchAll(SPECIAL)) extra.push(specialName(match));
  extra.push(...numberTokens(folded));
  if (isUnspaced) for (const gram of grams(folded)) extra.push(gram.text);
  return extra;
}

/** `cplusplus`, `csharp`, `emoji1f389`, or a version without its v. */
export function specialName(match: RegExpMatchArray): string {
  const [, letter, sign, version, emoji] = match;
  if (letter !== undefined) return letter.toLowerCase() + (sign === '#' ? 'sharp' : 'plusplus');
  return version ?? `emoji${[...(emoji ?? '')].map((sign) => sign.codePointAt(0)?.toString(16)).join('')}`;
}
