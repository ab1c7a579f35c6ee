import { monthNames } from '../../../language/date-names.ts';
import { says } from '../../../language/grammar.ts';

/** How a sentence means what it says; all false where it simply claims it. */
export interface SentenceModes {
  readonly question: boolean;
  /** If, might, maybe, would, an idea, an estimate. */
  readonly hypothetical: boolean;
  /** What is going to be, or was intended. */
  readonly plan: boolean;
  /** What was so, and is not claimed to be. */
  readonly past: boolean;
  /** What somebody thinks. */
  readonly opinion: boolean;
}

const QUESTION =
  /\?\s*["”»)]*\s*$|^(?:what|when|who|where|why|how|which|is|are|do|does|did|can|could|should|shall|will)\b[^.!]*\?/iu;
/** `If`, but not `only if`, and not `let me know if`: what follows is imagined. `May` with a capital is a month. */
const IMAGINED = /^if\s|(?<=[;,—]\s)if\s|\b(?:we|i|he|she|it|they|you)\s(?:may|might)\s/iu;
/** What is told by more than words: `e.g.`, `idea: …`. */
const EXAMPLE = /(?<!\p{L})(?:e\.g\.|idea:)(?!\p{L})/iu;
/** `Until 2019`. */
const UNTIL_A_YEAR = /(?<!\p{L})until \d{4}(?!\p{L})/iu;

/** `From May`. */
const FROM_A_MONTH = new RegExp(`(?<!\\p{L})from (?:${monthNames('en').join('|')})(?!\\p{L})`, 'iu');

/** Reads in which ways a sentence means what it says. */
export function modesOf(sentence: string): SentenceModes {
  return {
    question: QUESTION.test(sentence),
    hypothetical: says(sentence, 'supposed') || EXAMPLE.test(sentence) || IMAGINED.test(sentence),
    plan: says(sentence, 'planned') || FROM_A_MONTH.test(sentence),
    past: says(sentence, 'used-to') || UNTIL_A_YEAR.test(sentence),
    opinion: says(sentence, 'opinion'),
  };
}
