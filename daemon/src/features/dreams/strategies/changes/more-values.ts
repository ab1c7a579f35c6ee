import { numberWord, numeral, quantity, SMALL, TENS, UNITS } from '../value-norms.ts';
import { type Value, valuesOf } from '../values.ts';

const TEENS: Readonly<Record<string, number>> = {
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  seventy: 70,
  eighty: 80,
  hundred: 100,
};
const NUMBER = `(?:(?:${Object.keys(TENS).join('|')}|seventy|eighty)[- ](?:${SMALL.slice(0, 9).join('|')})|${Object.keys(TEENS).join('|')}|${[...SMALL, ...Object.keys(TENS)].join('|')}|\\d+)`;
const LONG_UNITS = Object.keys(UNITS).filter((unit) => unit.length > 2);
const EDGE = '(?<![\\p{L}\\p{N}_.,:/#-])';
const END = '(?![\\p{L}\\p{N}_])';
const rule = (pattern: string): RegExp => new RegExp(`${EDGE}${pattern}${END}`, 'giu');

const COUNTED = rule(`(?<number>${NUMBER})[ -](?:whole |full |more |long )?(?<unit>${LONG_UNITS.join('|')})`);
const OFTEN = rule(
  `(?<times>once|twice|three times|four times|five times|six times|ten times|\\d+ times|${NUMBER} times) (?:an?|per|every) (?<unit>second|minute|hour)`,
);
const PAID = rule(`(?<number>\\d[\\d.,]*\\d|\\d) ?(?<unit>quid|bucks|kronor|zloty|pence|p)`);
const NTH = rule(
  '(?<nth>second|third|fourth|fifth|sixth|seventh|eighth|tenth) (?:attempt|try|retry|failure|time|miss)',
);
const SHARP = rule(
  `(?<hour>${SMALL.join('|')}|\\d{1,2}) (?:sharp|o['’]clock|in the (?:morning|evening|afternoon))`,
);
const FORTNIGHT = rule('(?:a|one) fortnight');
const MANY = rule('(?<number>\\d[\\d.,]*) (?<unit>\\p{Ll}{3,}s)');
const PHONE = rule('(?<number>\\+?\\d{2,5}[ /-]\\d[\\d -]{3,10}\\d)');
/** What one types to get in. */
const CODE = rule(
  '(?<=(?:code|pin|combination|keypad|opens? with|opened with|disarmed with|unlocks? with|unlocked with|gets? in with|type|key in|keyed in|enter|dial)(?![\\p{L}])[^.;\\d]{0,28})(?<number>\\d{4,6})(?![.:/-]\\d)',
);
const NTHS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };

function numberOf(text: string): number {
  const lower = text.toLowerCase();
  if (/^\d+$/u.test(lower)) return Number(lower);
  const [tens = '', ones = ''] = lower.split(/[- ]/u);
  const first = TEENS[tens] ?? numberWord(tens);
  return ones === '' ? first : first + numberWord(ones);
}

const READERS: readonly (readonly [
  RegExp,
  (groups: Readonly<Record<string, string>>) => { kind: string; norm: string },
])[] = [
  [
    OFTEN,
    ({ times = '', unit = '' }) => {
      const count = { once: 1, twice: 2 }[times.toLowerCase()] ?? numberOf(times.replace(/ times$/iu, ''));
      return quantity(String((SECONDS[unit.toLowerCase()] ?? 1) / Math.max(1, count)), 's');
    },
  ],
  [COUNTED, ({ number = '', unit = '' }) => quantity(String(numberOf(number)), unit)],
  [FORTNIGHT, () => quantity('14', 'days')],
  [CODE, ({ number = '' }) => ({ kind: 'secret code', norm: number })],
  [PHONE, ({ number = '' }) => ({ kind: 'secret phone', norm: number.replaceAll(/\D/gu, '') })],
  [PAID, ({ number = '', unit = '' }) => ({ kind: 'money', norm: `${number} ${unit}` })],
  [NTH, ({ nth = '' }) => quantity(String(NTHS.indexOf(nth.toLowerCase()) + 1), 'times')],
  [
    MANY,
    ({ number = '', unit = '' }) => ({ kind: `count ${unit.replace(/s$/u, '')}`, norm: numeral(number) }),
  ],
  [SHARP, ({ hour = '' }) => ({ kind: 'time', norm: String((numberOf(hour) * 60) % 720) })],
];

/** A quick look whether a text has any number at all. */
const ANY =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|\p{L}+ty|hundred|once|twice|second|third|fourth|fifth|sixth|seventh|eighth|tenth|fortnight)\b/iu;

/** The values of a sentence, with those written in words beyond twelve, how often a minute, or as the fifth attempt. */
export function allValuesOf(text: string): Value[] {
  const known = valuesOf(text)
    .map(inOneUnit)
    .filter((value) => !isFromNow(value, text));
  if (!ANY.test(text)) return known;
  const isWeak = ({ kind }: Value): boolean => kind === 'label' || kind.startsWith('count ');
  const added: Value[] = [];
  const clashes = (value: Value, { start, end }: Value): boolean => value.start < end && start < value.end;
  for (const [pattern, read] of READERS)
    for (const { 0: found, index, groups = {} } of text.matchAll(pattern)) {
      const value = inOneUnit({ ...read(groups), text: found, start: index, end: index + found.length });
      if (
        !isFromNow(value, text) &&
        !Number.isNaN(Number.parseFloat(value.norm)) &&
        ![...known.filter((one) => !isWeak(one)), ...added].some((one) => clashes(value, one))
      )
        added.push(value);
    }
  if (added.length === 0) return known;
  return [...known.filter((one) => !added.some((value) => clashes(one, value))), ...added].sort(
    (a, b) => a.start - b.start,
  );
}

/** `In five months`, `two weeks ago`: when something is, and not how long it takes. */
function isFromNow({ kind, start, end }: Value, text: string): boolean {
  if (kind !== 'quantity duration') return false;
  return (
    (/(?<!\p{L})in $/iu.test(text.slice(0, start)) && /day|week|month|year/iu.test(text.slice(start, end))) ||
    /^ (?:ago|later)(?!\p{L})/iu.test(text.slice(end))
  );
}

/** Units of one measure, by how many of the first they are. */
const MEASURES: Readonly<Record<string, readonly [string, number]>> = {
  mg: ['g', 0.001],
  kg: ['g', 1000],
  l: ['ml', 1000],
  cm: ['mm', 10],
  m: ['mm', 1000],
  km: ['mm', 1_000_000],
  kb: ['mb', 0.001],
  gb: ['mb', 1000],
  tb: ['mb', 1_000_000],
  kw: ['w', 1000],
};

function inOneUnit(value: Value): Value {
  const [unit, times] = MEASURES[value.kind.replace(/^quantity /u, '')] ?? [];
  if (unit === undefined || times === undefined || !value.kind.startsWith('quantity ')) return value;
  return {
    ...value,
    kind: `quantity ${unit}`,
    norm: String(Number((Number(value.norm) * times).toPrecision(6))),
  };
}
