import {
  date,
  frequency,
  MONTHS,
  numberWord,
  numeral,
  ORDINALS,
  quantity,
  SMALL,
  TENS,
  time,
  UNITS,
  WEEKDAYS,
} from './value-norms.ts';

/** A value in a sentence that another sentence could give otherwise. */
export interface Value {
  /** What it is a value of: values of different kinds are never compared. */
  readonly kind: string;
  /** As compared: two equal ones are the same value. */
  readonly norm: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Rule {
  readonly pattern: RegExp;
  read(groups: Record<string, string | undefined>): { kind: string; norm: string } | undefined;
}

/** Numbers that say which one is meant, not how much: ticket 4410. */
const NUMBERED =
  /^(?:ticket|issue|pr|mr|bug|line|order|invoice|page|chapter|episode|sprint|week|step|item|case|build|commit|revision|migration|adr|decision|error|http|bus|tram|route|question|lesson|level|part|stage|round|season|volume|section|appendix|table|figure|rule|task|day|article|paragraph)s?$/iu;
const MONTH = `(?<month>${Object.keys(MONTHS).join('|')})\\.?`;
const NUMBER_WORD = [...SMALL, ...Object.keys(TENS)].join('|');
const EDGE = '(?<![\\p{L}\\p{N}_.,:/#-])';
const END = '(?![\\p{L}\\p{N}_]|[.,:/-]\\p{N})';
const rule = (pattern: string, read: Rule['read'], flags = 'giu'): Rule => ({
  pattern: new RegExp(pattern, flags),
  read,
});

const RULES: readonly Rule[] = [
  rule(
    '(?:(?<![\\p{L}\\p{N}])ports?\\s(?:is\\s|=\\s?)?|(?:service|server|daemon|api|app|proxy)\\s(?:is|runs|answers|sits)\\s(?:now\\s)?(?:on|at)\\s|listens?(?:ing)?\\s(?:on\\s)?(?:port\\s)?|localhost:|127\\.0\\.0\\.1:|0\\.0\\.0\\.0:|(?<=\\s):)(?<port>\\d{2,5})(?![\\p{L}\\p{N}])',
    ({ port = '' }) => ({
      kind: 'port',
      norm: port,
    }),
  ),
  rule(`${EDGE}(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)(?!\\d)`, ({ year, month, day }) =>
    date(day, month, year),
  ),
  rule(`${EDGE}(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4})?(?!\\d)`, ({ year, month, day }) =>
    date(day, month, year),
  ),
  rule(
    `${EDGE}(?<day>\\d{1,2})(?:st|nd|rd|th|\\.|er)?\\s+(?:of\\s+)?${MONTH}(?:,?\\s+(?<year>(?:19|20)\\d\\d))?${END}`,
    ({ day, month, year }) => date(day, String(MONTHS[month?.toLowerCase() ?? '']), year),
  ),
  rule(
    `${EDGE}${MONTH}\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(?<year>(?:19|20)\\d\\d))?${END}`,
    ({ day, month, year }) => date(day, String(MONTHS[month?.toLowerCase() ?? '']), year),
  ),
  rule(
    `${EDGE}(?<hour>\\d{1,2})[:.h](?<minute>[0-5]\\d)\\s?(?<half>am|pm|uhr)?${END}`,
    ({ hour, minute, half }) => time(Number(hour), Number(minute), half),
  ),
  rule(`${EDGE}(?<hour>\\d{1,2})\\s?(?<half>am|pm|uhr|o['’]clock)${END}`, ({ hour, half }) =>
    time(Number(hour), 0, half),
  ),
  rule(
    `${EDGE}(?<part>half|quarter|five|ten|twenty)\\s+(?<side>past|to)\\s+(?<hour>${SMALL.join('|')})${END}`,
    ({ part, side, hour }) => {
      const minutes = { half: 30, quarter: 15, five: 5, ten: 10, twenty: 20 }[part?.toLowerCase() ?? ''] ?? 0;
      return time(
        SMALL.indexOf(hour?.toLowerCase() ?? '') + 1,
        side?.toLowerCase() === 'to' ? -minutes : minutes,
      );
    },
  ),
  rule(
    `(?<=\\bat\\s|\\bbefore\\s|\\buntil\\s|\\bafter\\s)(?<hour>${SMALL.join('|')})${END}(?!\\s+\\p{Ll}{3,}s\\b)`,
    ({ hour }) => time(SMALL.indexOf(hour?.toLowerCase() ?? '') + 1, 0),
  ),
  rule(
    `${EDGE}(?:(?<sign>[€$£])\\s?(?<before>\\d[\\d.,]*\\d|\\d)|(?<after>\\d[\\d.,]*\\d|\\d)\\s?(?<unit>€|\\$|£|euros?|eur|dollars?|usd|chf|francs?|pounds?))${END}`,
    ({ sign, before, after, unit }) => ({
      kind: `money`,
      norm: `${numeral(before ?? after ?? '')} ${(sign ?? unit ?? '').replace(/^(?:euros?|eur)$/iu, '€').toLowerCase()}`,
    }),
  ),
  rule(
    `${EDGE}(?<nth>${ORDINALS.join('|')}|\\d{1,2}(?:st|nd|rd|th|\\.))\\s+(?:floor|stock|etage|étage|storey)${END}`,
    ({ nth }) => {
      const index = ORDINALS.indexOf(nth?.toLowerCase() ?? '');
      return { kind: 'floor', norm: String(index >= 0 ? index : Number.parseInt(nth ?? '', 10)) };
    },
  ),
  rule(
    `${EDGE}(?:(?<word>weekly|daily|monthly|quarterly|yearly|annually|hourly|fortnightly|biweekly)|(?<times>once|twice|three times|four times) (?:a|per) (?<per>day|week|month|year)|every (?<other>other|second|third) (?<unit>day|week|month|year))${END}`,
    ({ word, times, per, other, unit }) => ({
      kind: 'frequency',
      norm: frequency({ word, times, per, other, unit }),
    }),
  ),
  rule(
    `${EDGE}(?<number>\\d[\\d,.]*\\d|\\d)\\s?(?<unit>${Object.keys(UNITS).join('|')})${END}`,
    ({ number, unit }) => quantity(numeral(number ?? ''), unit ?? ''),
  ),
  rule(
    `${EDGE}(?<number>${NUMBER_WORD})\\s(?<unit>${Object.keys(UNITS)
      .filter((unit) => unit.length > 2)
      .join('|')})${END}`,
    ({ number, unit }) => quantity(String(numberWord(number ?? '')), unit ?? ''),
  ),
  rule(
    `${EDGE}(?:half|½)\\s(?:of\\s)?(?:an?\\s)?(?<unit>${Object.keys(UNITS)
      .filter((unit) => unit.length > 3)
      .join('|')})${END}`,
    ({ unit }) => quantity('0.5', unit ?? ''),
  ),
  rule(`${EDGE}(?<day>${Object.keys(WEEKDAYS).join('|')})s?${END}`, ({ day }) => ({
    kind: 'weekday',
    norm: WEEKDAYS[day?.toLowerCase() ?? ''] ?? '',
  })),
];

/** Numbers without a unit of ours: counted things (`12 connections`) or labelled ones (`port 5432`, `Node 22`). */
const BARE = new RegExp(
  `${EDGE}(?<number>v?\\d+(?:[.,]\\d+)*|${NUMBER_WORD})(?:\\s(?:to|or|-)\\s\\d+)?(?![\\p{L}\\p{N}_]|[./:-]\\p{N}|\\.x)(?:\\s(?<unit>\\p{Ll}{3,}))?`,
  'giu',
);
const LABEL =
  /(?<label>[\p{L}][\p{L}\p{N}-]+)(?:\s+(?:number|no\.?|nr\.?|is|are|of|to|at|with|type|key in|enter|=))*\s*[:=#]?\s*["“']?$/iu;
const NO_UNIT = new Set(
  `and the for are was with from then that this when after before until till but not who also into onto plus per more less than because since while each via out
  und oder mit von bis für minus still now again today which never only just`.split(/\s+/),
);
const SECRET =
  /(?:password|passphrase|passcode|passwort|kennwort|ssid|licen[cs]e plate|plate|iban|policy|serial|hostname|branch|tag)(?:\s+(?:number|no\.?|is|now))*\s*[:=]?\s*["“`']?(?<value>[\p{L}\p{N}][\p{L}\p{N}_.@#!-]*\d[\p{L}\p{N}_.@#!-]*)/giu;

/** The values of a sentence, in order, none overlapping. */
export function valuesOf(text: string): Value[] {
  const found: Value[] = [];
  const add = (value: Value): void => {
    if (!found.some(({ start, end }) => value.start < end && start < value.end)) found.push(value);
  };
  for (const { pattern, read } of RULES)
    for (const match of text.matchAll(pattern)) {
      const value = read(match.groups ?? {});
      if (value) add({ ...value, text: match[0], start: match.index, end: match.index + match[0].length });
    }
  for (const match of text.matchAll(SECRET)) {
    const value = match.groups?.value ?? '';
    const start = match.index + match[0].lastIndexOf(value);
    add({ kind: 'secret', norm: value, text: value, start, end: start + value.length });
  }
  for (const match of text.matchAll(BARE)) {
    const bare = bareValue(text, match);
    if (bare) add(bare);
  }
  return found.sort((a, b) => a.start - b.start);
}

function bareValue(text: string, match: RegExpExecArray): Value | undefined {
  const { number = '', unit } = match.groups ?? {};
  const isWord = /^\p{L}{3,}$/u.test(number);
  const counts = unit !== undefined && !NO_UNIT.has(unit.toLowerCase()) ? unit.toLowerCase() : undefined;
  const label = LABEL.exec(text.slice(0, match.index))?.groups?.label?.toLowerCase();
  if ((isWord && counts === undefined) || (label !== undefined && NUMBERED.test(label))) return undefined;
  // `v3` of a format is part of its name.
  if (number.toLowerCase() === 'one' || /^v\d+$/iu.test(number)) return undefined;
  const norm = isWord ? String(numberWord(number)) : numeral(number.replace(/^v/iu, ''));
  return {
    kind: counts === undefined ? `label` : `count ${counts.replace(/s$/u, '')}`,
    norm:
      counts === undefined && label !== undefined && /^v?\d+\.\d/u.test(number)
        ? number.replace(/^v/iu, '')
        : norm,
    text: number,
    start: match.index,
    end: match.index + number.length,
  };
}
