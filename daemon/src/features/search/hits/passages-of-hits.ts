import type { Passage } from '@reverie/shared/contract/search/passage';
import { chunkPositions } from '../ranking/candidates.store.ts';
import type { PiecewiseDeps, Query } from '../query/query.ts';
import { createPassages } from './passage.ts';

/** A memory that was found, with what is needed to choose the passage that is shown of it. */
export interface HitText {
  readonly id: number;
  readonly value: string;
  /** What it was found by, and its chunks that were. */
  readonly query: Query;
  readonly chunkIds: readonly number[];
}

/** Characters of values that are read before others may have their turn. */
const AT_ONCE = 262_144;

/** The passage that is shown of each memory that was found, by the memory's id; without those that have nothing to show. */
export async function passagesOfHits(
  { store, meanings, yieldToOthers }: Pick<PiecewiseDeps, 'store' | 'meanings' | 'yieldToOthers'>,
  hits: readonly HitText[],
): Promise<Map<number, Passage>> {
  const found = new Map<number, Passage>();
  for (const some of portionsOf(hits)) {
    await yieldToOthers();
    store.read((db) => {
      for (const [query, group] of Map.groupBy(some, (hit) => hit.query)) {
        const choose = createPassages(query, meanings);
        for (const { id, value, chunkIds } of group) {
          const passage = choose(value, () => chunkPositions(db, chunkIds));
          if (passage) found.set(id, passage);
        }
      }
    });
  }
  return found;
}

/** Hits one behind the other, so many together as have so many characters. */
function portionsOf(hits: readonly HitText[]): HitText[][] {
  const portions: HitText[][] = [];
  let left = 0;
  for (const hit of hits) {
    left -= hit.value.length;
    const portion = portions.at(-1);
    if (portion && left >= 0) portion.push(hit);
    else {
      portions.push([hit]);
      left = AT_ONCE - hit.value.length;
    }
  }
  return portions;
}
