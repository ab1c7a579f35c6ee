import type { Reading, ReadSentence, Token } from '../reading.ts';
import { classOf } from './classes.ts';
import { type SlotValue, slotValuesOf } from './slot-values.ts';

/** A word of a sentence that tells, a value, or a no. */
export interface Item {
  readonly token: Token;
  /** As compared. */
  readonly term: string;
  /** What it is a value of; undefined for a word. */
  readonly kind: string | undefined;
  readonly isNo: boolean;
}

/** The text of a frame. */
export const textOf = ({ sentence, end }: Frame): string => sentence.text.slice(0, end);

/** A sentence, or what of it comes before a comma or the like, as it is compared with others nearly word for word. */
export interface Frame {
  readonly sentence: ReadSentence;
  readonly items: readonly Item[];
  /** Where what it speaks of ends, in the sentence: with its first verb or colon. */
  readonly head: number;
  /** Where it ends, in the sentence. */
  readonly end: number;
}

/** A sentence of more items says more than one thing. */
const MOST = 24;
/** A word that denies. */
export const NO =
  /^(?:not|no|never|none|nobody|nothing|without|cannot|\p{L}+n['’]t|nicht|kein(?:e[nmrs]?)?|nie|pas|jamais)$/iu;
const SWITCH = /^(?:on|off)$/iu;
const ORDINAL = /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))$/iu;
const TIMES: Readonly<Record<string, string>> = { once: '1', twice: '2' };
const LETTER = /^[A-HJ-Z]$/u;
/** Where what belongs together ends. */
export const BOUNDARY = /[,;()—–]|\s-\s|[.!]\s|\s(?:because|so|but|and then|which)\s/u;
const VERB =
  /(?<!\p{L})(?:is|are|isn['’]t|aren['’]t|am|has|have|does|do|doesn['’]t|don['’]t|can|can['’]t|cannot|may|must|should|needs?|wants?|gets?|takes?|costs?|starts?|begins?|ends?|opens?|closes?|goes|comes?|keeps?|holds?|stays?|stands?|lies|hangs?|likes?|loves?|hates?|prefers?|plays?|drives?|lives?|works?|runs?|uses?|listens?|answers?|alarms?|requires?|pays?|sends?|stores?|teaches|belongs?|rehearses?|meets?|says?|sells?|sits?|gives?|writes?|ist|sind|hat|kostet|beginnt|wohnt|est|sont|coûte|es|son|cuesta|er|har)(?!\p{L})|:(?=\s)/iu;
const ANY_VERB = /(?<!\p{L})\p{Ll}{2,}(?:s|ed)(?!\p{L})/u;

const known = new WeakMap<ReadSentence, readonly Frame[]>();

/** The frames of a sentence: the whole, and what comes before the first boundary that follows a value or three items. */
export function framesOf(sentence: ReadSentence): readonly Frame[] {
  let frames = known.get(sentence);
  if (!frames) known.set(sentence, (frames = framesIn(sentence)));
  return frames;
}

function framesIn(sentence: ReadSentence): Frame[] {
  const items = itemsOf(sentence);
  if (items.length < 2 || items.length > MOST) return [];
  const head = headOf(sentence.text, items);
  const whole = { sentence, items, head, end: sentence.text.length };
  const cut = items.find(({ token, kind }, at) => {
    const next = items[at + 1];
    const isEnough = token.start > head && at >= 1 && (kind !== undefined || at >= 2);
    return next && isEnough && BOUNDARY.test(sentence.text.slice(token.end, next.token.start));
  });
  if (!cut) return [whole];
  const end = cut.token.end;
  return [whole, { sentence, items: items.filter(({ token }) => token.end <= end), head, end }];
}

function itemsOf(sentence: ReadSentence): Item[] {
  const values = new Map<Token, SlotValue>(slotValuesOf(sentence).map((value) => [value.token, value]));
  const { tokens, text } = sentence;
  return tokens.flatMap((token, at): Item[] => {
    const item = (term: string, kind?: string, isNo = false): Item[] => [{ token, term, kind, isNo }];
    const value = values.get(token);
    if (value) return item(value.norm, value.kind);
    if (NO.test(token.text)) return item('not', undefined, true);
    if (SWITCH.test(token.text) && /^\s*(?:$|[.,;:!)]|for\s|in\s)/u.test(text.slice(token.end)) && at > 0)
      return item(token.text.toLowerCase(), 'switch');
    if (at > 0 && LETTER.test(token.text)) return item(token.text, 'letter');
    const lower = token.text.toLowerCase();
    const times = TIMES[lower] ?? (isOneOf(token, tokens[at + 1], text) ? '1' : undefined);
    if (times !== undefined) return item(times, 'number');
    if (at > 0 && ORDINAL.test(lower)) return item(lower, 'ordinal');
    const named = classOf(lower);
    if (named !== undefined) return item(token.term, named);
    if (token.shape === 'id' && /\/\p{L}/u.test(token.text)) return item(token.term, 'path');
    if (token.shape === 'id' && /\d/u.test(token.text))
      return item(
        token.term,
        `code ${lower.replaceAll(/\d+/gu, '9').replaceAll(/(?<!\p{L})\p{L}{1,2}(?!\p{L})/gu, 'a')}`,
      );
    if (token.shape === 'number') return item(token.text, 'number');
    return token.says || isNamed(text, token) ? item(token.term) : [];
  });
}

/** `One approval`, but not `the one at the door`. */
function isOneOf({ text, start }: Token, next: Token | undefined, whole: string): boolean {
  if (!/^one$/iu.test(text) || next?.says !== true) return false;
  return !/(?:the|this|that|which|no|every|each|any)\s$/iu.test(whole.slice(Math.max(0, start - 6), start));
}

/** `Written in Go`: a word of grammar with a capital that is not owed to its place. */
function isNamed(text: string, { text: word, start }: Token): boolean {
  return (
    /^\p{Lu}\p{Ll}+$/u.test(word) &&
    !/^(?:mr|mrs|ms|dr|herr|frau)$/iu.test(word) &&
    /[\p{Ll}\d]\s$/u.test(text.slice(Math.max(0, start - 2), start))
  );
}

/** Where the head ends; -1 where nothing tells. */
function headOf(text: string, items: readonly Item[]): number {
  const first = items[0]?.token.end ?? 0;
  for (const pattern of [VERB, ANY_VERB]) {
    const found = pattern.exec(text.slice(first))?.index;
    if (found !== undefined) return first + found;
  }
  return -1;
}

const RAREST = 4;
/** A word that more memories have nominates only where it is the rarest. */
const RARE = 12;
const LONGEST = 300;

/** The rarest words of a sentence that stand in another memory, too: two that are nearly the same share one of them. */
export function rarestOf({ tokens, text }: ReadSentence, reading: Reading): string[] {
  if (text.length > LONGEST || tokens.length > 2 * MOST) return [];
  const shared = new Map<string, number>();
  for (const { says, shape, term } of tokens) {
    const frequency = says && shape !== 'number' ? reading.frequency(term) : 0;
    if (frequency > 1) shared.set(term, frequency);
  }
  if (shared.size > MOST) return [];
  // Nobody says the like of what has one word alone in common with all others.
  if (shared.size < 2) return [...shared.keys()].filter((term) => reading.frequency(term) <= RARE);
  const [first, ...more] = [...shared].sort((a, b) => a[1] - b[1]).slice(0, RAREST);
  return first ? [first, ...more.filter(([, frequency]) => frequency <= RARE)].map(([term]) => term) : [];
}
