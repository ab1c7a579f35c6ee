import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DATA = join(import.meta.dirname, '../../data');

/** The rows of a list in `daemon/data`, as they stand in its file: `dreams/titles`. */
export function listed(list: string): string[] {
  return readFileSync(join(DATA, `${list}.txt`), 'utf8')
    .split('\n')
    .filter((row) => row !== '');
}

/** One alternative of a pattern for the rows of lists, each to the letter; of those that begin alike the longest comes first. */
export function anyOf(...lists: readonly string[]): string {
  const rows = lists.flatMap(listed).sort((a, b) => b.length - a.length);
  return `(?:${rows.map((row) => row.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)).join('|')})`;
}
