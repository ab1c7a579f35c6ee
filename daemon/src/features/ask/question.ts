import { type AnswerType, expectedTypes } from './answer-types.ts';
import { type Word, wordsOf } from './passages.ts';

/** A word of a question, and how much it says. */
export interface Asked extends Word {
  /** How rare it is in the namespace, 0..1. */
  readonly weight: number;
}

/** A question as it is understood without a model. */
export interface Question {
  readonly text: string;
  readonly now: Date;
  readonly words: readonly Asked[];
  /** What has to be known of what: the nouns behind the question word, or all words that are no names. */
  readonly focus: readonly Asked[];
  readonly names: readonly Asked[];
  readonly expects: readonly AnswerType[];
  readonly isYesNo: boolean;
  readonly isEnglish: boolean;
  /** Asks when, or how it is now or was before: an answer needs its date. */
  readonly isAboutTime: boolean;
}

const YES_NO =
  /^\s*(?:so |and |but )?(?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would|am|ist|sind|hat|haben|kann|darf|es|está|tiene|ha|est-ce|a-t)\b/iu;
const ABOUT_TIME =
  /\bwhen\b|\bdate\b|\bdays?\b|\byears?\b|\bmonths?\b|\bnow\b|\bcurrent(?:ly)?\b|\bstill\b|\bthese days\b|\bbefore\b|\bago\b|\blast\b|\bnext\b|\bused to\b|\bsince\b|\buntil\b|\bpresent\b|\btoday\b|\bwann\b|\bcuándo\b|\bquand\b|什么时候|いつ/iu;
/** English questions have one of these; the others rarely. */
const ENGLISH =
  /(?<![\p{L}])(?:the|what|which|who|whose|when|where|why|how|does|did|is|are|was|were|do|has|have|should|would|can|my|our|of|to|for|and|with|name|list|tell)(?![\p{L}])/iu;
const NOT_ENGLISH = /[äöüßñ¿¡éèêàçœ]|[^\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]/iu;

/** Understands a question; `rarity` says how rare words are where it is asked. */
export function understand(
  { text, now }: { text: string; now: Date },
  rarity: (words: readonly string[]) => readonly number[],
): Question {
  const words = wordsOf(text).slice(0, MOST_WORDS);
  const weights = rarity(words.map((word) => word.text));
  const asked = words.map((word, at): Asked => ({ ...word, weight: weights[at] ?? 1 }));
  const names = asked.filter(({ isName }) => isName);
  return {
    text,
    now,
    words: asked,
    names,
    focus: focusOf(text, asked),
    expects: expectedTypes(text),
    isYesNo: YES_NO.test(text),
    isEnglish: ENGLISH.test(text) && !NOT_ENGLISH.test(text.replace(/\p{Lu}[\p{L}\p{M}]+/gu, '')),
    isAboutTime: ABOUT_TIME.test(text),
  };
}

/** Words of a question that are looked at; a pasted page is no question. */
const MOST_WORDS = 48;

const AFTER_WH =
  /\b(?:which|what|whose|how many|how much|welche[rsnm]?|qué|quel(?:le)?s?)\s+((?:[\p{L}\p{N}'’-]+\s*){1,4})/iu;
const OF = /\b(?:is|are|was|were)\s+(?:the\s+)?((?:[\p{L}\p{N}'’-]+\s*){1,3}?)\s+(?:of|for|in|at|on)\b/iu;
const OWNED = /['’]s?\s+((?:[\p{L}\p{N}-]+\s*){1,2})/iu;
const STOPS_AT =
  /\b(?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would|of|in|at|on|for|to|from|by|with|that|the|we|i|my|our)\b/iu;

/** The nouns that a question asks for: behind its question word, before `of`, or what somebody's is. */
function focusOf(text: string, asked: readonly Asked[]): Asked[] {
  for (const shape of [AFTER_WH, OF, OWNED]) {
    const phrase = shape.exec(text)?.[1]?.split(STOPS_AT)[0] ?? '';
    const stems = new Set(wordsOf(phrase).map((word) => word.stem));
    const found = asked.filter((word) => stems.has(word.stem) && !word.isName);
    if (found.length > 0) return found;
  }
  return asked.filter(({ isName }) => !isName);
}
