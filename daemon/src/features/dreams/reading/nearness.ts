import { inEnglish } from '../../../language/abroad/in-english.ts';
import { type Lexicon, loadLexicon, phraseWords } from '../../../language/words/lexicon.ts';
import { stem } from '../../../language/words/porter.ts';
import type { DreamMemory } from '../dream-memory.ts';
import type { NearestTable } from '../thread/neighbours.ts';
import { hashOf } from '../../../language/words/words.ts';

/** A note near another one; larger is nearer. */
export interface Near {
  readonly id: number;
  readonly nearness: number;
}

/** A word or concept that more notes have says little of any two of them. */
const RARE = 12;
/** Characters of a note whose words are read. */
const READ = 3_000;
/** What shared rare words and concepts may add to the likeness of two notes (a cosine), and partners that are kept of each. */
const WORTH = 0.5;
const PARTNERS = 32;
/** Softens the difference between the first partners of a note. */
const SOFT = 4;

/**
 * Says which notes have to do with a note, the nearest first: their vectors are alike, or they share words, names, numbers or concepts that few
 * others have, in whichever of the languages that the dictionary knows. What counts is how each ranks among the partners of the other, so that
 * a note that is like many does not keep others from their partners. `nearest` knows the vectors of the memories, by their place.
 */
export function nearnessOf(
  memories: readonly DreamMemory[],
  nearest: () => NearestTable,
): (id: number) => readonly Near[] {
  const places = new Map(memories.map(({ id }, place) => [id, place]));
  // Seconds for 10,000 notes, and nobody asks where all of them fit on one sheet.
  let known: Int32Array | undefined;
  return (id) => {
    const partners = (known ??= partnersOf(memories, nearest()));
    const place = places.get(id) ?? -1;
    return listOf(partners, place)
      .map((other, rank) => {
        const back = listOf(partners, other).indexOf(place);
        const nearness = worthOf(rank) + (back < 0 ? 0 : worthOf(back));
        return { id: memories[other]?.id ?? -1, nearness };
      })
      .sort((a, b) => b.nearness - a.nearness || a.id - b.id);
  };
}

const worthOf = (rank: number): number => 1 / (SOFT + rank);

/** Places of the partners of a place, the nearest first. */
function listOf(partners: Int32Array, place: number): number[] {
  if (place < 0) return [];
  return Array.from(partners.subarray(place * PARTNERS, (place + 1) * PARTNERS)).filter((one) => one >= 0);
}

/** The nearest partners of all, `PARTNERS` places each, less than none where there are fewer. */
function partnersOf(memories: readonly DreamMemory[], nearest: NearestTable): Int32Array {
  const rare = rareIn(memories);
  const all = Math.log(memories.length + 2);
  const partners = new Int32Array(memories.length * PARTNERS).fill(-1);
  for (const [place, holders] of rare.entries()) {
    const sums = new Map<number, number>();
    for (const held of holders) {
      const weight = Math.log((memories.length + 1) / held.length) / all;
      for (const other of held) if (other !== place) sums.set(other, (sums.get(other) ?? 0) + weight);
    }
    for (const [other, sum] of sums) sums.set(other, WORTH * (1 - 0.5 ** sum));
    for (const { slot: other, cosine } of nearest.of(place))
      sums.set(other, (sums.get(other) ?? 0) + Math.max(0, cosine));
    const idOf = (one: number) => memories[one]?.id ?? -1;
    const best = [...sums].sort((a, b) => b[1] - a[1] || idOf(a[0]) - idOf(b[0])).slice(0, PARTNERS);
    partners.set(
      best.map(([other]) => other),
      place * PARTNERS,
    );
  }
  return partners;
}

/** By the place of each memory: of each of its words and concepts that few have, the places of those. */
function rareIn(memories: readonly DreamMemory[]): (readonly number[])[][] {
  const lexicon = loadLexicon();
  const holders = new Map<string, number[]>();
  for (const [place, memory] of memories.entries())
    for (const one of saidIn(memory, lexicon)) {
      const held = holders.get(one);
      if (!held) holders.set(one, [place]);
      // One more than few tells that they are many.
      else if (held.length <= RARE) held.push(place);
    }
  const rare = memories.map((): number[][] => []);
  for (const held of holders.values())
    if (held.length > 1 && held.length <= RARE) for (const place of held) rare[place]?.push(held);
  return rare;
}

/** Stems, and numbers of concepts after a `#`, of what a note says, in English. */
function saidIn({ value, key, tags }: DreamMemory, lexicon: Lexicon): Set<string> {
  const stems = phraseWords(inEnglish(`${key}\n${tags.join('\n')}\n${value.slice(0, READ)}`)).map((word) =>
    stem(word),
  );
  const concepts = lexicon
    .namings(stems.map(hashOf), stems.length)
    // A phrase of many meanings tells little.
    .flatMap(({ concepts: of }) => (of.length <= 3 ? Array.from(of, (concept) => `#${concept}`) : []));
  return new Set([...stems.filter((one) => one.length > 2), ...concepts]);
}
