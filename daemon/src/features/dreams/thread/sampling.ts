/** Memories that one dream looks at, at most. */
export const SAMPLE = 20_000;

/**
 * At most `size` ids, in their order: always the same ones for the same ids, and mostly the same ones after a few came or went, so that a
 * large namespace is not dreamed of from another corner each night.
 */
export function sample<T extends { id: number }>(all: readonly T[], size = SAMPLE): readonly T[] {
  if (all.length <= size) return all;
  const byChance = all
    .map((one) => ({ one, at: scramble(one.id) }))
    .sort((a, b) => a.at - b.at || a.one.id - b.one.id);
  return byChance
    .slice(0, size)
    .map(({ one }) => one)
    .sort((a, b) => a.id - b.id);
}

/** Multiplies by the golden ratio (Knuth): neighbouring numbers go far apart. */
function scramble(id: number): number {
  return Math.imul(id, 0x9e3779b1) >>> 0;
}
