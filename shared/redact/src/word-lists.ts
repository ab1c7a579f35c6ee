import { readFileSync } from 'node:fs';
import path from 'node:path';

const DATA = path.join(import.meta.dirname, '../data');

/** Returns the rows of a list in `data`, as they stand in its file: `copulas`. */
export function listed(list: string): string[] {
  return readFileSync(path.join(DATA, `${list}.txt`), 'utf8')
    .split('\n')
    .filter((row) => row !== '');
}

/** Returns the pattern that a text stands in to the letter. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
}

/** Returns one alternative of a pattern for the rows of a list, each to the letter; of those that begin alike the longest comes first. */
export function anyOf(list: string): string {
  const rows = listed(list).sort((a, b) => b.length - a.length);
  return `(?:${rows.map(escaped).join('|')})`;
}
