import type { DateAhead } from './due-dates.ts';
import type { ReadSentence } from './reading.ts';

const words = (said: string): RegExp => new RegExp(`(?<!\\p{L})(?:${said})(?!\\p{L})`, 'iu');

/** A weekday without more: it may be that of a habit, or the one before. */
const WEEKDAY =
  /^(?:on |by |until |till |before |for )?(?:the )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|afternoon|evening|night|noon|lunchtime))?$/iu;
const OF_DAY =
  /^(?:on|by|until|till|before|for|to|due|from)\s|(?<!\p{L})(?:on|by|until|till|before|for|to|due|from)(?: the)?\s$/iu;
const LIMIT = /^(?:by|until|till|before|due)\s|(?<!\p{L})(?:by|until|till|before|due)(?: the)?\s$/iu;
/** `The second Tuesday` is one of each month, and Good Friday no Friday. */
const WHICH_ONE = /(?:first|second|third|fourth|last|other|alternate|good|whit|easter|palm|black)\s$/iu;
const CLOCK = /^,?\s(?:at\s)?\d{1,2}[:.]\d\d(?!\d)/u;
const HABITUAL = /^(?:s|(?: (?:morning|afternoon|evening|night)s))(?!\p{L})/iu;
const TO_COME = words(
  "will|['’]ll|going to|must|has to|have to|needs?|wants?|comes?|coming|arrives?|arriving|takes place|starts?|begins?|meets? (?:me|us|him|her|them)|visits?|due|delivery|delivered|appointment|blood test|service for|servicing|scan|parents['’] evening|dentist|doctor|vet|interview|exam|inspection|engineer|booked|scheduled|moved|postponed|fetch(?:es)?|collects?|picks? up|brings?|flies|leaves|moves|is on|are on|to be|tomorrow|remember|don['’]t forget|promised|deadline",
);
const ASKS =
  /(?:^|, )(?:\p{L}+: )?(?:please |then |and )?(?:ring|call|phone|return|send|bring|book|buy|pay|collect|pick|fetch|take|post|hand|submit|ask|tell|remind|meet|check|prepare|move|put|get|finish|order|renew|cancel|drop|sign|write|email|visit|show|give|let|clear|deploy|release|ship|merge|review|update|test|go to)(?!\p{L})/iu;
const HABIT = words('always|usually|normally|as a rule|closes|opens|ends at|weekly|when(?:ever)?');
/** `Nordlys pays within 30 days` says how somebody is, and `answered within a week` how long it took. */
const TAKES = words(
  '(?:pays|(?<=\\p{Ll} and )pay|answers|replies|responds|delivers|ships|settles|paid|took|came|arrived|\\p{Ll}{3,}ed)(?: (?:up|back|out|off|us|me|it|them))?(?: usually| always| mostly)? (?:with)?in (?:an?|the|\\p{L}+|\\d+)(?: (?:working|business|more))? (?:days?|weeks?|months?)',
);
const COUNTED = /^(?:in|within|inside|dans|sous|binnen|innerhalb|dentro)\s/iu;
/** `The Dice Cellar has 14 days to pay an invoice`. */
const TERMS = words('(?:has|have) (?:\\p{L}+|\\d+) (?:days|weeks) to \\p{L}+ (?:an?|each|every)');
/** What takes hours is no day. */
const HOURS = /(?<!\p{L})(?:hours?|minutes?|seconds?|stunden?|minuten?|heures?)(?!\p{L})/iu;
/** The tenth of each month. */
const MONTHLY = /^\s?of (?:the (?:following |same |current )?|each |every |a )month/iu;
const OF_THE_MONTH =
  /(?:\d(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) of the month$/iu;
const PAST = words(
  '\\p{Ll}{3,}ed|was|were|had|did|went|came|got|took|told|said|sent|paid|met|rang|bought|wrote|made|gave|found|saw',
);

/**
 * Whether a day that is said without its date is one of a habit, or of what has happened: `lesson ends at noon on Wednesdays`, `a long talk on
 * Sunday`. Of the weekdays of notes on which nothing was due, nine of ten had no word of what is to come.
 */
export function isHabitOrStory({ text, foreign }: ReadSentence, date: DateAhead, time: number): boolean {
  const [before, after] = [text.slice(0, date.start), text.slice(date.end)];
  if (TERMS.test(text) || MONTHLY.test(after) || OF_THE_MONTH.test(date.text)) return true;
  if (HOURS.test(date.text) || (COUNTED.test(date.text) && TAKES.test(text))) return true;
  const isThisMonth =
    date.grain === 'month' &&
    new Date(time).toISOString().slice(0, 7) === new Date(date.on).toISOString().slice(0, 7);
  if (isThisMonth && PAST.test(text)) return true;
  if (foreign || !WEEKDAY.test(date.text)) return false;
  if (WHICH_ONE.test(before) || HABITUAL.test(after) || HABIT.test(text)) return true;
  if (LIMIT.test(date.text) || LIMIT.test(before)) return false;
  const isOnDay = OF_DAY.test(date.text) || OF_DAY.test(before) || CLOCK.test(after);
  return !isOnDay || !(TO_COME.test(text) || ASKS.test(text));
}
