import { DAY_OF, MONTH_OF } from '../../../language/date-names.ts';
import { listed } from '../../../language/word-lists.ts';

/** By word (`vs_code` is two): of a class, `parity: even odd`, one excludes the others where all else is said alike. */
let known: ReadonlyMap<string, string> | undefined;

/** The class, such as `month`, of the thing that a word (in small letters) names; undefined for most words. */
export function classOf(word: string): string | undefined {
  known ??= new Map(
    listed('dreams/classes').flatMap((line) => {
      const [name = '', members = ''] = line.split(': ');
      return members.split(' ').map((member) => [member, name] as const);
    }),
  );
  if (DAY_OF.has(dayName(word))) return 'weekday';
  return word !== 'may' && word !== 'march' && MONTH_OF.has(word)
    ? 'month'
    : known.get(word.replaceAll(' ', '_'));
}

/** A weekday's name in the singular: `mondays` is `monday`. */
export function dayName(word: string): string {
  return word.replace(/(?<=day|tag)s$/u, '');
}

/** Seconds of a span, by its word in the singular. */
const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
};

/** Seconds in so many of a span (`2`, `weeks`); undefined where the word names no span. */
export function secondsOf(count: string, span: string): number | undefined {
  const seconds = SECONDS[span.replace(/s$/u, '')];
  return seconds === undefined ? undefined : Number(count) * seconds;
}
