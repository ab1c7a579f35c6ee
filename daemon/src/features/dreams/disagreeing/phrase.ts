import { isNo, type ComparedWord, comparedWordsOf } from '../notes/compared-words.ts';
import type { ReadSentence } from '../notes/reading.ts';

/** A sentence, or what of it comes before a comma or the like. */
export interface Phrase {
  readonly sentence: ReadSentence;
  readonly items: readonly ComparedWord[];
  /** Where it ends, in the sentence. */
  readonly end: number;
}

/** A sentence of more items says more than one thing. */
const MOST = 20;
/** Where what belongs together ends. */
const BOUNDARY = /[,;()—–]|\s-\s|[.!]\s|\s(?:because|so|but|and then|which)\s/u;
/** What comes after a comma and says when or for whom the rest holds. */
const CONDITION =
  /^[\s,;(—–-]*(?:if|when|while|for|in|on|at|during|from|until|except|unless|only|wenn|für|si)\s/iu;
const known = new WeakMap<ReadSentence, readonly Phrase[]>();

/**
 * The whole sentence, and what comes before its first boundary where it may be cut there; none where it has too few or too many words to
 * compare.
 */
export function phrasesOf(sentence: ReadSentence): readonly Phrase[] {
  let phrases = known.get(sentence);
  if (!phrases) known.set(sentence, (phrases = read(sentence)));
  return phrases;
}

function read(sentence: ReadSentence): Phrase[] {
  const { text } = sentence;
  if (sentence.tokens.length > 3 * MOST) return [];
  const items = comparedWordsOf(sentence);
  if (items.length < 2 || items.length > MOST) return [];
  const whole = { sentence, items, end: text.length };
  const last = items.findIndex(({ token }, at) => {
    const next = items[at + 1];
    return at >= 2 && next && BOUNDARY.test(text.slice(token.end, next.token.start));
  });
  const end = items[last]?.token.end;
  if (end === undefined || CONDITION.test(text.slice(end)) || items.slice(last + 1).some(isNo))
    return [whole];
  return [whole, { sentence, items: items.slice(0, last + 1), end }];
}
