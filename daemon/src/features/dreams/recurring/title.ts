import { saidIn } from '../../../language/grammar.ts';
import { MONTHS, WEEKDAYS } from '../../../language/date-names.ts';
import { ENGLISH_NUMBERS } from '../../../language/number-words.ts';
import { shorten } from '../notes/day-and-quote.ts';
import { tokensOf } from '../notes/reading.ts';
import type { TellingGroup } from './groups.ts';
import type { Occasion } from './occasions.ts';

const DAY = 86_400_000;
const LONGEST = 120;
/** More days are told by the first and the last. */
const LISTED = 6;
const COUNTS = ['no', 'once', 'twice', ...ENGLISH_NUMBERS.slice(3)];
const names = [...Object.keys(MONTHS), ...Object.keys(WEEKDAYS)]
  .sort((a, b) => b.length - a.length)
  .join('|');
/** A day, a month or a clock, with the words that lead to it. */
const DATE = new RegExp(
  `(?:(?<!\\p{L})(?:(?:late |early )?(?:on|in|at|since|of|am|im|le|du|dans la nuit du|night of|in the night of)\\s(?:the\\s)?)?(?:\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d)?Z?)?|\\d{1,2}(?:st|nd|rd|th|er|\\.)?\\s(?:of\\s|de\\s)?(?:${names})(?:,?\\s\\d{4})?|(?:${names})\\s\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s\\d{4})?|(?:${names})|\\d{1,2}[:.]\\d\\d)(?![\\p{L}\\d]))[,:]?`,
  'giu',
);

/** The title of something that recurs: `The heating failed three times: 3, 9 and 17 November`. */
export function titleOf(group: TellingGroup, occasions: readonly Occasion[], now: number): string {
  const label = shorten(labelOf(group), LONGEST);
  const count = COUNTS[occasions.length] ?? String(occasions.length);
  const times = `${count} times`;
  const days = occasions.every(
    ({ isTold }, index) => isTold || occasions[index - 1]?.day !== occasions[index]?.day,
  )
    ? daysOf(
        occasions.map(({ day }) => day * DAY),
        now,
      )
    : '';
  const when = days === '' ? '' : `: ${days}`;
  return /[,:]/u.test(label) ? `${label}: ${times}${when.replace(':', ',')}` : `${label} ${times}${when}`;
}

/** `3, 9 and 17 November`, `4 and 18 October and 1 November`, with the year where it is another. */
function daysOf(days: readonly number[], now: number): string {
  const said = (time: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(time);
  const isOther = days.some((day) => new Date(day).getUTCFullYear() !== new Date(now).getUTCFullYear());
  const inYear: Intl.DateTimeFormatOptions = isOther ? { month: 'long', year: 'numeric' } : { month: 'long' };
  const whole: Intl.DateTimeFormatOptions = { day: 'numeric', ...inYear };
  if (days.length > LISTED) return `from ${said(days[0] ?? 0, whole)} to ${said(days.at(-1) ?? 0, whole)}`;
  const byMonth = Map.groupBy(days, (day) => said(day, inYear));
  return listed(
    [...byMonth].map(
      ([month, of]) => `${listed(of.map((day) => String(new Date(day).getUTCDate())))} ${month}`,
    ),
  );
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

/** What happened in the words of a note: the sentence, or the part of one, that says it with the fewest other words. */
export function labelOf({ core, tellings }: TellingGroup): string {
  const parts = tellings.flatMap(({ sentence: { text } }) => {
    const whole = bare(text);
    return [whole, ...whole.split(/\s*[,;:—–]\s*/u)].filter((part) => part !== '');
  });
  const rated = parts.map((part) => {
    const terms = tokensOf(part).flatMap(({ says, term }) => (says ? [term] : []));
    const shared = new Set(terms.filter((term) => core.includes(term))).size;
    return { part, shared, other: terms.length - shared };
  });
  const [best] = rated.toSorted(
    (a, b) =>
      b.shared - a.shared ||
      a.other - b.other ||
      Number(/^\p{Lu}/u.test(b.part)) - Number(/^\p{Lu}/u.test(a.part)) ||
      b.part.length - a.part.length,
  );
  const label = best?.part ?? core.join(', ');
  return /^\p{Ll}+(?!\p{L}|[-.\d])/u.test(label) ? label.charAt(0).toUpperCase() + label.slice(1) : label;
}

/** Without its day, `again` and the number of a run. */
function bare(text: string): string {
  const cut = saidIn(text, 'again')
    .toReversed()
    .reduce(
      (said, { start, end }) => said.slice(0, start) + said.slice(end).replace(/^ time(?!\p{L})/u, ''),
      text,
    );
  return cut
    .replaceAll(DATE, ' ')
    .replaceAll(/^\s*(?:\p{L}+ )?#?\d+\s*:/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/\s+(?=[,.;:!])/gu, '')
    .replace(/^[\s,.;:–—-]+|[\s,.;:!–—-]+$/gu, '')
    .replace(/\s(?:on|in|at|the|for|a|an|am|le|du|since)$/iu, '')
    .trim();
}
