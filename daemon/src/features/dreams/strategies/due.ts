import type { FindDates } from '../../../language/dates.ts';
import { marksOf } from './marks.ts';
import type { ReadMemory, ReadSentence } from './reading.ts';

/** That something is due, or takes place, on a day still to come. */
export interface Due {
  readonly sentence: ReadSentence;
  /** The beginning of the day, milliseconds since 1970, UTC. */
  readonly on: number;
  /** How the text puts the date. */
  readonly said: string;
  readonly what: 'deadline' | 'end' | 'appointment' | 'start';
  /** The words that make it one. */
  readonly by: string;
}

const DAY = 86_400_000;
const words = (said: string): RegExp => new RegExp(`(?<![\\p{L}])(?:${said})(?![\\p{L}])`, 'iu');

const DEADLINE = words(
  'due(?: back| on| by)?|deadline|no later than|at the latest|must (?:be|have|reach|arrive)|has to be|have to be|have to|has to|needs? to be|submit|submitted|hand(?:ed)? in|hand it in|file[d]? by|pay(?:able)?|to be paid|cancel|give notice|notice|terminate|return(?:ed)? (?:it |them )?by|respond by|answer by|rsvp|register by|apply by|renew|renewal|renews|before .{0,30} (?:else|otherwise)|last day|closing date|reply|frist|fällig|spätestens|kündigen|bezahlen|abgeben|einreichen|abgabe|échéance|à payer|avant le|au plus tard|vence|book(?:ed)? by|order by|confirm(?:ed)? by|hand over|deliver(?:y|ed)?|wants? (?:it|them|the .{0,30}) by|remind(?:er)?|by the end of',
);
const END = words(
  'expires?|expiry|expiration|runs? out|lapses?|ends?|ending|valid (?:until|till|through)|good until|until|till|stops|end of life|eol|end of support|shuts? down|sunset|switch(?:es|ed)? off|turn(?:s|ed) off|discontinu(?:es|ed)|retires|läuft (?:am|bis|zum)?.{0,20}(?:ab|aus)|gültig bis|endet|expire|valable jusqu|caduca|warranty|guarantee|trial',
);
const APPOINTMENT = words(
  "appointment|appt|dentist|doctor|check-?up|inspection|service|exam|examination|interview|hearing|surgery|operation|vaccination|jab|booster|booked for|booked (?:me |us |him |her )?(?:in )?(?:for|on)|scheduled for|takes place|meeting with|notary|notaire|rendez-vous|termin|audit|review with|visit|mot|tüv|apk|hauptuntersuchung|blood test|scan|mri|x-ray|chimney sweep|meter reader|handover|viewing|departure|flight|flies|conference|parents['’] evening|wedding|course starts|comes on|coming on",
);
const WITHIN = words('within|binnen|innerhalb');
const START = words('from|starts?|begins?|goes live|moves?|go-live|takes effect|in force|ab');
/** What is over, did not come about, or is not said of one day to come. */
const NOT = words(
  "(?:every|each)\\s(?:other\\s|second\\s|third\\s|\\d+\\s)?(?:day|week|month|quarter|year|time|morning|evening|night|weekend|spring|summer|autumn|winter|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\p{L}*|if|would|might|maybe|perhaps|could|used to|was due|were due|had been due|already|(?:is|was|were|are|all|been|got) (?:done|paid|sent|settled|submitted|handed in|filed|delivered|returned|renewed|extended)|^(?:paid|sent|submitted|filed|returned|handed in|delivered)|(?:delivered|submitted|handed in|renewed|extended|paid|returned|filed|sent) on|cancelled|canceled|no longer|not due|never expires|does not expire|doesn[’']t expire|joke|novel|film|book about|dreamed|published|released in|founded|born|wurde|hypothetical|suppose|what if|idea|wish",
);

/** Dues of a memory, the dates without a year resolved towards the future of the memory. */
export function duesIn(memory: ReadMemory, { findDates, now }: { findDates: FindDates; now: number }): Due[] {
  const found: Due[] = [];
  for (const sentence of memory.sentences) {
    const { text } = sentence;
    const hasSign =
      DEADLINE.test(text) ||
      END.test(text) ||
      APPOINTMENT.test(text) ||
      START.test(text) ||
      WITHIN.test(text);
    if (!hasSign || text.length > 400) continue;
    const { question, hypothetical } = marksOf(text);
    if (question || hypothetical || NOT.test(text)) continue;
    for (const date of datesIn(text, memory.memory.time, findDates)) {
      const { on } = date;
      if (on < Math.floor(now / DAY) * DAY || on <= memory.memory.time - DAY) continue;
      const kind = kindOf(text, date.start, date.end);
      if (kind) found.push({ sentence, on, said: date.text, ...kind });
    }
  }
  return found;
}

interface DateSaid {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly on: number;
}

/** Days that a text names; `in six weeks` is the day six weeks after it was written, and `for six weeks` is none. */
function datesIn(text: string, time: number, findDates: FindDates): DateSaid[] {
  const spans = [...text.matchAll(SPAN)].flatMap((match) => {
    const on = afterSpan(match.groups ?? {}, time);
    return on === undefined
      ? []
      : [{ text: match[0], start: match.index, end: match.index + match[0].length, on }];
  });
  const dates = findDates(text, time, { direction: 'future' }).flatMap(
    ({ text: said, start, end, from, grain }) => {
      const isDay = grain === 'day' || grain === 'hour' || grain === 'minute';
      if (!isDay || /^(?:for|the next|the last|next few|these)\s/iu.test(said)) return [];
      return [{ text: said, start, end, on: Math.floor(from / DAY) * DAY }];
    },
  );
  return [
    ...spans,
    ...dates.filter(({ start, end }) => !spans.some((span) => start < span.end && span.start < end)),
  ];
}

const SPAN =
  /(?<!\p{L})(?:in|within|binnen|innerhalb von|dans)\s(?<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|ein(?:er|em)?|zwei|drei|vier|fünf|sechs|acht|zehn|deux|trois|quatre|six)\s(?<unit>days?|weeks?|months?|years?|tag(?:en)?|woche[n]?|monat(?:en)?|jours?|semaines?|mois)(?!\p{L})/giu;
const COUNTS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'a an one ein einer einem',
    'two zwei deux',
    'three drei trois',
    'four vier quatre',
    'five fünf',
    'six sechs',
    'seven',
    'eight acht',
    'nine',
    'ten zehn',
    'eleven',
    'twelve',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, index + 1])),
);

function afterSpan(
  { count = '', unit = '' }: Record<string, string | undefined>,
  time: number,
): number | undefined {
  const number = COUNTS[count.toLowerCase()] ?? Number(count);
  const day = Math.floor(time / DAY) * DAY;
  if (/^(?:d|t|j)/iu.test(unit)) return day + number * DAY;
  if (/^(?:w|s)/iu.test(unit)) return day + number * 7 * DAY;
  const date = new Date(day);
  const months = date.getUTCMonth() + (/^y/iu.test(unit) ? 12 : 1) * number;
  const last = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  return Date.UTC(date.getUTCFullYear(), months, Math.min(date.getUTCDate(), last));
}

/** The sign that stands nearest to a date; none where it is far away. */
function kindOf(text: string, start: number, end: number): { what: Due['what']; by: string } | undefined {
  const around = text.slice(Math.max(0, start - 70), Math.min(text.length, end + 50));
  for (const [what, pattern] of [
    ['deadline', DEADLINE],
    ['end', END],
    ['appointment', APPOINTMENT],
  ] as const) {
    const match = pattern.exec(around);
    if (match) return { what, by: match[0].toLowerCase() };
  }
  if (WITHIN.test(text.slice(start, end))) return { what: 'deadline', by: 'within' };
  const before = /\b(?:by|before|until|till|bis|avant)\s+(?:the\s+|\p{L}+day,?\s+)?$/iu.exec(
    text.slice(0, start),
  );
  return before ? { what: 'deadline', by: before[0].trim() } : undefined;
}
