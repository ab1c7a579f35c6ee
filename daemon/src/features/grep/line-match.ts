import { grepLimits } from '@reverie/shared/contract/search/grep';

/** What a line has to have. */
export interface LinePattern {
  pattern: string;
  regex: boolean;
  ignoreCase: boolean;
}

/** A line that has it; lines are counted from 1. */
export interface MatchedLine {
  line: number;
  text: string;
  before: string[];
  after: string[];
}

/** The lines of a text that fit: how many, and so many of them as were wanted. */
export interface MatchedText {
  count: number;
  lines: MatchedLine[];
}

/** Finds where in a line a pattern begins; -1 where it does not stand there. */
type FindInLine = (line: string) => number;

const SYNTAX = /[$()*+./?[\\\]^{|}]/gu;

/** Compiles a pattern. Throws `SyntaxError` for what is no regular expression. */
export function compile({ pattern, regex, ignoreCase }: LinePattern): FindInLine {
  if (!regex && !ignoreCase) return (line) => line.indexOf(pattern);
  const expression = expressionOf(regex ? pattern : pattern.replace(SYNTAX, String.raw`\$&`), ignoreCase);
  return (line) => line.search(expression);
}

/** With `u` a needless `\-` is an error, and `\p{L}` means nothing without it. */
function expressionOf(source: string, ignoreCase: boolean): RegExp {
  const flags = ignoreCase ? 'i' : '';
  try {
    return new RegExp(source, `u${flags}`);
  } catch {
    // Whatever is wrong without it, too, is thrown from here.
    return new RegExp(source, flags);
  }
}

/** Finds the lines of a text that fit, the first `most` of them with their context. */
export function matchText(
  text: string,
  find: FindInLine,
  { context, most }: { context: number; most: number },
): MatchedText {
  const lines = text.split('\n');
  const lineAt = (at: number) => (lines[at] ?? '').replace(/\r$/u, '');
  const matched: MatchedText = { count: 0, lines: [] };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lineAt(at);
    const from = find(line);
    if (from < 0) continue;
    matched.count += 1;
    if (matched.lines.length >= most) continue;
    const around = (begin: number, end: number) =>
      Array.from({ length: Math.max(0, end - begin) }, (_, step) => shown(lineAt(begin + step), 0));
    matched.lines.push({
      line: at + 1,
      text: shown(line, from),
      before: around(Math.max(0, at - context), at),
      after: around(at + 1, Math.min(lines.length, at + 1 + context)),
    });
  }
  return matched;
}

/** Characters of a long line that are shown before what fits. */
const LEAD = 80;

/** A line as it is answered: of a long one what stands around a place in it. */
function shown(line: string, place: number): string {
  if (line.length <= grepLimits.line) return line.toWellFormed();
  const most = grepLimits.line - 2;
  const from = Math.max(0, Math.min(place - LEAD, line.length - most));
  const end = from + most;
  const cut = line.slice(from, end).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut}${end < line.length ? '…' : ''}`;
}
