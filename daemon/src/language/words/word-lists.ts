import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DATA = join(import.meta.dirname, '../../../data');

/** The rows of a list in `daemon/data`, as they stand in its file: `dreams/titles`. */
export function listed(list: string): string[] {
  return readFileSync(join(DATA, `${list}.txt`), 'utf8')
    .split('\n')
    .filter((row) => row !== '');
}
