import { keyOf, loadLexicon, phraseWords } from '../../../language/lexicon.ts';
import { stem } from '../../../language/porter.ts';
import { type ReadMemory, readNamespace } from '../notes/reading.ts';
import { type DreamView, NEIGHBOURS } from '../strategies/strategy.ts';

/** Terms and concepts that more memories share say little of any two of them. */
const RARE = { term: 20, concept: 30 } as const;
/** Terms and concepts beyond this bring two memories no nearer: else long ones are near to all. */
const MOST_SHARED = 2;
const WORTH = 0.25;
/** Partners that count for a memory. */
const PARTNERS = 60;
/** Softens the difference between the first partners of a memory. */
const SOFT = 4;
/** The nearest partners of a memory that are looked at: a long document has to do with thousands. */
const KEPT = 400;
/** Of two pairs of equal ranks the nearer one comes first. */
const TIE = 0.001;

/** How well two memories go together on one sheet, by the ids of both; larger is better. */
export type Affinities = ReadonlyMap<number, ReadonlyMap<number, number>>;

/**
 * Which memories may be about one thing: their vectors are near, or they share rare words or concepts. What counts is how each ranks among
 * the partners of the other, so that a memory that is like many does not keep others from their partners. Memories of one conversation, or
 * with the same text, are no pair.
 */
export function affinitiesOf(view: DreamView, among: readonly ReadMemory[]): Affinities {
  const partnersOf = nearnessOf(view, among);
  const near = new Map(among.map(({ memory: { id } }, at) => [id, nearest(partnersOf(at))]));
  const ranks = new Map([...near].map(([id, partners]) => [id, rankOf(partners)]));
  const affinities = new Map([...near.keys()].map((id) => [id, new Map<number, number>()]));
  for (const [id, partners] of near)
    for (const [other, nearness] of partners) {
      const affinity =
        1 / (SOFT + (ranks.get(id)?.get(other) ?? PARTNERS)) +
        1 / (SOFT + (ranks.get(other)?.get(id) ?? PARTNERS)) +
        TIE * nearness;
      affinities.get(id)?.set(other, affinity);
      affinities.get(other)?.set(id, affinity);
    }
  return affinities;
}

type Partner = readonly [id: number, nearness: number];

function nearest(partners: Partner[]): Partner[] {
  return partners.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, KEPT);
}

function rankOf(partners: readonly Partner[]): Map<number, number> {
  return new Map(partners.slice(0, PARTNERS).map(([id], index) => [id, index + 1]));
}

/** How near the memories that have to do with one are to it, by their ids. One after the other, for all pairs at once take gigabytes. */
function nearnessOf(view: DreamView, among: readonly ReadMemory[]): (at: number) => Partner[] {
  const cosines = cosinesOf(view, among);
  const size = Math.log(among.length + 2);
  const reading = readNamespace(view);
  const terms = sharedBy(
    among,
    ({ terms }) => Array.from(terms, (term) => [term, 1] as const),
    (term, having) => (having > RARE.term ? 0 : reading.weight(term) / size),
  );
  const concepts = sharedBy(among, conceptsOf, (_, having) =>
    having > RARE.concept ? 0 : Math.log((among.length + 1) / having) / size,
  );
  const near = createSums(among.length);
  return (at) => {
    const one = among[at];
    if (!one) return [];
    for (const [place, cosine] of cosines(at)) near.add(place, Math.max(0, cosine));
    for (const shared of [terms, concepts])
      shared(at, (place, mass) => near.add(place, WORTH * Math.min(MOST_SHARED, mass)));
    const partners: Partner[] = [];
    near.take((place, nearness) => {
      const other = among[place];
      if (other && other !== one && !isOne(one, other)) partners.push([other.memory.id, nearness]);
    });
    return partners;
  };
}

interface Sums {
  add(place: number, value: number): void;
  /** Tells each place that something was added to, with its sum, and begins anew. */
  take(tell: (place: number, sum: number) => void): void;
}

/** Sums by place, in an array that is used again and again. */
function createSums(count: number): Sums {
  const sums = new Float64Array(count);
  const isTouched = new Uint8Array(count);
  const touched: number[] = [];
  return {
    add(place, value) {
      if (isTouched[place] === 0) touched.push(place);
      isTouched[place] = 1;
      sums[place] = (sums[place] ?? 0) + value;
    },
    take(tell) {
      for (const place of touched) {
        tell(place, sums[place] ?? 0);
        sums[place] = 0;
        isTouched[place] = 0;
      }
      touched.length = 0;
    },
  };
}

/** The cosines of a memory with those that are among its nearest, or the other way round, by their places. */
function cosinesOf(
  view: DreamView,
  among: readonly ReadMemory[],
): (at: number) => ReadonlyMap<number, number> {
  const places = new Map(among.map(({ memory: { id } }, at) => [id, at]));
  const cosines = among.map(() => new Map<number, number>());
  for (const [at, { memory }] of among.entries())
    for (const { id, cosine } of view.neighbours(memory.id, NEIGHBOURS)) {
      const place = places.get(id);
      if (place === undefined) continue;
      cosines[at]?.set(place, cosine);
      cosines[place]?.set(at, cosine);
    }
  return (at) => cosines[at] ?? new Map<number, number>();
}

/** What the words of a memory may mean, and how surely. */
function conceptsOf({ sentences }: ReadMemory): Map<number, number> {
  const lexicon = loadLexicon();
  const found = new Map<number, number>();
  for (const { text } of sentences) {
    const words = phraseWords(text).map((word) => stem(word));
    for (const { concepts } of lexicon.namings(words.map(keyOf), words.length))
      for (const concept of concepts)
        found.set(concept, Math.max(found.get(concept) ?? 0, 1 / Math.sqrt(concepts.length)));
  }
  return found;
}

/** What two memories share of what few say, by place of the other one; what weighs nothing is not shared. */
function sharedBy<T>(
  among: readonly ReadMemory[],
  saying: (one: ReadMemory) => Iterable<readonly [T, number]>,
  weight: (said: T, having: number) => number,
): (at: number, tell: (place: number, mass: number) => void) => void {
  const holders = new Map<T, { worth: number; places: number[]; sure: number[] }>();
  for (const [at, one] of among.entries())
    for (const [said, sure] of saying(one)) {
      const held = holders.get(said);
      if (!held) holders.set(said, { worth: 0, places: [at], sure: [sure] });
      else {
        held.places.push(at);
        held.sure.push(sure);
      }
    }
  // What a memory says that few others do, in one order for all, so that sums are the same from either side.
  const shared = among.map((): { worth: number; places: number[]; sure: number[] }[] => []);
  for (const [said, held] of holders) {
    held.worth = held.places.length < 2 ? 0 : weight(said, held.places.length);
    if (held.worth > 0) for (const at of held.places) shared[at]?.push(held);
  }
  const masses = createSums(among.length);
  return (at, tell) => {
    for (const { worth, places, sure } of shared[at] ?? []) {
      const own = sure[places.indexOf(at)] ?? 0;
      for (const [nth, other] of places.entries())
        if (other !== at) masses.add(other, worth * Math.min(own, sure[nth] ?? 0));
    }
    masses.take(tell);
  };
}

function isOne({ memory: a }: ReadMemory, { memory: b }: ReadMemory): boolean {
  return (a.session !== null && a.session === b.session) || a.digest === b.digest;
}
