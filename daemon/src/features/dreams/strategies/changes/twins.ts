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
  const [before, there] = [modifiersOf(a, has.newer), modifiersOf(b, has.older)];
  return [...before].some(([head, modifier]) => {
    const other = there.get(head);
    return other !== undefined && other !== modifier;
  });
}

function areSisters(x: string, y: string): boolean {
  const [p, q] = [x.split(/[-_]/u), y.split(/[-_]/u)];
  return x !== y && (p[0] === q[0] || p.at(-1) === q.at(-1));
}

/** By a word, what stands right before it and only here: an adjective, a name, or what it belongs to. */
function modifiersOf(line: Line, isThere: (term: string) => boolean): Map<string, string> {
  const { tokens, text } = line.sentence;
  const values = new Set(line.terms.filter(({ isValue }) => isValue).map(({ term }: Term) => term));
  const found = new Map<string, string>();
  for (const [index, token] of tokens.entries()) {
    const left = tokens[index - 1];
    if (!left || !token.says || !left.says || values.has(left.term) || isThere(left.term)) continue;
    if (left.shape === 'number' || !/^[\s-]*$/u.test(text.slice(left.end, token.start))) continue;
    if (/(?:ed|ing|ly)$/u.test(left.text) || VERBS.test(left.text)) continue;
    found.set(token.term, left.term);
  }
  // `Fridge 3` and `ward 7`: the number says which one.
  for (const match of text.matchAll(
    /(?<head>\p{L}{3,})\s(?<number>\d{1,3})(?![\d.,:]|\s?(?:%|°|[a-z]{1,3}\b))/gu,
  )) {
    const { head = '', number = '' } = match.groups ?? {};
    if (NUMBERED.test(head)) found.set(head.toLowerCase(), number);
  }
  return found;
}

const VERBS =
  /^(?:takes?|costs?|comes?|gets?|runs?|goes|went|ran|came|keeps?|uses?|puts?|sets?|needs?|wants?|likes?|loves?|hates?|eats?|drinks?|plays?|works?|lives?|pays?|has|have|is|are)$/iu;
const NUMBERED =
  /^(?:fridge|ward|room|plot|bus|tram|line|flat|floor|gate|platform|terminal|desk|zone|bed|bay|track|channel|shelf|tray|drawer|box|locker|house|number|phase|stage|group|class|level|unit|module|server|node|runner|sensor|printer|tank|hive|boat|van|car|bike|team|shift|stop|exit|hall|building|block|route)$/iu;
