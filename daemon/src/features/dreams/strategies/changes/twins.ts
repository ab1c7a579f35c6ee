import type { Line } from './notes.ts';
import type { Term } from './term.ts';

const COMPOUND = /\p{L}{2,}(?:[-_]\p{L}{2,})+/gu;

/**
 * Whether two lines tell the same word apart: `front door` and `side door`, `ledger-db` and `tariff-db`, `ward 4` and `ward 9`.
 */
export function areTwins(
  a: Line,
  b: Line,
  has: { older: (term: string) => boolean; newer: (term: string) => boolean },
): boolean {
  const compounds = ({ sentence }: Line): readonly string[] =>
    sentence.text.toLowerCase().match(COMPOUND) ?? [];
  const [one, two] = [compounds(a), compounds(b)];
  if (one.some((x) => !two.includes(x) && two.some((y) => areSisters(x, y) && !one.includes(y)))) return true;
  if (isPartOf(a, b) || isPartOf(b, a)) return true;
  if (SIDES.some((side) => areApart(side, a.sentence.text, b.sentence.text))) return true;
  const [before, there] = [modifiersOf(a, has.newer), modifiersOf(b, has.older)];
  return [...before].some(([head, modifier]) => {
    const other = there.get(head);
    return other !== undefined && other !== modifier;
  });
}

/** Whether one speaks of what a thing of the other has: `the gym's pool`, and `the gym`. */
function isPartOf({ sentence: { text } }: Line, other: Line): boolean {
  const there = other.sentence.text.toLowerCase();
  return [...text.matchAll(/(?<!\p{L})(?<whole>\p{Ll}{3,})['’]s\s(?<part>\p{Ll}{3,})/gu)].some(
    ({ groups: { whole = '', part = '' } = {} }) =>
      !/^(?:it|that|there|here|what|who|let|today)$/u.test(whole) &&
      new RegExp(`(?<!\\p{L})${whole}(?!['’\\p{L}])`, 'u').test(there) &&
      !there.includes(part),
  );
}

/** Words that say which of several is meant, wherever they stand. */
const COLOURED = [
  'blue|blaue?n?',
  'yellow|gelbe?n?',
  'green|grüne?n?',
  'black|schwarze?n?',
  'red|rote?n?',
  'white|weiße?n?',
  'brown|braune?n?',
  'gr[ea]y|graue?n?',
];
const SIDES: readonly (readonly RegExp[])[] = [
  [/\b(?:staging|stage)\b/iu, /\b(?:production|prod|live)\b/iu, /\b(?:dev|development|local|locally)\b/iu],
  [/\bsummers?\b|\bsommer\b|\bété\b/iu, /\bwinters?\b|\bhiver\b/iu],
  [/\bupload(?:s|ing)?\b/iu, /\bdownload(?:s|ing)?\b/iu],
  [/\bfront\b|\bvorne\b/iu, /\b(?:rear|back|hinten)\b/iu],
  [/\bleft\s\p{Ll}/iu, /\bright\s\p{Ll}/iu],
  [/\bweekdays?\b/iu, /\bweekends?\b/iu],
  COLOURED.map((colour) => new RegExp(`(?<!\\p{L})(?:${colour})\\s\\p{Ll}`, 'iu')),
  [/\bby day\b|\bdaytime\b/iu, /\b(?:at|by) night\b/iu],
];

/** Whether one names one side alone, and the other another one alone. */
function areApart(sides: readonly RegExp[], a: string, b: string): boolean {
  const named = (text: string): readonly boolean[] => sides.map((side) => side.test(text));
  const [one, other] = [named(a), named(b)];
  return one.includes(true) && other.includes(true) && !one.some((is, at) => is && other[at]);
}

function areSisters(x: string, y: string): boolean {
  const [p, q] = [x.split(/[-_]/u), y.split(/[-_]/u)];
  return x !== y && (p[0] === q[0] || p.at(-1) === q.at(-1));
}

/** By a word, what stands right before it and only here: an adjective, a name, or what it belongs to. */
function modifiersOf(line: Line, isThere: (term: string) => boolean): Map<string, string> {
  const { tokens, text } = line.sentence;
  const values = new Set(
    line.terms.filter(({ isValue, isMember }) => isValue && !isMember).map(({ term }: Term) => term),
  );
  const found = new Map<string, string>();
  for (const [index, token] of tokens.entries()) {
    const left = tokens[index - 1];
    if (!left || !token.says || !left.says || values.has(left.term) || isThere(left.term)) continue;
    if (left.shape === 'number' || !/^[\s-]*$/u.test(text.slice(left.end, token.start))) continue;
    // `The reporting service`, but not `keeps reporting errors`.
    const isNoun = /^(?:the|a|an|our|my|der|die|das|le|la|el)$/iu.test(tokens[index - 2]?.text ?? '');
    if ((/(?:ed|ing|ly)$/u.test(left.text) && !isNoun) || VERBS.test(left.text)) continue;
    found.set(token.term, left.term);
  }
  // `The timeout of the upload`, `le cours de piano`, `the limit for partners`.
  for (const [index, token] of tokens.entries()) {
    if (!token.says) continue;
    const next = tokens.slice(index + 1, index + 4);
    const at = next.findIndex(
      ({ says, text: word }) => says && !/^(?:de|des|du|del|von|vom|la|le|los)$/iu.test(word),
    );
    const right = next[at];
    const between = text.slice(token.end, right?.start ?? token.end);
    if (!right || values.has(right.term) || isThere(right.term) || right.shape === 'number') continue;
    if (OF.test(between)) found.set(`${token.term} of`, right.term);
  }
  // `Fridge 3` and `ward 7`: the number says which one.
  for (const match of text.matchAll(
    /(?<head>\p{L}{3,})\s(?<number>\d{1,3})(?!\d|[.,:]\d|\s?(?:%|°|(?:mm|cm|m|km|mg|g|kg|ml|l|ms|s|min|h|kb|mb|gb|tb|px|w|kw|kwh|eur|am|pm)\b))/gu,
  )) {
    const { head = '', number = '' } = match.groups ?? {};
    if (NUMBERED.test(head)) found.set(head.toLowerCase(), number);
  }
  return found;
}

const OF =
  /^\s(?:of|for|de|du|des|d['’]|del|von|vom|für|der)\s?(?:the\s|our\s|my\s|la\s|le\s|l['’]|los\s|das\s|die\s|den\s)?$/iu;
const VERBS =
  /^(?:takes?|costs?|comes?|gets?|runs?|goes|went|ran|came|keeps?|uses?|puts?|sets?|needs?|wants?|likes?|loves?|hates?|eats?|drinks?|plays?|works?|lives?|pays?|has|have|is|are)$/iu;
const NUMBERED =
  /^(?:fridge|ward|room|plot|bus|tram|line|flat|floor|gate|platform|terminal|desk|zone|bed|bay|track|channel|shelf|tray|drawer|box|locker|house|number|phase|stage|group|class|level|unit|module|server|runner|sensor|printer|tank|hive|boat|van|car|bike|team|shift|stop|exit|hall|building|block|route)$/iu;
