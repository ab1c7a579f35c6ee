import { type Anchor, MOST_ANCHORS } from '@reverie/shared/contract/memories/anchors';
import type { CodeFile } from './code-files.ts';
import { definitionOf } from './definition.ts';
import { type CodeText, codeText, findLines, hashOf, type LineRange, writeRange } from './lines.ts';
import type { CodePlace } from './places.ts';

/** Lines that are added above and below, one each at a time, where the same text stands in a file twice. */
const WIDEST = 10;

/** A file that was read for an anchor. */
export interface ReadCode {
  path: string;
  blob: string;
  code: CodeText;
}

/** Reads a file that a place names; undefined where it has become too large, or may not be read. */
export async function readCode(file: CodeFile, path: string): Promise<ReadCode | undefined> {
  const content = await file.read();
  return content && { path, blob: content.blob, code: codeText(content.text) };
}

/**
 * Anchors to a place of a file, by what it says now; a sentence where it has no such lines or symbol. What stands there more than once is
 * widened until it does not: else nobody could tell later which of them was changed.
 */
export function anchorTo(
  { path, blob, code }: ReadCode,
  { lines, symbol }: Omit<CodePlace, 'path'>,
): Anchor | string {
  const whole = { from: 1, to: code.lines.length };
  const defined = symbol === undefined ? undefined : definitionOf(code.lines, symbol);
  if (symbol !== undefined && !defined) return `${JSON.stringify(path)} defines no ${JSON.stringify(symbol)}`;
  const range = defined ?? lines;
  if (range && (range.from > range.to || range.to > whole.to))
    return `${JSON.stringify(path)} has the lines 1-${whole.to}, and not ${writeRange(range)}`;
  const at = range && unique(code, trimmed(code, range));
  const hash = hashOf(code, at ?? whole);
  if (hash === undefined) return `${JSON.stringify(path)} says nothing there`;
  if (range && !at)
    return `lines ${writeRange(range)} of ${JSON.stringify(path)} say what stands there more than once; name more of them`;
  return {
    path,
    ...(at && { lines: writeRange(at) }),
    ...(symbol !== undefined && { symbol }),
    hash,
    blob,
  };
}

/** A range without the blank lines at its ends. */
function trimmed({ starts, ends }: CodeText, { from, to }: LineRange): LineRange {
  const isBlank = (line: number) => starts[line - 1] === ends[line - 1];
  let [first, last] = [from, to];
  while (first < last && isBlank(first)) first += 1;
  while (last > first && isBlank(last)) last -= 1;
  return { from: first, to: last };
}

/** A range that says what nothing else in the file does: this one, or a wider one. */
function unique(code: CodeText, range: LineRange): LineRange | undefined {
  for (let more = 0; more <= WIDEST; more += 1) {
    const wider = trimmed(code, {
      from: Math.max(1, range.from - more),
      to: Math.min(code.lines.length, range.to + more),
    });
    const hash = hashOf(code, wider);
    if (hash === undefined) return range;
    const [first, second] = findLines(code, hash, wider.from);
    if (first && !second) return wider;
  }
  return undefined;
}

/**
 * Anchors of what a text names of a file: the symbols of it that are defined there, or else only that it is there, for whoever names
 * a file rarely means each of its lines.
 */
export function anchorsNamed(read: ReadCode, place: CodePlace, symbols: readonly string[]): Anchor[] {
  const wanted = place.lines || place.symbol !== undefined ? [place] : symbols.map((symbol) => ({ symbol }));
  const found = wanted.map((one) => anchorTo(read, one)).filter((one) => typeof one !== 'string');
  return found.length > 0 ? found.slice(0, MOST_ANCHORS) : [{ path: read.path }];
}
