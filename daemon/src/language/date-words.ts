import { DAY_OF, MONTH_OF, NEEDS_FEIRA } from './date-names.ts';

/** A word as it stands in a text, and folded in small letters. */
interface WrittenWord {
  readonly text: string;
  readonly written: string;
  /** It has the capital of a name. */
  readonly isName: boolean;
}

/** A month, a weekday or a year; `may` and `march` with a capital only, and no `segunda`, which is a number, too. */
export function isDateWord({ text, isName, written }: WrittenWord): boolean {
  // Without its cedilla `março` is a first name.
  if (text === 'marco') return /ç/iu.test(written.normalize('NFC'));
  if (text === 'may' || text === 'march') return isName;
  return (
    MONTH_OF.has(text) ||
    (dayOf(text) !== undefined && !NEEDS_FEIRA.has(text)) ||
    /^(?:19|20)\d\d$/.test(text)
  );
}

/** The weekday of a word, also where it is said of each week: `Mondays`; `lunes` ends so by itself. */
function dayOf(word: string): number | undefined {
  return DAY_OF.get(word) ?? DAY_OF.get(word.replace(/s$/, ''));
}

/** Whether a moment, in UTC, lies in the month or the year or on the weekday that a word names. */
export function isWithin(word: string, iso: string): boolean {
  const time = new Date(iso);
  return (
    MONTH_OF.get(word) === time.getUTCMonth() ||
    dayOf(word) === time.getUTCDay() ||
    word === String(time.getUTCFullYear())
  );
}
