import type { JsonObject } from '@reverie/shared/contract/fields';

/**
 * A parsed value as plain JSON, or undefined where it is nested deeper than `depth` levels. Dates become ISO
 * strings, what JSON cannot hold becomes null, lone surrogates become U+FFFD.
 */
export function plainJson(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value !== 'object') return null;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return plainList(value, depth);
  const plain: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) {
    // A key of this name would set the object's prototype instead.
    if (name === '__proto__' || inner === undefined) continue;
    const kept = plainJson(inner, depth - 1);
    if (kept === undefined) return undefined;
    plain[name.toWellFormed()] = kept;
  }
  return plain;
}

function plainList(list: readonly unknown[], depth: number): unknown[] | undefined {
  const plain: unknown[] = [];
  for (const inner of list) {
    const kept = plainJson(inner, depth - 1);
    if (kept === undefined) return undefined;
    plain.push(kept);
  }
  return plain;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
