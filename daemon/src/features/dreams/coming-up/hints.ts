import { MONTHS, WEEKDAYS } from '../../../language/date-names.ts';
import { COUNTS, ORDINALS } from '../../../language/number-words.ts';
import { knownNames } from '../notes/known-names.ts';

// Which memories may name a day that is still ahead. It lets far too many through on purpose: what reads them afterwards is a model.

const DAY = 86_400_000;

/** Where a text may name a day to come (`start`, in UTF-16 units), and the last day that this may mean (`until`, in ms since 1970). */
export interface Hint {
  readonly start: number;
  readonly until: number;
}

interface Kind {
  readonly pattern: RegExp;
  /** The days that a match may mean, first and last; undefined where it means none. */
  reach(match: RegExpExecArray, time: number): readonly [from: number, until: number] | undefined;
}

const oneOf = (names: Readonly<Record<string, number>>): string => Object.keys(names).join('|');
const words = (said: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${said})(?![\\p{L}\\p{N}])`, 'giu');
const within = (days: number) => (_: RegExpExecArray, time: number) => [time, time + days * DAY] as const;

const UNIT_DAYS: readonly (readonly [RegExp, number])[] = [
  [/^(?:d|t|j|g|días)/iu, 1],
  [/^(?:w|sem|fortn)/iu, 7],
  [/^(?:mo|mes|mois|maand)/iu, 31],
  [/^(?:y|jahr|jaar|an|añ)/iu, 366],
];
const UNIT =
  'days?|weeks?|fortnights?|months?|years?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?|dagen?|weken|maand(?:en)?|jaar|jours?|semaines?|mois|ans?|años?|días?|semanas?|mes(?:es)?|giorni|settimane|mesi|dias';
/** Words that stand for another count of days than they say: as late as a few weeks, so that none is lost. */
const FEW = 'few|several|some|half a|einige[nr]?|quelques|unos';
const COUNT = `\\d{1,3}|${oneOf(COUNTS)}|(?:twenty|thirty|forty|sixty|ninety)-\\p{L}+|hundred|${FEW}`;
/** Months whose names mean something else in small letters. */
const ALSO_A_WORD = /^(?:may|march|mar|sept|jan|dec|dez|apr|jun|jul|oct|nov|feb|aug|mai|sep)$/u;

const KINDS: readonly Kind[] = [
  {
    pattern: /(?<!\d)(20\d\d)(?:-(\d\d))?(?!\d)/gu,
    reach([, year, month]) {
      const from = Date.UTC(Number(year), month === undefined ? 0 : Number(month) - 1, 1);
      return [from, month === undefined ? Date.UTC(Number(year) + 1, 0, 0) : from + 31 * DAY];
    },
  },
  {
    pattern: /(?<!\d)(\d{1,2})\/(\d\d)(?![\d/])/gu,
    reach: ([, month, year]) =>
      Number(month) >= 1 && Number(month) <= 12 && Number(year) >= 20
        ? [
            Date.UTC(2000 + Number(year), Number(month) - 1, 1),
            Date.UTC(2000 + Number(year), Number(month), 0),
          ]
        : undefined,
  },
  {
    // With a year behind it the first pattern, or that of years, knows better.
    pattern: words(`(${oneOf(MONTHS)})(?:\\.?,?\\s+(20\\d\\d))?`),
    reach([, name = '', year], time) {
      const month = MONTHS[name.toLowerCase()] ?? 0;
      if (year !== undefined) return [Date.UTC(Number(year), month, 1), Date.UTC(Number(year), month + 1, 1)];
      return ALSO_A_WORD.test(name) ? undefined : monthAhead(time, month);
    },
  },
  {
    pattern: /(?<![\d.,£€$:])(\d{1,2})[./-](\d{1,2})(?:\.|(?![\d.,]))/gu,
    reach([, a, b], time) {
      const reaches = [Number(b), Number(a)].flatMap((month, index) =>
        month >= 1 && month <= 12 && Number(index === 0 ? a : b) <= 31 ? [monthAhead(time, month - 1)] : [],
      );
      return reaches.length === 0 ? undefined : [time, Math.max(...reaches.map(([, until]) => until))];
    },
  },
  {
    pattern: words(`(${COUNT})(?:\\s+of)?(?:\\s+(?:more|full|whole|working))?\\s+(${UNIT})`),
    reach([, count = '', unit = ''], time) {
      const one = UNIT_DAYS.find(([pattern]) => pattern.test(unit))?.[1] ?? 31;
      const number = COUNTS[count.toLowerCase()] ?? Number(count);
      const days = (Number.isFinite(number) ? number : 99) * one;
      return [time, time + (days * 1.1 + 10) * DAY];
    },
  },
  {
    pattern: words(
      `${oneOf(WEEKDAYS)}|mon|tues?|wed|thurs?|fri|sat|sun|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|tomorrow|tonight|today|fortnight|weekend|next week|this week|morgen|übermorgen|heute|demain|mañana|domani|week`,
    ),
    reach: within(31),
  },
  {
    pattern: words(
      `(?:next|this|coming|of the) month|month['’]?s?[- ]end|end of (?:the |this |next )?(?:month|week)|the\\s+(?:\\d{1,2}(?:st|nd|rd|th)|${oneOf(ORDINALS)})|\\d{1,2}(?:st|nd|rd|th)|(?:am|bis|zum|vor dem|le|avant le|el|den|il)\\s+\\d{1,2}\\.?|monatsende|ende (?:des|dieses|der|dieser) (?:monats|woche)|nächste[nr]? (?:woche|monats?)|mois prochain|fin du mois|fin de mes|eind(?:e)? van de maand`,
    ),
    reach: within(66),
  },
  { pattern: words('quarter|term|half-?term|semester|quartal|trimestre'), reach: within(190) },
  {
    pattern: words(
      "next year|(?:end of|this) (?:the |this )?year|year['’]?s?[- ]end|(?:next|this|coming|in|by|until|till|before|for|end of|early|late|over)\\s(?:the\\s)?(?:coming\\s)?(?:spring|summer|autumn|fall|winter)|christmas|xmas|advent|easter|new year\\p{L}*|new year['’]s(?: eve| day)?|hogmanay|halloween|whitsun|pentecost|ramadan|eid|hanukkah|passover|thanksgiving|ende (?:des|dieses|nächsten) (?:jahres|quartals)|weihnachten|ostern|pfingsten|silvester|jahresende|noël|pâques|navidad|nochevieja|kerst\\p{L}*|pasen|natale|pasqua",
    ),
    reach: within(400),
  },
  {
    pattern: /(?<!\d)(?:\d{1,2})\s?[月日号號]/gu,
    reach: within(366),
  },
  {
    // The name of a month in a language of which we know none: `15 grudnia`.
    pattern: /(?<![\d.,:/-])([12]?\d|3[01])\.?\s(?:de\s)?([\p{Ll}\p{Lo}]{3,})/gu,
    reach: ([, , word = ''], time) =>
      MONTHS[word] === undefined && (/[^\u0000-\u024f]/u.test(word) || !knownNames().isOrdinary(plain(word)))
        ? [time, time + 366 * DAY]
        : undefined,
  },
];

function plain(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function monthAhead(time: number, month: number): readonly [number, number] {
  const now = new Date(time);
  const year = now.getUTCFullYear() + (month < now.getUTCMonth() ? 1 : 0);
  return [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)];
}

/** The places where a text that was written at `time` may name a day from `first` to `last` (all in ms since 1970), in order. */
export function hintsIn(text: string, time: number, [first, last]: readonly [number, number]): Hint[] {
  const found: Hint[] = [];
  for (const { pattern, reach } of KINDS)
    for (const match of text.matchAll(pattern)) {
      const reached = reach(match, time);
      if (reached && reached[1] >= first && reached[0] <= last)
        found.push({ start: match.index, until: reached[1] });
    }
  return found.sort((a, b) => a.start - b.start);
}
