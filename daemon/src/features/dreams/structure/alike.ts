import { says } from '../../../language/grammar.ts';
import { type Note, type NoteSentence, notesOf } from './notes.ts';
import type { DreamView } from '../strategies/strategy.ts';
import { isGrammar, tellsPast, type Word, wordsIn } from './words.ts';

/** Words of a sentence; words that tell beside the value, and words before it. */
const LENGTH = { from: 4, to: 40 } as const;
const BESIDE = { tell: 2, before: 2 } as const;
/** Notes that say a sentence with a value; in more of them it is a series. */
const MOST_SIDES = 3;
/** Behind these a name stands that is the one of its kind. */
const IS =
  /(?:(?<!\p{L})(?:is|are|ist|sind|heißt|est|es|è|é|called|named|with|in|on|at|to)|[:=])\s*(?:(?:the|der|die|das|le|la|el|il|o|mrs?|ms|miss|dr|herr|frau|mme|m)\.?\s)*$/iu;

/** One sentence of each of two notes that say the same but for one value. */
export interface AlikePair {
  readonly sentences: readonly [NoteSentence, NoteSentence];
  readonly values: readonly [string, string];
}

interface Sided {
  readonly sentence: NoteSentence;
  readonly value: string;
}

/** Finds sentences worded alike but for one figure, time, day, identifier or name, where no third value makes it a series. */
export function alikeIn(view: DreamView): AlikePair[] {
  const slots = new Map<string, Sided[]>();
  for (const note of notesOf(view).all)
    for (const sentence of note.sentences)
      for (const { key, value } of slotsOf(sentence)) {
        const list = slots.get(key);
        if (!list) slots.set(key, [{ sentence, value }]);
        else if (list.length <= MOST_SIDES) list.push({ sentence, value });
      }
  return [...slots.values()].flatMap((sides): AlikePair[] => {
    const notes = new Set(sides.map(({ sentence }) => sentence.of));
    const values = [...new Set(sides.map(({ value }) => value))];
    if (values.length !== 2 || notes.size < 2 || sides.length > MOST_SIDES || notes.size < sides.length)
      return [];
    const [a, b] = values.map((value) => sides.find((one) => one.value === value)?.sentence);
    const [one = '', other = ''] = values;
    if (!a || !b || !isAnother(one, other) || !areOfOneThing(a, b) || isReading(a.text)) return [];
    if (tellsPast(a.text) || says(a.text, 'imagined')) return [];
    return [{ sentences: [a, b], values: [one, other] }];
  });
}

/** A number of things that grows: `81,400`. */
export function isCount(value: string): boolean {
  return /\d[., ’']\d{3}(?!\d)/u.test(value);
}

/** What is measured or counted now and then. */
const MEASURED =
  /(?<!\p{L})(?:weigh(?:s|t)?|odometer|mileage|miles|stock|holds|stands? at|reading|sold|level|wiegt|gewicht|bestand|(?:zähler|kilometer|füll)?stand|pèse|poids|relevé|niveau|pesa|peso|nivel|livello|weegt|gewicht)(?!\p{L})/iu;
/** A figure with a unit behind a colon, and nothing stated. */
const FIGURE_LINE = /:\s[\d.,]+\s?(?:[%°]|\p{L})/u;

function isReading(text: string): boolean {
  return MEASURED.test(text) || FIGURE_LINE.test(text) || says(text, 'just-now') || isCount(text);
}

/** Each run of values in a sentence, with the sentence without it. */
function slotsOf(sentence: NoteSentence): { key: string; value: string }[] {
  const { text, task, path } = sentence;
  // What a later sentence is about stands in those before.
  if (path.length === 0 && sentence.of.sentences[0] !== sentence) return [];
  if (task !== undefined || /\?\s*$/u.test(text)) return [];
  const words = wordsIn(text);
  const isLimited = words.length >= LENGTH.from && words.length <= LENGTH.to;
  if (!isLimited) return [];
  const said = words.filter(({ text: word }) => !NO.test(word));
  const found = [
    {
      key: [path.at(-1) ?? '', ...said.map(exact), 'no'].join(' '),
      value: said.length < words.length ? 'no' : 'yes',
    },
  ];
  for (let at = 0; at < words.length; at++) {
    const kind = words[at]?.kind;
    if (kind === 'word' || words[at - 1]?.kind === kind) continue;
    let end = at + 1;
    while (words[end]?.kind === kind) end++;
    const run = words.slice(at, end);
    const others = [...words.slice(0, at), ...words.slice(end)];
    if (
      !isValue(text, run, words.slice(0, at)) ||
      others.filter((one) => !isGrammar(one)).length < BESIDE.tell
    )
      continue;
    found.push({
      key: [path.at(-1) ?? '', ...words.slice(0, at).map(exact), kind, ...words.slice(end).map(exact)].join(
        ' ',
      ),
      value: run.map(({ norm }) => norm).join(' '),
    });
  }
  return found;
}

/** `Is not insured`. */
const NO = /^(?:not|no|never|nicht|kein\p{L}*|nie|pas|jamais|nunca|non|niet|geen|nooit|não)$/iu;
const exact = ({ text }: Word): string => text.toLowerCase();

/** Whether the words are what a sentence states, and not what it is about: `chapter 3` is another one than `chapter 4`. */
function isValue(text: string, run: readonly Word[], before: readonly Word[]): boolean {
  const [first] = run;
  if (!first || before.length < BESIDE.before) return false;
  const said = text.slice(0, first.start);
  if (first.kind === 'name') return IS.test(said);
  // Behind the noun that it numbers, before anything was stated, it names that thing.
  return STATES.test(said);
}

/** Something is stated already: a verb, a preposition behind what it is about, a colon. */
const STATES =
  /[:=]\s*\S*$|(?<!\p{L})(?:is|are|has|have|takes?|costs?|ist|sind|hat|kostet|läuft|steht|est|sont|a|coûte|es|son|tiene|cuesta|è|sono|ha|costa|kost|heeft|é|são|tem|custa|at|on|to|in|against|above|below|after|before|every|um|am|auf|bei|alle|à|le|las|los|los|om|op)(?!\p{L})|(?<=\p{L}\s)\p{Ll}{2,}s\s/iu;

/** Of a version, or a day, there is another one later. */
function isAnother(a: string, b: string): boolean {
  const isVersion = (value: string) => /^v\d|^\d+\.\d+\.\d+/u.test(value);
  const isDated = (value: string) => /(?:19|20)\d\d/u.test(value);
  return !isVersion(a) && !isVersion(b) && !(isDated(a) && isDated(b));
}

/** Whether the notes may speak of one thing at one time: no pages of days, no word of a change, and neither has the value of the other. */
function areOfOneThing({ of: a }: NoteSentence, { of: b }: NoteSentence): boolean {
  return a.ownDay === undefined && b.ownDay === undefined && !tellsChange(a) && !tellsChange(b);
}

/** Whether a note says that something is no longer as it was. */
export function tellsChange({ memory: { value } }: Note): boolean {
  return value.length < 1_500 && (says(value, 'formerly') || says(value, 'moved') || says(value, 'used-to'));
}
