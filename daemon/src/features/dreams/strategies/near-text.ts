import type { ReadMemory } from './reading.ts';

/** A text as exact duplicates are compared: compatibility forms, lower case, letters and digits, what joins digits. */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/(?<=\d)[.,:/-](?=\d)/gu, (mark) => mark)
    .replaceAll(/[^\p{L}\p{N}.,:/%+€$£#@_-]+/gu, ' ')
    .replaceAll(/[.,:/-]+(?=\s|$)|(?<=^|\s)[.,:/-]+/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

const NEGATION =
  /(?:^|[^\p{L}])(?:not|no|never|none|nothing|nobody|neither|nor|without|cannot|\p{L}+n['’]t|nicht|kein(?:e[nmrs]?)?|nie|pas|jamais|hardly|no longer)(?![\p{L}])/giu;

/** How often a text says no. */
export function negationsOf(text: string): number {
  return text.match(NEGATION)?.length ?? 0;
}

const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, n) => [word, String(n)]),
);

export function isNumberWord(word: string): boolean {
  return word.length <= 6 && NUMBER_WORDS.has(word.toLowerCase());
}

const FIGURE = /[\p{L}\p{N}_]*\d[\p{L}\p{N}_]*(?:[.,:/-]\d+)*|\p{L}+/gu;

/** What two memories must have alike to say the same: numbers, identifiers, months and weekdays, sorted. */
export function figuresOf(memory: ReadMemory): string {
  const found: string[] = [];
  for (const sentence of memory.sentences) {
    const text = sentence.text.normalize('NFKC');
    for (const { 0: word, index } of text.matchAll(FIGURE)) {
      const lower = word.toLowerCase();
      if (LABEL.test(word) && isLabel(text, word, index)) found.push(`#${lower}`);
      else if (/\d/u.test(word))
        found.push(lower.replaceAll(/[,:](?=\d)/gu, '.').replace(/(?<=\d)(?:st|nd|rd|th)$/u, ''));
      else if (CALENDAR.has(lower)) found.push(lower.slice(0, 3));
      else if (PARTS.has(lower)) found.push(PARTS.get(lower) ?? '');
      else if (NUMBER_WORDS.has(lower)) found.push(NUMBER_WORDS.get(lower) ?? '');
    }
  }
  // `one` is as often an article or a pronoun as a number.
  return found
    .filter((figure) => figure !== '1')
    .sort()
    .join(' ');
}

/** Numbers that may be something else: no unit follows them. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['half', '0.5'],
  ['quarter', '0.25'],
  ['dozen', '12'],
  ['twice', '2'],
]);

const LABEL = /^(?:\p{Lu}|AB)$/u;

/** Whether a capital letter is a name by itself, as in `blood group A` and `gate C`: no initial, no article, no pronoun. */
function isLabel(text: string, letter: string, at: number): boolean {
  const [before, after] = [text.slice(0, at), text.slice(at + letter.length, at + letter.length + 2)];
  return letter !== 'I' && /\p{Ll}{2} $/u.test(before) && /^(?:$|[,;:)]|\.$|\. ?$| \p{Ll})/u.test(after);
}

const CALENDAR = new Set(
  `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
  january february march april june july august september october november december`.split(/\s+/),
);

/** Words that tell sides apart: two texts that differ in one of them speak of two things. */
const SIDES = new Set(
  `left right front back rear upper lower top bottom north south east west upstairs downstairs old new older younger first second third
  staging production prod dev test live local remote internal external public private in out on off up down before after open closed
  morning evening night noon spring summer autumn winter hot cold min max minimum maximum enabled disabled read write upload download
  always never all none more less earlier later start end buy sell add remove mine yours his her primary secondary big small
  mother father mum dad brother sister son daughter`
    .split(/\s+/)
    .filter(Boolean),
);

/** Of them, what is as often a verb that asks for something: only against another word it is a side. */
const VERBS = new Set('read write upload download start end buy sell add remove open'.split(' '));

/** Whether a word stands on one side of an opposition; `alone`, where the other text has no word in its place. */
export function isSide(word: string, alone: boolean): boolean {
  return takesSides(word) && !(alone && VERBS.has(word));
}

/** Whether a word stands on one side of an opposition. */
export function takesSides(word: string): boolean {
  return SIDES.has(word);
}

const OUTAGE =
  /^(?:no|kein\p{Ll}*|still no) [^.:;]*?(?<![\p{L}])(?:from \S+ to|since|for \S+ (?:minutes|hours?|days)|until|between|all (?:day|morning|night))(?![\p{L}])/iu;

/** Whether a text tells of one day without a verb: `No hot water from seven to eight`. */
export function isOutage(text: string): boolean {
  return OUTAGE.test(text);
}
