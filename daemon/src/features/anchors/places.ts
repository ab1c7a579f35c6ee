import { AnchorPath } from '@reverie/shared/contract/memories/anchors';
import { type LineRange, readRange } from './lines.ts';

/** A place in the code as somebody names it. */
export interface CodePlace {
  path: string;
  lines?: LineRange;
  symbol?: string;
}

/** Reads `src/x.ts`, `src/x.ts:40-58` or `src/x.ts#symbol`; undefined for what is no such place. */
export function readPlace(text: string): CodePlace | undefined {
  const [, given = '', symbol, lines] =
    /^(.+?)(?:#([^#\s]{1,200})|:([1-9]\d{0,6}(?:-[1-9]\d{0,6})?))?$/su.exec(text) ?? [];
  const path = given.replace(/^(?:\.\/)+/, '');
  if (!AnchorPath.safeParse(path).success) return undefined;
  return {
    path,
    ...(symbol !== undefined && { symbol }),
    ...(lines !== undefined && { lines: readRange(lines) }),
  };
}

/** Characters of a memory that are looked through, and paths and symbols of it that are looked for. */
const READ = 32 * 1024;
const MOST = 8;

/** The files that a text seems to name, and the symbols that it has in back-ticks. */
export function namedIn(value: string): { places: CodePlace[]; symbols: string[] } {
  const text = value.slice(0, READ);
  const places = new Map<string, CodePlace>();
  for (const [word] of text.matchAll(/[^\s`'"()[\]<>{},;|]+/gu)) {
    const bare = word.replace(/[.:!?…]+$/u, '');
    if (places.size === MOST) break;
    if (bare.length > 300 || bare.includes('://') || !/\/|\.\p{L}/u.test(bare)) continue;
    const place = readPlace(bare);
    if (place) places.set(bare, place);
  }
  const symbols = new Set<string>();
  for (const [, symbol = ''] of text.matchAll(
    /`([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*)(?:\(\))?`/gu,
  )) {
    if (symbols.size === MOST) break;
    if (symbol.length > 2 && symbol.length <= 200) symbols.add(symbol);
  }
  return { places: [...places.values()], symbols: [...symbols] };
}
