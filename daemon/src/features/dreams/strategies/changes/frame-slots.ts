import { isSide } from '../near-text.ts';
import type { Reading, ReadSentence } from '../reading.ts';
import { BOUNDARY, type Frame, type Item, NO, textOf } from './frames.ts';

/** The one place in which two frames differ, as either writes it. */
export interface FrameSlot {
  readonly from: string;
  readonly to: string;
  /** As compared; `not` where one denies what the other says. */
  readonly norms: readonly [string, string];
  readonly isDenial: boolean;
  /** What either says up to the first boundary after the slot. */
  readonly clauses: readonly [string, string];
}

/** Two sentences of two memories, nearly the same word for word, of which one thing differs. */
export interface ClosePair {
  readonly older: ReadSentence;
  readonly newer: ReadSentence;
  readonly slot: FrameSlot;
}

/** A slot of words has so many on either side. */
const WIDEST = 3;
/** Verbs and units that may be there on one side alone, or in the place of one another, without another thing being meant. */
const LIGHT =
  /^(?:is|are|costs?|takes?|runs?|goes|keeps?|sits?|lies|hangs?|stands?|listens?|answers?|uses?|gets?|has|have|needs?|stays?|starts?|begins?|ends?|opens?|closes?|works?|lives?|holds?|pays?|gives?|sends?|copies|times?|pieces|units?|each|always|usually|exactly|about|only|price|currently|please|note|users?|agents?|number|no|called|writes?|written)$/iu;
/** Stretches of time and conditions: with and without one, both may hold. */
const PERIOD =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|weekends?|weekdays?|mornings?|evenings?|nights?|afternoons?|holidays?|if|when|while|unless|except|during|children|kids|adults|students|members)$/iu;
/** What leads to the one that there is: `the dentist is Dr Amari`, `runs on dunlin`, `is kept under the pot`. */
const LEADS_TO_ONE =
  /(?<!\p{L})(?:is(?: \p{Ll}+ed)?|are \p{Ll}+ed|(?:is|are) (?:\p{Ll}+ )?(?:in|on|at|by|with|under|behind|from|to)|(?:lives?|works?|runs?|stands?|lies|hangs?|sits?|sleeps?|listens?|rehearses?|meets?|goes|held|takes place|reports?|belongs?|hosted|deployed|stored|kept|written|drives?|comes|logs?|writes?|points?|streams?|syncs?|connects?|deploys?) (?:in|on|at|by|with|under|behind|from|to|for|against))(?: the| our| his| her| my| their| its| host| first| second| third| top| dr\.?| prof\.?| mrs?\.?| ms\.?| herr| frau| aunt| uncle| father| sister| (?:back |front |upper )?(?:room|hall|cellar|end|side|garden) of)*\s*$/iu;
const INDEFINITE = /(?<!\p{L})(?:a|an|one|some|another|also|allergic|part|made|full)\s+(?:\p{L}+\s+)?$/iu;

/** `Is tested with …`, `are kept for …`: what is done, and not what is. */
const DONE = /(?:\p{L}{2}ed|^kept|^held|^built|^written|^made|^run|^sent|^done|^set)$/iu;

/** The slot in which two frames differ; undefined where they differ in more, or in what they speak of. */
export function slotBetween(older: Frame, newer: Frame, reading: Reading): FrameSlot | undefined {
  const [lost, come] = [without(older.items, newer.items), without(newer.items, older.items)];
  if (lost.length === 0 && come.length === 0) return undefined;
  const shared = without(older.items, lost);
  if (!isEnough(shared, reading)) return undefined;
  const [no, other] = [
    [...lost, ...come].filter(({ isNo }) => isNo),
    [...lost, ...come].filter(({ isNo }) => !isNo),
  ];
  if (no.length > 0) {
    const isPlain = no.length === 1 && other.length === 0 && !deniesAfter(older) && !deniesAfter(newer);
    return isPlain ? denial(older, newer, lost) : undefined;
  }
  return valueSlot([older, newer], lost, come) ?? wordSlot([older, newer], lost, come);
}

/** One value, or a range of two, in the place of another of its kind. */
function valueSlot(
  [older, newer]: readonly [Frame, Frame],
  lost: readonly Item[],
  come: readonly Item[],
): FrameSlot | undefined {
  const [was, is] = [lost.filter(isValue), come.filter(isValue)];
  if (was.length !== is.length || was.length === 0 || was.length > 2) return undefined;
  if (was.some(({ kind }, at) => !areKindred(kind, is[at]?.kind))) return undefined;
  if (was.length === 2 && !(isRange(older, was) && isRange(newer, is)) && !areRatios(older, newer))
    return undefined;
  if (!was.every((one) => isAfterHead(one, older)) || !is.every((one) => isAfterHead(one, newer)))
    return undefined;
  const words = [lost, come].map((items) => items.filter((item) => !isValue(item)));
  if (!words.flat().every(({ token }) => LIGHT.test(token.text))) return undefined;
  return slotOf([older, was], [newer, is]);
}

/** A name or a phrase in the place of another one, where there is one at a time. */
function wordSlot(
  [older, newer]: readonly [Frame, Frame],
  lost: readonly Item[],
  come: readonly Item[],
): FrameSlot | undefined {
  const tell = (items: readonly Item[]): Item[] => items.filter(({ token }) => !LIGHT.test(token.text));
  const [was, is] = [tell(lost), tell(come)];
  for (const [items, frame] of [
    [was, older],
    [is, newer],
  ] as const) {
    const [first] = items;
    if (!first || items.length > WIDEST || !isOnePlace(items, frame) || !isAfterHead(first, frame))
      return undefined;
    const before = frame.sentence.text.slice(0, first.token.start);
    if (!LEADS_TO_ONE.test(before) || INDEFINITE.test(before) || DONE.test(first.token.text))
      return undefined;
    if (items.some(({ token }) => PERIOD.test(token.text))) return undefined;
  }
  const [a, b] = [placeOf(was, older), placeOf(is, newer)];
  const isNamed = [was, is].every((items) => items.some(({ token }) => token.shape !== 'word'));
  // What is no name has to be all that comes after the verb: `is kept under the pot`.
  const isLast = a.after === undefined && b.after === undefined;
  if (
    (a.before !== b.before && lost.length === was.length && come.length === is.length) ||
    a.after !== b.after ||
    !(isNamed || isLast)
  )
    return undefined;
  return slotOf([older, was], [newer, is]);
}

function denial(older: Frame, newer: Frame, lost: readonly Item[]): FrameSlot {
  const [was, is] = [textOf(older), textOf(newer)];
  return {
    from: was,
    to: is,
    norms: lost.length > 0 ? ['not', ''] : ['', 'not'],
    isDenial: true,
    clauses: [was, is],
  };
}

/** Whether something is denied behind a frame that was cut. */
function deniesAfter({ sentence: { tokens }, end }: Frame): boolean {
  return tokens.some(({ text, start }) => start > end && NO.test(text));
}

const isValue = ({ kind }: Item): boolean => kind !== undefined;

/** Items of one list that the other one does not have, each counted. */
function without(of: readonly Item[], there: readonly Item[]): Item[] {
  const left = there.map(({ term }) => term);
  return of.filter(({ term }) => {
    const at = left.indexOf(term);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Whether what both say tells what they speak of. */
function isEnough(shared: readonly Item[], reading: Reading): boolean {
  const words = shared.filter(
    ({ kind, isNo }) => !isNo && (kind === undefined || /^(?:class|is) /u.test(kind)),
  );
  return words.length >= 2 || words.some(({ term }) => reading.frequency(term) <= 4);
}

/** `12 parts` and `6 parts`; `8080` and `9140`; a number is of the same thing whatever it counts where all the rest is the same. */
function areKindred(a: string | undefined, b: string | undefined): boolean {
  const bare = (kind = ''): string => kind.replace(/^number .*/u, 'number').replace(/^(?:is|class) /u, '');
  return bare(a) === bare(b);
}

/** `Monday to Thursday`, `9:00–17:00`. */
function isRange({ sentence: { text } }: Frame, [one, other]: readonly Item[]): boolean {
  if (!one || !other) return false;
  return /^\s*(?:to|till|until|and|or|–|-|bis|à|,)\s*$/iu.test(text.slice(one.token.end, other.token.start));
}

/** `One part lime to three parts sand`. */
const RATIO = /(?<!\p{L})parts?(?!\p{L})[^.;]*(?<!\p{L})to(?!\p{L})[^.;]*(?<!\p{L})parts?(?!\p{L})/iu;
const areRatios = (older: Frame, newer: Frame): boolean =>
  RATIO.test(textOf(older)) && RATIO.test(textOf(newer));

/** `Land in /srv/ortho before …`: what a place word leads to is said of something, too. */
const LED_TO = /(?<!\p{L})(?:in|into|to|at|on|from)\s["'“(/€£$~#]*$/iu;

function isAfterHead({ token }: Item, { head, items, sentence: { text } }: Frame): boolean {
  if (head >= 0 && token.start >= head) return true;
  const isLed = head < 0 || LED_TO.test(text.slice(0, token.start));
  return isLed && token.start > (items[1]?.token.start ?? 0);
}

/** Whether items follow one another. */
function isOnePlace(items: readonly Item[], frame: Frame): boolean {
  const at = frame.items.findIndex((item) => item === items[0]);
  return items.every((item, index) => frame.items[at + index] === item);
}

function placeOf(
  items: readonly Item[],
  frame: Frame,
): { before: string | undefined; after: string | undefined } {
  const at = frame.items.findIndex((item) => item === items[0]);
  return { before: frame.items[at - 1]?.term, after: frame.items[at + items.length]?.term };
}

function slotOf(
  [older, was]: readonly [Frame, readonly Item[]],
  [newer, is]: readonly [Frame, readonly Item[]],
): FrameSlot | undefined {
  const sides = [...was, ...is].some(
    (item) => !isValue(item) && isSide(item.token.text.toLowerCase(), false),
  );
  if (sides) return undefined;
  const norm = (items: readonly Item[]): string => items.map(({ term }) => term).join(' ');
  return {
    from: spanOf(older, was),
    to: spanOf(newer, is),
    norms: [norm(was), norm(is)],
    isDenial: false,
    clauses: [clauseOf(older, was), clauseOf(newer, is)],
  };
}

function clauseOf({ sentence: { text } }: Frame, items: readonly Item[]): string {
  const end = items.at(-1)?.token.end ?? text.length;
  const cut = BOUNDARY.exec(text.slice(end))?.index;
  return cut === undefined ? text : text.slice(0, end + cut);
}

function spanOf({ sentence: { text } }: Frame, items: readonly Item[]): string {
  return text.slice(items[0]?.token.start, items.at(-1)?.token.end);
}
