import type { LinkKind } from '@reverie/shared/contract/search/graph';

/** A memory that another one is linked to, and why. */
export interface LinkTo {
  readonly to: number;
  readonly kind: LinkKind;
  readonly why: string;
  /** How strong it is, 0..1. */
  readonly weight: number;
}

export interface WalkedLink extends LinkTo {
  readonly from: number;
}

export interface WalkedGraph {
  /** Memory ids with their distance from the first beginning, in the order in which they were reached; undefined where nothing leads there from it. */
  readonly hops: ReadonlyMap<number, number | undefined>;
  /** Each pair and kind once, among what was reached. */
  readonly links: readonly WalkedLink[];
}

/** Memories that one leads to at most, so that one with many links does not fill the picture alone. */
const BRANCHES = 8;

/**
 * Breadth first from the first beginning, and on from the next one where nothing leads further, strongest links first, until `limit`
 * memories are reached. Links between those that were reached are kept, the ones that lead further are not.
 */
export function walk(
  beginnings: readonly number[],
  limit: number,
  linksOf: (memory: number) => readonly LinkTo[],
): WalkedGraph {
  const hops = new Map<number, number | undefined>();
  const found = new Map<string, WalkedLink>();
  const ahead: number[] = [];
  const reach = (memory: number, distance: number | undefined) => {
    hops.set(memory, distance);
    ahead.push(memory);
  };
  for (const [place, beginning] of beginnings.entries()) {
    if (hops.size >= limit) break;
    if (!hops.has(beginning)) reach(beginning, place === 0 ? 0 : undefined);
    for (let memory = ahead.shift(); memory !== undefined; memory = ahead.shift()) {
      const distance = hops.get(memory);
      const links = [...linksOf(memory)].sort((a, b) => b.weight - a.weight || a.to - b.to);
      let branches = 0;
      for (const link of links) {
        if (link.to === memory) continue;
        if (!hops.has(link.to)) {
          if (hops.size >= limit || branches >= BRANCHES) continue;
          reach(link.to, distance === undefined ? undefined : distance + 1);
          branches += 1;
        }
        const pair = memory < link.to ? `${memory} ${link.to}` : `${link.to} ${memory}`;
        const name = `${link.kind} ${pair}`;
        if (!found.has(name)) found.set(name, { ...link, from: memory });
      }
    }
  }
  return { hops, links: [...found.values()] };
}
