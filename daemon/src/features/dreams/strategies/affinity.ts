import { keyOf, loadLexicon, phraseWords } from '../../../language/lexicon.ts';
import { stem } from '../../../language/porter.ts';
import { type ReadMemory, readingOf } from './reading.ts';
import { type DreamView, NEIGHBOURS } from './strategy.ts';

/** Terms and concepts that more memories share say little of any two of them. */
const RARE = { term: 20, concept: 30 } as const;
/** Terms and concepts beyond this bring two memories no nearer: else long ones are near to all. */
const MOST_SHARED = 2;
const WORTH = 0.25;
/** Partners that count for a memory. */
const PARTNERS = 60;
/** Softens the difference between the first partners of a memory. */
const SOFT = 4;
/** Of two pairs of equal ranks the nearer one comes first. */
const TIE = 0.001;

/** How much two memories belong on one sheet, by the id of each. */
export type Affinities = ReadonlyMap<number, ReadonlyMap<number, number>>;

/**
 * Which memories may be about one thing: near by the vectors, or by rare words, or by what their words mean. What counts is the rank on either
 * side, so that a memory that is like many does not keep the others from their partners. One conversation, and the same text, are no pair.
 */
export function affinitiesOf(view: DreamView, among: readonly ReadMemory[]): Affinities {
  const near = nearnessOf(view, among);
  const ranks = new Map([...near].map(([id, partners]) => [id, rankOf(partners)]));
  return new Map(
    [...near].map(([id, partners]) => [
      id,
      new Map(
        [...partners].map(([other, nearness]) => [
          other,
          1 / (SOFT + (ranks.get(id)?.get(other) ?? PARTNERS)) +
            1 / (SOFT + (ranks.get(other)?.get(id) ?? PARTNERS)) +
            TIE * nearness,
        ]),
      ),
    ]),
  );
}

function rankOf(partners: ReadonlyMap<number, number>): Map<number, number> {
  const sorted = [...partners].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, PARTNERS);
  return new Map(sorted.map(([id], index) => [id, index + 1]));
}

/** How near pairs of memories are, on both sides of each pair. */
function nearnessOf(view: DreamView, among: readonly ReadMemory[]): Map<number, Map<number, number>> {
  const byId = new Map(among.map((one) => [one.memory.id, one]));
  const near = new Map(among.map(({ memory: { id } }) => [id, new Map<number, number>()]));
  const add = (one: ReadMemory, other: ReadMemory, score: number): void => {
    if (one === other || isOne(one, other)) return;
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const)
      near.get(a.memory.id)?.set(b.memory.id, (near.get(a.memory.id)?.get(b.memory.id) ?? 0) + score);
  };
  const neighbours = new Map<string, number>();
  for (const { memory } of among)
    for (const { id, cosine } of view.neighbours(memory.id, NEIGHBOURS))
      if (byId.has(id)) neighbours.set([memory.id, id].sort((a, b) => a - b).join(' '), cosine);
  for (const [pair, cosine] of neighbours) {
    const [a, b] = pair.split(' ').map((id) => byId.get(Number(id)));
    if (a && b) add(a, b, Math.max(0, cosine));
  }
  const size = Math.log(among.length + 2);
  const reading = readingOf(view);
  const terms = sharedBy(among, ({ terms }) => new Map([...terms].map((term) => [term, 1])), RARE.term);
  for (const { a, b, mass } of terms((term) => reading.weight(term) / size)) add(a, b, WORTH * mass);
  const lexicon = loadLexicon();
  const conceptsOf = ({ sentences }: ReadMemory): Map<string, number> => {
    const found = new Map<string, number>();
    for (const { text } of sentences) {
      const words = phraseWords(text).map((word) => stem(word));
      for (const { concepts } of lexicon.namings(words.map(keyOf), words.length))
        for (const concept of concepts)
          found.set(
            String(concept),
            Math.max(found.get(String(concept)) ?? 0, 1 / Math.sqrt(concepts.length)),
          );
    }
    return found;
  };
  const concepts = sharedBy(among, conceptsOf, RARE.concept);
  for (const { a, b, mass } of concepts((_, having) => Math.log((among.length + 1) / having) / size))
    add(a, b, WORTH * mass);
  return near;
}

interface SharedMass {
  readonly a: ReadMemory;
  readonly b: ReadMemory;
  readonly mass: number;
}

/** The pairs of memories that say something that few say, with how much it weighs. */
function sharedBy(
  among: readonly ReadMemory[],
  saying: (one: ReadMemory) => ReadonlyMap<string, number>,
  most: number,
): (weight: (said: string, having: number) => number) => SharedMass[] {
  const holders = new Map<string, { one: ReadMemory; sure: number }[]>();
  for (const one of among)
    for (const [said, sure] of saying(one)) {
      const list = holders.get(said);
      if (list) list.push({ one, sure });
      else holders.set(said, [{ one, sure }]);
    }
  return (weight) => {
    const masses = new Map<ReadMemory, Map<ReadMemory, number>>();
    for (const [said, having] of holders) {
      if (having.length < 2 || having.length > most) continue;
      const worth = weight(said, having.length);
      for (const [at, { one: a, sure }] of having.entries())
        for (const { one: b, sure: other } of having.slice(at + 1)) {
          let of = masses.get(a);
          if (!of) masses.set(a, (of = new Map<ReadMemory, number>()));
          of.set(b, (of.get(b) ?? 0) + worth * Math.min(sure, other));
        }
    }
    return [...masses].flatMap(([a, of]) =>
      [...of].map(([b, mass]) => ({ a, b, mass: Math.min(MOST_SHARED, mass) })),
    );
  };
}

function isOne({ memory: a }: ReadMemory, { memory: b }: ReadMemory): boolean {
  return (a.session !== null && a.session === b.session) || a.digest === b.digest;
}
