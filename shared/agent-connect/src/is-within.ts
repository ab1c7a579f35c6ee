import { isDeepStrictEqual } from 'node:util';

/** Tells whether all fields of an object stand in another one as they are: somebody may have added some. */
export function isWithin(ours: unknown, there: unknown): boolean {
  if (!isRecord(ours) || !isRecord(there)) return isDeepStrictEqual(ours, there);
  return Object.entries(ours).every(([name, value]) => isDeepStrictEqual(value, there[name]));
}

/** Tells whether a value has names, and is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
