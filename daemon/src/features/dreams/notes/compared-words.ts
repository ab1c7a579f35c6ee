import { MONTH_OF } from '../../../language/date-names.ts';
import { ENGLISH_NUMBERS } from '../../../language/number-words.ts';
import { STOP_WORDS } from '../../../language/words.ts';
import { classOf, dayName } from './word-classes.ts';
import type { ReadSentence, SentenceWord } from './reading.ts';

/** A word of a sentence that carries meaning, a value or a denial, in the form in which it is compared with those of another sentence. */
export interface ComparedWord {
  readonly token: SentenceWord;
  readonly norm: string;
  /** `word` is an ordinary one; of all others one may stand in the place of another of its kind. */
  readonly kind: string;
}

const NO =
  /^(?:not|no|never|none|nobody|nothing|without|cannot|\p{L}+n't|nicht|kein(?:e[nmrs]?)?|nie|ohne|pas|jamais|sans)$/u;
/** Small words that say which of two or on which side of it, though they are words of grammar. */
const SIDES = new Set(
  'above after again back before below first last new next old since today tomorrow until yesterday'.split(
    ' ',
  ),
);
/** Whose something is, or who does it. */
const WHOSE = new Set('he her his i my our she their they we you your'.split(' '));
const FIGURES = new Map(ENGLISH_NUMBERS.map((word, n) => [word, `${n}`]));
for (const [word, figure] of [
  ['half', '0.5'],
  ['once', '1'],
  ['twice', '2'],
] as const)
  FIGURES.set(word, figure);

/** `The flag is on in production`, but not `it depends on`. */
const IS_SWITCHED = /(?<!\p{L})(?:is|are|turned|switched)\s$/iu;
const WHERE = /^\s(?:by|for|in|when)\s/iu;
/** After these a capital is that of a name, though a full stop stands before it. */
const TITLE = /(?<!\p{L})(?:dr|fr|hr|mr|mrs|ms|prof|st)\.\s$/iu;

/** A sentence as it is compared, word by word: two that say the same come out equal. */
export function comparedWordsOf(sentence: ReadSentence): ComparedWord[] {
  const tokens = joined(sentence);
  return tokens.flatMap((token, at) => itemOf(token, at, { tokens, text: sentence.text }) ?? []);
}

/** The tokens of a sentence, `1,500`, `7,5` and `GitHub Actions` one each. */
function joined({ tokens, text }: ReadSentence): SentenceWord[] {
  const found: SentenceWord[] = [];
  for (const token of tokens) {
    const last = found.at(-1);
    const isOne = last && areOne(last, token, text.slice(last.end, token.start));
    if (isOne) found[found.length - 1] = { ...last, text: text.slice(last.start, token.end), end: token.end };
    else found.push(token);
  }
  return found;
}

function areOne(a: SentenceWord, b: SentenceWord, between: string): boolean {
  if (between === ',') return /\d$/u.test(a.text) && /^\d/u.test(b.text);
  return between === ' ' && classOf(`${a.text} ${b.text}`.toLowerCase()) !== undefined;
}

/** Whether a word denies, such as `not` or `never`. */
export const isNo = ({ kind }: ComparedWord): boolean => kind === 'no';

function itemOf(
  token: SentenceWord,
  at: number,
  { tokens, text }: Pick<ReadSentence, 'tokens' | 'text'>,
): ComparedWord | undefined {
  const word = token.text.toLowerCase().replaceAll('’', "'").replace(/'s$/u, '');
  const item = (kind: string, norm = word): ComparedWord => ({ token, norm, kind });
  if (NO.test(word)) return item('no', 'not');
  if (/\/\p{L}/u.test(word)) return item('path');
  const figure =
    word === 'one' && !isCounting(tokens[at + 1], text.slice(0, token.start)) ? undefined : FIGURES.get(word);
  if (figure !== undefined) return item('figure', figure);
  if (at > 0 && /^[A-HJ-Z]$/u.test(token.text)) return item('figure');
  const [before, behind] = [text.slice(0, token.start), text.slice(token.end)];
  const named = /^(?:may|march)$/u.test(word) && /^\p{Lu}/u.test(token.text) ? 'month' : classOf(word);
  if (
    named !== undefined &&
    (!STOP_WORDS.has(word) || isAtEnd(behind) || (IS_SWITCHED.test(before) && WHERE.test(behind)))
  )
    return item(
      named,
      named === 'span'
        ? word.replace(/s$/u, '')
        : named === 'month'
          ? `${MONTH_OF.get(word)}`
          : dayName(word),
    );
  if (/\d/u.test(word)) return item('figure', figureOf(word));
  if (SIDES.has(word) || (at === 0 && WHOSE.has(word))) return item('word');
  if (!token.says) return undefined;
  return item(token.shape === 'word' && !TITLE.test(before) ? 'word' : 'name', token.term);
}

/** `08:00` is 8:00, `1,500` is 1500, `3rd` is 3. */
function figureOf(word: string): string {
  return word
    .replace(/(?<=\d)(?:st|nd|rd|th)$/u, '')
    .replace(/^0+(?=\d[:.h]|\d\d[:h])/u, '')
    .replace(/^(\d{1,3}),(?=\d{3}$)/u, '$1')
    .replace(/^(\d+)[.,]0+$/u, '$1');
}

/** `One approval`, but not `the one at the door`. */
function isCounting(next: SentenceWord | undefined, before: string): boolean {
  return next?.says === true && !/(?:the|this|that|which|no|every|each|any)\s$/iu.test(before);
}

/** Whether nothing follows but the end of a clause: `the heater is off`. */
function isAtEnd(behind: string): boolean {
  return /^\s*(?:$|[.,;:!)])/u.test(behind);
}
