import type { JsonObject } from '@reverie/shared/contract/fields';

/** The tags of a memory; none where `metadata.tags` is something else than a list of texts. */
export function tagsOf(metadata: JsonObject): readonly string[] {
  const { tags } = metadata;
  return Array.isArray(tags) && tags.every((tag): tag is string => typeof tag === 'string') ? tags : [];
}

/** A tag as an operator of a search. */
export function tagOperator(tag: string): string {
  return /^[^\s"“”]*[^\s"“”.,;:?!)]$/u.test(tag) ? `tag:${tag}` : `tag:"${tag}"`;
}

/** How often each tag stands in some memories, the most frequent first. */
export function countTags(
  of: readonly { metadata: JsonObject }[],
): readonly (readonly [tag: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { metadata } of of)
    for (const tag of tagsOf(metadata)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
}
