import { indentOf, type LineRange } from './lines.ts';
import { atOnce, type Steps } from './steps.ts';

/** Characters of a line that are looked at: longer ones are generated. */
const LONGEST_LINE = 400;
/** Lines that are gone through in a step, and names within each other that are looked for. */
const STEP = 4096;
const DEEPEST = 8;
/** How lines begin that name something without defining it. */
const NO_DEFINITION =
  /^\s*(?:await|case|else|for|from|if|import|include|new|package|raise|return|throw|use|using|while|yield)\b/;
const OPENS = /[([{:=>]\s*$/;
/** What closes a block stands as deep as what opened it. */
const CLOSES = /^\s*(?:[)\]}]|\{|end\b)/;

/**
 * Finds the lines that define a symbol, `Retry.policy` within those of `Retry`, by how they stand: a line that begins with it, or with words
 * before it, and what is indented deeper below. Undefined where none does.
 */
export function definitionOf(lines: readonly string[], symbol: string): LineRange | undefined {
  return atOnce(findingDefinition(lines, symbol));
}

/** Finds the lines that define a symbol, in steps. */
export function* findingDefinition(lines: readonly string[], symbol: string): Steps<LineRange | undefined> {
  const names = symbol.split(/\.|::|#/);
  if (names.length > DEEPEST) return undefined;
  let within: LineRange = { from: 1, to: lines.length };
  for (const name of names) {
    const found = yield* definitionWithin(lines, name, within);
    if (!found) return undefined;
    within = found;
  }
  return within;
}

function* definitionWithin(
  lines: readonly string[],
  name: string,
  { from, to }: LineRange,
): Steps<LineRange | undefined> {
  const escaped = name.replaceAll(/[^\p{L}\p{N}_]/gu, String.raw`\$&`);
  // Words, types and, in Go, a receiver in brackets; then the name, perhaps behind that of its class, and what may follow it.
  const defines = new RegExp(
    String.raw`^\s*((?:(?:[\w@]|#define)[\w$*&<>[\].:?-]*\s+|\([^()]*\)\s*)*)[*&]?(?:[\w$<>]+(?:::|\.))*${escaped}(?![\w$])(?!\s*[.,)\]};])(.*)$`,
    'u',
  );
  let best: { at: number; rank: number } | undefined;
  for (let at = from - 1; at < to; at += 1) {
    if (at % STEP === 0) yield;
    const line = lines[at] ?? '';
    if (line.length > LONGEST_LINE || !line.includes(name) || NO_DEFINITION.test(line)) continue;
    const [, before, behind = ''] = defines.exec(line) ?? [];
    if (before === undefined) continue;
    const next = lines[nextOf(lines, at)] ?? '';
    const opens = OPENS.test(line) || indentOf(next) > indentOf(line) || /^\s*\{/.test(next);
    const sets = /^\s*(?::[^=]*)?:?=(?![=>])/.test(behind);
    const takes = before !== '' && /^\s*[(<{]/.test(behind);
    if (!opens && !sets && !takes) continue;
    // A word before it, such as `function`, says more than how deep it stands; the first of its like is the definition.
    const rank = (before === '' ? 1_000 : 0) + (opens || sets ? 0 : 500) + Math.min(indentOf(line), 400);
    if (!best || rank < best.rank) best = { at, rank };
  }
  return best && { from: best.at + 1, to: endOf(lines, best.at) };
}

/** The index of the next line that is not blank. */
function nextOf(lines: readonly string[], at: number): number {
  let next = at + 1;
  while (next < lines.length && (lines[next] ?? '').trim() === '') next += 1;
  return next;
}

/** The last line, from 1, of what a line begins: what stands deeper, and what closes it. */
function endOf(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at] ?? '');
  let last = at;
  for (let next = nextOf(lines, at); next < lines.length; next = nextOf(lines, next)) {
    const line = lines[next] ?? '';
    const isWithin = indentOf(line) > indent || (indentOf(line) === indent && CLOSES.test(line));
    if (!isWithin) break;
    last = next;
  }
  return last + 1;
}
