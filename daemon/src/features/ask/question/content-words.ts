import { phoneNumbers } from '../../../language/number-runs.ts';
import { stem } from '../../../language/porter.ts';
import {
  foldText,
  grams,
  hasUnspaced,
  identifierParts,
  spacedParts,
  spelledOut,
  STOP_WORDS,
  WORD,
} from '../../../language/words.ts';
import { OTHER_STOP_WORDS } from './question-words.ts';

/** A word of a question or a sentence. */
export interface ContentWord {
  /** As it stands there first. */
  readonly written: string;
  /** Folded, in small letters. */
  readonly text: string;
  readonly stem: string;
  /** The stem of how it is written without a letter as ü: `muehl` of `Mühle`. */
  readonly spelled?: string;
  /** Written as names, identifiers and numbers are. */
  readonly isName: boolean;
}

/** Whether a word, in small letters, says nothing of what is sought. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word) || OTHER_STOP_WORDS.has(word);
}

/**
 * The words of a text that say something: no stop words, identifiers whole and in parts, grams of scripts without blanks. A capital
 * counts as that of a name where it does not begin a sentence.
 */
export function wordsOf(text: string): ContentWord[] {
  const folded = foldText(text);
  const found = new Map<string, ContentWord>();
  const runs = [...folded.matchAll(WORD)];
  // Folding leaves the words in their order, but may make two of one, as of ½.
  const originals = text.match(WORD) ?? [];
  const isAligned = originals.length === runs.length;
  const spelledWords = spelledOut(text);
  const add = (word: string, isName: boolean, as = word): void => {
    const lower = word.toLowerCase();
    if (lower === '' || isStopWord(lower)) return;
    const before = found.get(lower);
    if (!before || (isName && !before.isName)) {
      const spelled = spelledWords.get(lower);
      found.set(lower, {
        written: before?.written ?? as,
        text: lower,
        stem: stem(lower),
        isName,
        ...(spelled !== undefined && { spelled: stem(spelled) }),
      });
    }
  };
  const numbers = phoneNumbers(folded);
  for (const { start, end, token } of numbers) add(token, true, folded.slice(start, end));
  for (const [at, match] of runs.entries()) {
    const [raw] = match;
    if (numbers.some(({ start, end }) => match.index >= start && match.index < end)) continue;
    // What stands behind an apostrophe is an ending: Anna's, don't.
    if (/^(?:s|d|ll|re|ve|m|t)$/i.test(raw) && /['’]/.test(folded[match.index - 1] ?? '')) continue;
    if (hasUnspaced(raw)) {
      for (const gram of grams(raw)) if (gram.whole) add(gram.text, false);
      for (const part of spacedParts(raw)) add(part, /\p{Lu}|\p{N}/u.test(part));
      continue;
    }
    const opens = /(?:^|[.!?:"“„«»(\n-])\s*$/u.test(folded.slice(Math.max(0, match.index - 3), match.index));
    const isName = /\p{N}|\p{L}_|_\p{L}|\p{Ll}\p{Lu}/u.test(raw) || (/^\p{Lu}/u.test(raw) && !opens);
    add(raw, isName, isAligned ? originals[at] : raw);
    for (const part of identifierParts(raw)) add(part, false);
  }
  return [...found.values()];
}
