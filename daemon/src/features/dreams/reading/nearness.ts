import type { DreamMemory, DreamView } from '../strategies/strategy.ts';
import { NEIGHBOURS } from '../strategies/strategy.ts';

/** A note near another one; larger is nearer. */
export interface Near {
  readonly id: number;
  readonly nearness: number;
}

/** A word that more notes have says little of any two of them. */
const RARE = 12;
/** Words, names, numbers and links that are read of one note. */
const MOST_WORDS = 400;
/** What shared rare words may add to the likeness of two notes (a cosine), and partners that are kept of each. */
const WORTH = 0.5;
const PARTNERS = 32;

/** Says which notes have to do with a note, the nearest first: their vectors are alike, or they share words that few others have. */
export function nearnessOf(view: DreamView): (id: number) => readonly Near[] {
  const memories = view.memories();
  const words = new Map(memories.map((memory) => [memory.id, wordsOf(memory)]));
  const holders = new Map<string, number[]>();
  for (const [id, own] of words)
    for (const word of own) {
      const held = holders.get(word);
      if (!held) holders.set(word, [id]);
      else if (held.length <= RARE) held.push(id);
    }
  const all = Math.log(memories.length + 2);
  return (id) => {
    const sums = new Map<number, number>();
    for (const word of words.get(id) ?? []) {
      const held = holders.get(word) ?? [];
      if (held.length > RARE) continue;
      const weight = Math.log((memories.length + 1) / held.length) / all;
      for (const other of held) if (other !== id) sums.set(other, (sums.get(other) ?? 0) + weight);
    }
    const near = new Map([...sums].map(([other, sum]) => [other, WORTH * (1 - 0.5 ** sum)]));
    for (const { id: other, cosine } of view.neighbours(id, NEIGHBOURS))
      near.set(other, (near.get(other) ?? 0) + Math.max(0, cosine));
    return [...near]
      .map(([other, nearness]) => ({ id: other, nearness }))
      .sort((a, b) => b.nearness - a.nearness || a.id - b.id)
      .slice(0, PARTNERS);
  };
}

function wordsOf({ value, key, tags }: DreamMemory): Set<string> {
  const text = `${key}\n${tags.join('\n')}\n${value}`
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '');
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}_-]{2,}/gu) ?? [];
  return new Set(words.slice(0, MOST_WORDS));
}
