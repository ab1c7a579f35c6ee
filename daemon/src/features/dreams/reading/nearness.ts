import { inEnglish } from '../../../language/abroad/in-english.ts';
import { keyOf, loadLexicon, phraseWords } from '../../../language/lexicon.ts';
import { stem } from '../../../language/porter.ts';
import { type DreamMemory, type DreamView, NEIGHBOURS } from '../dream-view.ts';

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
 * others have, in whichever of the languages that the dictionary knows.
 */
export function nearnessOf(view: DreamView): (id: number) => readonly Near[] {
  const memories = view.memories();
  const said = new Map(memories.map((memory) => [memory.id, saidIn(memory)]));
  const holders = new Map<string, number[]>();
  for (const [id, own] of said)
    for (const one of own) {
      const held = holders.get(one);
      if (!held) holders.set(one, [id]);
      else if (held.length <= RARE) held.push(id);
    }
  const all = Math.log(memories.length + 2);
  const nearest = (id: number): Near[] => {
    const sums = new Map<number, number>();
    for (const one of said.get(id) ?? []) {
      const held = holders.get(one) ?? [];
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
  const ranks = new Map(
    memories.map(({ id }) => [id, new Map(nearest(id).map((one, at) => [one.id, 1 / (SOFT + at)]))]),
  );
  return (id) => {
    const own = ranks.get(id) ?? new Map<number, number>();
    return [...own]
      .map(([other, rank]) => ({ id: other, nearness: rank + (ranks.get(other)?.get(id) ?? 0) }))
      .sort((a, b) => b.nearness - a.nearness || a.id - b.id);
  };
}

/** Stems, and numbers of concepts after a `#`, of what a note says, in English. */
function saidIn({ value, key, tags }: DreamMemory): Set<string> {
  const stems = phraseWords(inEnglish(`${key}\n${tags.join('\n')}\n${value.slice(0, READ)}`)).map((word) =>
    stem(word),
  );
  const concepts = loadLexicon()
    .namings(stems.map(keyOf), stems.length)
    // A phrase of many meanings tells little.
    .flatMap(({ concepts: of }) => (of.length <= 3 ? Array.from(of, (concept) => `#${concept}`) : []));
  return new Set([...stems.filter((one) => one.length > 2), ...concepts]);
}
