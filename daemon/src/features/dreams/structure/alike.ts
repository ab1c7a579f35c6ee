import { DAY_OF, MONTH_OF } from '../../../language/date-names.ts';
import { foldText } from '../../../language/words/words.ts';
import { byAge, type Note, type NoteSentence, type Quote } from './notes.ts';
import { isGrammar, plainText, tellsPast, type Word, wordsIn } from './words.ts';

/** Words of a sentence; words that tell beside the value; words before it; notes that say it, of which more are a series. */
const LENGTH = { from: 4, to: 40, tell: 2, before: 2, notes: 3 } as const;

/** What a note says, and that of which there is one. */
export interface Side extends Quote {
  readonly value: string;
}

/** What is said with a value, and by whom. */
export type Sides = Map<string, Side[]>;

/** Adds who says something; of many sides only so many are kept that one sees that they are many. */
export function addSide(sides: Sides, id: string, side: Side): void {
  const list = sides.get(id);
  if (!list) sides.set(id, [side]);
  else if (list.length <= LENGTH.notes) list.push(side);
}

/** Two notes, the older first, of which each says one thing with one of two values; three values, or two in one note, are a series. */
export function pairOf(sides: readonly Side[]): readonly [Side, Side] | undefined {
  const sorted = sides.toSorted((a, b) => byAge(a.note, b.note));
  const byValue = new Map(sorted.map((side) => [plainText(side.value), side]));
  const [one, other] = [...byValue.values()].sort((a, b) => byAge(a.note, b.note));
  const isPair = byValue.size === 2 && new Set(sides.map(({ note }) => note)).size === sides.length;
  if (!one || !other || !isPair || sides.length > LENGTH.notes) return undefined;
  const areOfDays = sides.filter(({ note }) => note.ownDay !== undefined).length > 1;
  return areOfDays ? undefined : [one, other];
}

/** Finds sentences worded alike but for one figure, time, day, identifier or name, or for a `not`. */
export function alikeIn(all: readonly Note[]): (readonly [Side, Side])[] {
  const sides: Sides = new Map();
  for (const { sentences } of all) for (const one of sentences) addSlots(sides, one);
  return [...sides.values()].flatMap((group) => {
    const pair = pairOf(group);
    const [{ text, value }] = pair ?? [{ text: '', value: '' }];
    const isNone = isVersion(value) || tellsPast(text);
    return pair && !isNone ? [pair] : [];
  });
}

/** A number of things that grows: `81,400`. */
export function isCount(value: string): boolean {
  return /\d[., ’']\d{3}(?!\d)/u.test(value);
}

/** Of a version, or a whole date, there is another one later. */
function isVersion(value: string): boolean {
  return /^v\d|^\d+\.\d+\.\d+|(?:19|20)\d\d/u.test(value);
}

/** `Is not insured`. */
const NO = /^(?:not|no|never|nicht|kein\p{L}*|nie|pas|jamais|nunca|non|niet|geen|nooit|não)$/iu;

/** Adds a sentence without each run of values that it states, and without its `not`. */
function addSlots(sides: Sides, { of: note, text, path, task }: NoteSentence): void {
  // What a later sentence is about stands in those before.
  const isAlone = path.length > 0 || note.sentences[0]?.text === text;
  const words = isAlone && task === undefined && !/\?\s*$/u.test(text) ? wordsIn(text) : [];
  if (words.length < LENGTH.from || words.length > LENGTH.to) return;
  const add = (left: readonly Word[], value: string, kind: string) =>
    addSide(sides, [kind, path.at(-1), ...left.map((word) => word.text.toLowerCase())].join(' '), {
      note,
      text,
      value,
    });
  const said = words.filter((word) => !NO.test(word.text));
  add(said, said.length < words.length ? 'no' : 'yes', 'no');
  const isBorder = (at: number) =>
    words[at]?.kind === 'word' || /[:;,]/u.test(text.slice(words[at - 1]?.end, words[at]?.start));
  for (const [at, { kind, start }] of words.entries()) {
    if (kind === 'word' || (!isBorder(at) && words[at - 1]?.kind !== 'word') || at < LENGTH.before) continue;
    const length = words.slice(at + 1).findIndex((_, further) => isBorder(at + 1 + further));
    const end = length < 0 ? words.length : at + 1 + length;
    const left = [...words.slice(0, at), ...words.slice(end)];
    const value = text.slice(start, words[end - 1]?.end);
    const states = kind === 'name' ? IS : /\d[:.h]\d\d/u.test(value) ? STATES : STATES_FIGURE;
    if (
      states.test(text.slice(0, start)) &&
      !isOnce(value) &&
      left.filter((word) => !isGrammar(word)).length >= LENGTH.tell
    )
      add(left, value, `value ${at}`);
  }
}

/** A day, of which there are many; `Tuesdays` are none. */
function isOnce(value: string): boolean {
  return value
    .split(/\s+/u)
    .some((word) => MONTH_OF.has(foldText(word).toLowerCase()) || DAY_OF.has(foldText(word).toLowerCase()));
}

const VERB =
  'is|are|has|have|takes?|costs?|opens?|closes?|starts?|ist|sind|hat|kostet|läuft|steht|est|sont|a|coûte|es|son|tiene|cuesta|è|sono|ha|costa|kost|heeft|é|são|tem|custa';
/** Right behind these a name stands that is the one of its kind. */
const IS =
  /(?:(?<!\p{L})(?:is|ist|heißt|est|es|è|é|called|named|with|in|on|at|to)|[:=])\s*(?:(?:the|der|die|das|le|la|el|il|o|mrs?|ms|miss|dr|herr|frau|mme|m)\.?\s)*$/iu;
/** Something is stated already: by a verb, or before a colon. */
const STATES = new RegExp(
  String.raw`[:=]\s*\S*$|(?<!\p{L})(?:${VERB})(?!\p{L})|(?<=\p{L}\s)\p{Ll}{2,}(?:s|t\sum)\s`,
  'iu',
);
/** The same of a figure, which behind a noun numbers a thing: `chapter 3` is another one than `chapter 4`. */
const STATES_FIGURE = new RegExp(
  String.raw`${STATES.source}|(?<!\p{L})(?:at|on|to|in|against|above|below|after|before|every|um|am|auf|bei|alle|à|le|las|los|om|op)(?!\p{L})`,
  'iu',
);
