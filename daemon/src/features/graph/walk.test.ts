import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LinkTo, walk } from './walk.ts';

const to = (memory: number, weight = 0.5): LinkTo => ({ to: memory, kind: 'similar', why: '', weight });

describe('a walk over linked memories', () => {
  it('goes outwards, nearest first, strongest first', () => {
    const links: Record<number, LinkTo[]> = {
      1: [to(2, 0.2), to(3, 0.9)],
      2: [to(4)],
      3: [to(5)],
      4: [],
      5: [],
    };
    const { hops } = walk([1], 10, (memory) => links[memory] ?? []);
    expect([...hops]).toEqual([
      [1, 0],
      [3, 1],
      [2, 1],
      [5, 2],
      [4, 2],
    ]);
  });

  it('keeps a pair once, whichever side names it, and a second one for another reason', () => {
    const same: LinkTo = { to: 2, kind: 'session', why: 'next', weight: 0.4 };
    const { links } = walk([1], 10, (memory) => (memory === 1 ? [to(2), same] : [to(1)]));
    expect(links.map(({ kind }) => kind).sort()).toEqual(['session', 'similar']);
  });

  it('goes on from the next beginning where nothing leads further', () => {
    const links: Record<number, LinkTo[]> = { 1: [to(2)], 3: [to(4)] };
    const { hops, links: kept } = walk([1, 2, 3], 10, (memory) => links[memory] ?? []);
    expect([...hops]).toEqual([
      [1, 0],
      [2, 1],
      [3, undefined],
      [4, undefined],
    ]);
    expect(kept).toHaveLength(2);
    expect([...walk([1, 3], 1, () => []).hops.keys()]).toEqual([1]);
  });

  it('lets no memory lead to more than eight others', () => {
    const { hops } = walk([0], 100, (memory) =>
      memory === 0 ? Array.from({ length: 20 }, (_, n) => to(n + 1)) : [],
    );
    expect(hops.size).toBe(9);
  });

  it('reaches no more than it may, and links only what it reached', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(15), fc.nat(15)), { maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        (pairs, limit) => {
          const linksOf = (memory: number) =>
            pairs.flatMap(([a, b]) => (a === memory ? [to(b)] : b === memory ? [to(a)] : []));
          const { hops, links } = walk([0], limit, linksOf);
          expect(hops.size).toBeLessThanOrEqual(limit);
          for (const link of links)
            expect(hops.has(link.from) && hops.has(link.to) && link.from !== link.to).toBe(true);
          const pairsSeen = links.map(({ from, to: end }) => [from, end].sort((a, b) => a - b).join());
          expect(new Set(pairsSeen).size).toBe(pairsSeen.length);
        },
      ),
    );
  });
});
