import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines of a set's file; one that is no JSON goes to `problems` with its place. */
export function rowsOf(folder, name, problems) {
  return readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      if (line === '') return [];
      try {
        return [JSON.parse(line)];
      } catch (error) {
        problems.push(`${name}:${i + 1}: ${error.message}`);
        return [];
      }
    });
}
