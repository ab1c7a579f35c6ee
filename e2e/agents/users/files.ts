import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml } from '@decimalturn/toml-patch';

/** Files as they are; undefined for one that is not there. */
export type Files = ReadonlyMap<string, string | undefined>;

export function read(paths: Iterable<string>): Files {
  return new Map(
    [...paths].map((file) => [file, fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined]),
  );
}

/** The files that are not as they were. */
export function changed(before: Files, after: Files): string[] {
  return [...before.keys()].filter((file) => before.get(file) !== after.get(file));
}

/** Whether the second text is the first without anything of Reverie, both read as JSON or TOML. */
export function isWithoutOurs(file: string, [whole, left]: readonly [string, string]): boolean {
  const parse = (text: string): unknown =>
    file.endsWith('.toml') ? parseToml(text) : (JSON.parse(text) as unknown);
  return (
    !left.includes('reverie.cjs') && isDeepStrictEqual(withoutOurs(parse(whole)), withoutOurs(parse(left)))
  );
}

/** A value without what is ours, and without what is empty then. */
function withoutOurs(value: unknown): unknown {
  if (Array.isArray(value)) {
    const left = value.filter((item) => !JSON.stringify(item).includes('reverie.cjs'));
    return left.length > 0 ? left.map(withoutOurs) : undefined;
  }
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value)
    .filter(([key]) => key !== 'reverie')
    .map(([key, one]) => [key, withoutOurs(one)] as const)
    .filter(([, one]) => one !== undefined);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}
