import { type Affinities, affinitiesOf } from './affinity.ts';
import { readNamespace } from '../notes/reading.ts';
import type { DreamMemory, DreamView } from '../strategies/strategy.ts';

/** The newest memories that are looked at: of more, this takes minutes. */
const MOST = 4_000;

const known = new WeakMap<DreamView, Affinities>();

/** How much the newest memories of a view have to do with each other; worked out once. */
export function affinitiesIn(view: DreamView): Affinities {
  let affinities = known.get(view);
  if (!affinities)
    known.set(view, (affinities = affinitiesOf(view, readNamespace(view).memories.slice(-MOST))));
  return affinities;
}

/** The memories that have most to do with some others, the nearest first, of those that may be taken. */
export function nearestTo(
  view: DreamView,
  ids: readonly number[],
  { most, may }: { most: number; may: (memory: DreamMemory) => boolean },
): DreamMemory[] {
  const { byId } = readNamespace(view);
  const affinities = affinitiesIn(view);
  const worth = new Map<number, number>();
  for (const id of ids)
    for (const [other, affinity] of affinities.get(id) ?? [])
      if (!ids.includes(other)) worth.set(other, Math.max(worth.get(other) ?? 0, affinity));
  return [...worth]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .flatMap(([id]) => byId.get(id)?.memory ?? [])
    .filter(may)
    .slice(0, most);
}
