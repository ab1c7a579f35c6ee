import fs from 'node:fs';

import type { z } from 'zod';

/** Parses each line of a JSON Lines file; names file and line where one is wrong. */
export function readJsonl<T extends z.ZodType>(file: string, line: T): z.output<T>[] {
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, at) => {
      if (text.trim() === '') return [];
      const parsed = line.safeParse(JSON.parse(text));
      if (!parsed.success) throw new Error(`${file}:${at + 1}: ${parsed.error.message}`);
      return [parsed.data];
    });
}

/** Parses a JSON file; names the file and the first fields that are not as documented. */
export function readJson<T extends z.ZodType>(file: string, shape: T): z.output<T> {
  const parsed = shape.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  const some = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`${file} is not of the documented format: ${some.join('; ')}`);
}
