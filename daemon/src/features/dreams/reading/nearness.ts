import { inEnglish } from '../../../language/abroad/in-english.ts';
import { keyOf, type Lexicon, loadLexicon, phraseWords } from '../../../language/lexicon.ts';
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
 * others have, in whichever of the languages that the dictionary knows. What counts is how each ranks among the partners of the other, so that
 * a note that is like many does not keep others from their partners.
 */
export function nearnessOf(view: DreamView): (id: number) => readonly Near[] {
  // Seconds for 10,000 notes, and nobody asks where all of them fit on one sheet.
  let known: ReturnType<typeof ranksOf> | undefined;
  return (id) => {
    const ranks = (known ??= ranksOf(view));
    return [...(ranks.get(id) ?? [])]
      .map(([other, rank]) => ({ id: other, nearness: rank + (ranks.get(other)?.get(id) ?? 0) }))
      .sort((a, b) => b.nearness - a.nearness || a.id - b.id);
  };
}

/** The nearest partners of each note, each with what its rank counts. */
function ranksOf(view: DreamView): Map<number, ReadonlyMap<number, number>> {
  const memories = view.memories();
  const lexicon = loadLexicon();
  const numbers = new Map<string, number>();
  /** By the number of a word or concept, which notes have it, up to one more than are few. */
  const holders: number[][] = [];
  const said = memories.map((memory) => {
    const own = Uint32Array.from(saidIn(memory, lexicon), (one) => {
      const known = numbers.get(one);
      if (known !== undefined) return known;
      numbers.set(one, holders.length);
      return holders.push([]) - 1;
    });
    for (const one of own) {
      const held = holders[one];
      if (held && held.length <= RARE) held.push(memory.id);
    }
    return own;
  });
  const all = Math.log(memories.length + 2);
  return new Map(
    memories.map(({ id }, at): [number, ReadonlyMap<number, number>] => {
      const sums = new Map<number, number>();
      for (const one of said[at] ?? []) {
        const held = holders[one] ?? [];
        if (held.length > RARE) continue;
        const weight = Math.log((memories.length + 1) / held.length) / all;
        for (const other of held) if (other !== id) sums.set(other, (sums.get(other) ?? 0) + weight);
      }
      for (const [other, sum] of sums) sums.set(other, WORTH * (1 - 0.5 ** sum));
      for (const { id: other, cosine } of view.neighbours(id, NEIGHBOURS))
        sums.set(other, (sums.get(other) ?? 0) + Math.max(0, cosine));
      const nearest = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, PARTNERS);
      return [id, new Map(nearest.map(([other], rank) => [other, 1 / (SOFT + rank)]))];
    }),
  );
}

/** Stems, and numbers of concepts after a `#`, of what a note says, in English. */
function saidIn({ value, key, tags }: DreamMemory, lexicon: Lexicon): Set<string> {
  const stems = phraseWords(inEnglish(`${key}\n${tags.join('\n')}\n${value.slice(0, READ)}`)).map((word) =>
    stem(word),
  );
  const concepts = lexicon
    .namings(stems.map(keyOf), stems.length)
    // A phrase of many meanings tells little.
    .flatMap(({ concepts: of }) => (of.length <= 3 ? Array.from(of, (concept) => `#${concept}`) : []));
  return new Set([...stems.filter((one) => one.length > 2), ...concepts]);
}
