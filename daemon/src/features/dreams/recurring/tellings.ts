import { MONTHS, WEEKDAYS } from '../../../language/date-names.ts';
import { type GrammarList, pastIn, says, tellsPast } from '../../../language/grammar.ts';
import { findQuantities } from '../../../language/quantities.ts';
import { foldText } from '../../../language/words.ts';
import type { ReadMemory, ReadSentence, SentenceWord } from '../notes/reading.ts';
import { knownNames } from '../notes/known-names.ts';

/** A sentence that tells of something that happened. */
export interface Telling {
  readonly of: ReadMemory;
  readonly sentence: ReadSentence;
  /** What it says, without numbers and what only says when. */
  readonly terms: ReadonlySet<string>;
  /** Of these, those that name somebody or something. */
  readonly names: ReadonlySet<string>;
  /** The name with which it begins: of whom it is told. */
  readonly subject: string | undefined;
  /** It says that it is not the first of its kind. */
  readonly isAgain: boolean;
  /** What it says by a verb of the past. */
  readonly verbs: ReadonlySet<string>;
  /** It gives a measure, a sum or a version. */
  readonly hasFigure: boolean;
}

const LONGEST = 300;
/** Lists whose words are no happening. */
const ASIDE: readonly GrammarList[] = ['again', 'just-now'];
/** Times of day and counts say when and how often, not what. */
const WHEN = new Set(
  'night morning afternoon evening noon midnight nacht abend nuit time times once hour hours minute minutes day days week autumn spring summer winter fall'.split(
    ' ',
  ),
);

/** What a memory tells of as having happened: told in the past, as once more, or with its day; no plan, rule, habit or question. */
export function tellingsOf(memory: ReadMemory): Telling[] {
  return memory.sentences.flatMap((sentence) => {
    const { text } = sentence;
    if (text.length > LONGEST || isNothingThatHappened(text)) return [];
    const [isAgain, past] = [says(text, 'again'), pastIn(text)];
    if (!isAgain && past.length === 0 && !/\d/u.test(text) && !sentence.foreign && text.length > SHORT)
      return [];
    const content = sentence.tokens.filter(
      ({ says: tells, shape, text: word }) => tells && shape !== 'number' && !isWhen(word.toLowerCase()),
    );
    const terms = new Set(content.map(({ term }) => term));
    if (terms.size === 0) return [];
    const names = new Set(content.flatMap((token) => (isName(token) ? [token.term] : [])));
    const verbs = new Set(
      sentence.tokens.flatMap(({ term, start }) => (past.some((verb) => verb.start === start) ? [term] : [])),
    );
    const [first] = sentence.tokens;
    const subject = first && isName(first) ? first.term : undefined;
    return [{ of: memory, sentence, terms, names, subject, isAgain, verbs, hasFigure: hasMeasure(text) }];
  });
}

/** What could not be done has happened. */
const COULD_NOT = /(?:could|would) not/giu;
/** Without a verb of the past only what is as short as a heading tells of something: `Nosebleed after cycling.` */
const SHORT = 40;

function isNothingThatHappened(text: string): boolean {
  if (/\?\s*["”»)]*\s*$/u.test(text) || says(text.replaceAll(COULD_NOT, ''), 'imagined')) return true;
  return !tellsPast(text) && (says(text, 'to-come') || says(text, 'habitual'));
}

/** Also at the beginning of a sentence, where a capital says nothing: a word that no dictionary has. */
function isName({ shape, start, text }: SentenceWord): boolean {
  if (shape === 'name') return true;
  return (
    shape === 'word' &&
    start === 0 &&
    /^\p{Lu}\p{Ll}/u.test(text) &&
    !knownNames().isOrdinary(foldText(text).toLowerCase())
  );
}

function isWhen(word: string): boolean {
  const isOfCalendar = Object.hasOwn(MONTHS, word) || Object.hasOwn(WEEKDAYS, word);
  return isOfCalendar || WHEN.has(word) || ASIDE.some((list) => says(word, list));
}

/** A number with a unit or a currency, a version; a day, a clock or the number of a run is none. */
function hasMeasure(text: string): boolean {
  if (/\d\/\d/u.test(text)) return true;
  return findQuantities(text).some(
    ({ kind, unit, text: said }) => kind !== 'number' || unit !== '' || /[.,]\d/u.test(said),
  );
}
