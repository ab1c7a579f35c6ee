import { KINDS } from '../kinds.ts';
import { marksOf } from '../marks.ts';
import { isNumberWord } from '../near-text.ts';
import type { ReadMemory, ReadSentence, Token } from '../reading.ts';

/** A value that stands in a sentence, and that another one could have in its place. */
export interface SlotValue {
  readonly token: Token;
  /** What it is one of: a time, a weekday, so many of something. */
  readonly kind: string;
  /** As compared: two equal ones are the same value. */
  readonly norm: string;
}

const DAY = 86_400_000;
const WEEKDAYS = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/iu;
const MONTHS = /^(?:january|february|march|april|june|july|august|september|october|november|december)$/iu;
const TIME = /^\d{1,2}[:.]\d{2}$/u;
/** A sentence that is longer says more than one thing. */
const LONGEST = 300;

/** The values of a sentence, in order. */
export function slotValuesOf({ tokens }: ReadSentence): SlotValue[] {
  return tokens.flatMap((token, at): SlotValue[] => {
    const kind = valueKind(token);
    if (kind === undefined) return [];
    const next = tokens[at + 1];
    const unit = kind === 'number' && next && next.start - token.end <= 1 && next.says ? ` ${next.term}` : '';
    const norm = token.text.toLowerCase().replace(/(?<=day)s$/u, '');
    return [{ token, kind: kind + unit, norm }];
  });
}

/** What a token is one of, where it is a value. */
export function valueKind({ text, shape }: Token): string | undefined {
  if (TIME.test(text)) return 'time';
  if (shape === 'number' || isNumberWord(text)) return /^\D*1\D*$|^one$/iu.test(text) ? undefined : 'number';
  if (WEEKDAYS.test(text)) return 'weekday';
  if (MONTHS.test(text)) return 'month';
  return kindOf(text.toLowerCase());
}

/** Neither asked nor imagined, planned, over, one of many readings, nor an opinion. */
export function isClaim({ text, foreign }: ReadSentence): boolean {
  const { question, hypothetical, plan, reading, opinion } = marksOf(text);
  return !foreign && text.length <= LONGEST && !question && !hypothetical && !plan && !reading && !opinion;
}

/** Whether one is a day older, and not of the same conversation. */
export function isEarlier(a: ReadMemory, b: ReadMemory): boolean {
  const isOneSession = a.memory.session !== null && a.memory.session === b.memory.session;
  return b.memory.time - a.memory.time >= DAY && !isOneSession;
}

/** Of people (`married`) a word says too little of whom. */
const TOOLS = KINDS.filter(({ kind }) =>
  /package|indentation|database|editor|\bci$|broker|runner|formatter|merging|encoding/u.test(kind),
);
const MOST_KNOWN = 100_000;
const kinds = new Map<string, string | undefined>();

/** What a word is one of, where one excludes the others: `pnpm` of the package managers. */
function kindOf(word: string): string | undefined {
  if (kinds.has(word)) return kinds.get(word);
  const kind = TOOLS.find(({ words }) => word.replace(words, '') === '')?.kind;
  // What comes after so many is looked up each time: a namespace may have more words.
  if (kinds.size < MOST_KNOWN) kinds.set(word, kind);
  return kind;
}
