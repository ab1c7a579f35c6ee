import { isDeepStrictEqual } from 'node:util';
import { diff3Merge } from 'node-diff3';
import type { Content } from './register.ts';

/** What of a memory is merged; `metadata` as JSON. */
export type Said = Pick<Content, 'value' | 'metadata'>;

type Json = Record<string, unknown>;

/** The most that lines which differ are compared, lines times lines: 4,000,000 take some 20 ms. */
const MOST_COMPARED = 4_000_000;

/**
 * What two changes of one memory come to: lines of the text that only one of them touched, tags as sets, other metadata key by key. Undefined where both
 * changed the same, each in its way. The order of tags and keys is that of `first`.
 */
export function mergeSaid(base: Said, first: Said, second: Said): Said | undefined {
  const value = mergeText(base.value, first.value, second.value);
  if (value === undefined || value === '') return undefined;
  if (first.metadata === second.metadata) return { value, metadata: first.metadata };
  const [from, one, other] = [base, first, second].map(({ metadata }) => objectOf(metadata));
  const merged = from && one && other && mergeMetadata(from, one, other);
  return merged && { value, metadata: JSON.stringify(merged) };
}

function objectOf(json: string): Json | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Json)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A text with the changes that two made of it; undefined where they touch the same lines, or lines side by side, or there is too much to compare. */
export function mergeText(base: string, first: string, second: string): string | undefined {
  if (first === second || second === base) return first;
  if (first === base) return second;
  const [from, one, other] = [base, first, second].map((text) => text.split('\n')) as [
    string[],
    string[],
    string[],
  ];
  const shortest = Math.min(from.length, one.length, other.length);
  const isShared = (at: (lines: string[]) => string | undefined) =>
    at(from) === at(one) && at(from) === at(other);
  let head = 0;
  while (head < shortest && isShared((lines) => lines[head])) head += 1;
  let tail = 0;
  while (tail < shortest - head && isShared((lines) => lines[lines.length - 1 - tail])) tail += 1;
  const middle = (lines: string[]) => lines.slice(head, lines.length - tail);
  const [o, a, b] = [middle(from), middle(one), middle(other)];
  if ((o.length + 1) * Math.max(a.length, b.length) > MOST_COMPARED) return undefined;
  const regions = diff3Merge(a, o, b, { excludeFalseConflicts: true });
  const merged: string[] = [];
  for (const { ok } of regions) {
    if (!ok) return undefined;
    merged.push(...ok);
  }
  return [...from.slice(0, head), ...merged, ...from.slice(from.length - tail)].join('\n');
}

/** Metadata key by key, of which each is changed by one at most, or by both alike; tags are a set. */
function mergeMetadata(base: Json, first: Json, second: Json): Json | undefined {
  const merged: Json = {};
  for (const key of new Set([...Object.keys(first), ...Object.keys(second)])) {
    const [from, one, other] = [base, first, second].map((of) =>
      Object.hasOwn(of, key) ? of[key] : undefined,
    );
    const tags = key === 'tags' ? mergeTags(from, one, other) : undefined;
    if (tags) {
      if (tags.length > 0) merged[key] = tags;
      continue;
    }
    if (!isDeepStrictEqual(one, from) && !isDeepStrictEqual(other, from) && !isDeepStrictEqual(one, other))
      return undefined;
    const value = isDeepStrictEqual(one, from) ? other : one;
    if (value !== undefined)
      Object.defineProperty(merged, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return merged;
}

/** A tag as it is compared, whatever its case and accents; one that is too long to be a tag as it stands: normalising marks takes quadratic time. */
const folded = (tag: string) =>
  tag.length > 200 ? tag : tag.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();

const listOf = (tags: unknown): string[] | undefined =>
  tags === undefined
    ? []
    : Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')
      ? tags
      : undefined;

/** The tags of both, without those that either took away; undefined where some are no list of texts. */
function mergeTags(base: unknown, first: unknown, second: unknown): string[] | undefined {
  const [from, one, other] = [base, first, second].map(listOf);
  if (!from || !one || !other) return undefined;
  const [was, inOne, inOther] = [from, one, other].map((tags) => new Set(tags.map(folded))) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  const isKept = (tag: string) =>
    !was.has(folded(tag)) || (inOne.has(folded(tag)) && inOther.has(folded(tag)));
  const kept = new Map<string, string>();
  for (const tag of [...one, ...other]) if (isKept(tag) && !kept.has(folded(tag))) kept.set(folded(tag), tag);
  return [...kept.values()];
}
