import type { Reading } from '../reading.ts';
import type { DreamView } from '../strategy.ts';
import type { Stating } from './stating.ts';

/** Pairs that are judged for each memory, and of a whole namespace: more find little more, and cost as much each. */
const MOST = { each: 12, all: 10_000 } as const;
const NEAR = 16;
/** Memories that share a term are looked at one by one only where the term is rare. */
const RARE = { least: 6, share: 0.02, most: 12 } as const;

/** What more memories state nominates none of them. */
const STATING = 12;

export interface Nominated {
  readonly older: number;
  readonly newer: number;
  /** 0 for the best of the newer one. */
  readonly rankForNewer: number;
}

/** Pairs of memories of which the newer may speak against the older: near by the vectors, on either side, sharing rare terms, or stating the same attribute. */
export function candidatesOf(reading: Reading, view: DreamView, { by }: Stating): Nominated[] {
  const order = new Map(reading.memories.map(({ memory }, at) => [memory.id, at]));
  const scores = new Map<number, Map<number, number>>();
  const add = (a: number, b: number, score: number): void => {
    const [x, y] = [order.get(a), order.get(b)];
    if (x === undefined || y === undefined || x === y) return;
    const [older, newer] = x < y ? [a, b] : [b, a];
    let list = scores.get(newer);
    if (!list) scores.set(newer, (list = new Map<number, number>()));
    list.set(older, (list.get(older) ?? 0) + score);
  };
  for (const { memory } of reading.memories)
    for (const { id, cosine } of view.neighbours(memory.id, NEAR))
      add(memory.id, id, Math.max(0, cosine) / 2);
  const size = reading.memories.length;
  const most = Math.min(RARE.most, Math.max(RARE.least, size * RARE.share));
  const each = Math.max(1, Math.min(MOST.each, Math.floor(MOST.all / Math.max(1, size))));
  const holders = new Map<string, number[]>();
  for (const { memory, terms } of reading.memories)
    for (const term of terms)
      if (reading.frequency(term) <= most && reading.frequency(term) > 1) {
        const list = holders.get(term);
        if (list) list.push(memory.id);
        else holders.set(term, [memory.id]);
      }
  const largest = Math.log(reading.memories.length + 2);
  for (const [term, ids] of holders)
    for (const [at, a] of ids.entries())
      for (const b of ids.slice(at + 1)) add(a, b, (0.25 * reading.weight(term)) / largest);
  for (const stating of by.values())
    if (stating.length <= STATING)
      for (const [at, a] of stating.entries())
        for (const b of stating.slice(at + 1))
          add(a.id, b.id, (0.5 * Math.sqrt(a.strength * b.strength)) / Math.sqrt(stating.length - 1));
  return [...scores].flatMap(([newer, list]) => {
    const sorted = [...list].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return sorted.slice(0, each).map(([older], rankForNewer) => ({ older, newer, rankForNewer }));
  });
}
