import { loadLexicon } from '../../../language/lexicon.ts';
import { type Bonds, isBound } from './binding.ts';
import { isSpecific } from './concepts.ts';
import { type Group, measure, type Measured } from './evidence.ts';
import { type Occasion, occasionsOf } from './happened.ts';
import { grownFrom, type Pairing, pairingOf } from './growing.ts';
import { type Likeness, likenessOf } from './likeness.ts';
import { readingOf } from './reading.ts';
import { type LinearModel, PAIRS } from './recurrence-model.ts';
import { statedAgain } from './statements.ts';
import { type DreamView, NEIGHBOURS } from './strategy.ts';
import { isSymptom, troubleOf } from './troubles.ts';
import { ofOne } from './whose.ts';

/** How a search that takes long is stopped, and says how far it is (0..1). */
export interface Control {
  isStopped: () => boolean;
  step: (done: number) => void;
}

/** Fewer occasions are no recurrence. */
export const LEAST = 3;
/** More are a habit, or a topic. */
const MOST = 15;
/** What more than this share of a namespace says holds nothing together. */
const COMMON = { share: 0.04, least: 12, most: 100 } as const;
/** Told less than this, it is a rule or how things are. */
const TOLD = 0.4;
/** Told as much, it surely happened. */
const SURELY_TOLD = 0.9;
/** Mean nearness of a group; that of strangers is 0.13. */
const LEAST_NEAR = 0.2;

/** Groups of occasions that may be recurrences, with what was measured of them. */
export function candidatesOf(
  view: DreamView,
  { isStopped, step }: Control,
  model: LinearModel = PAIRS,
): {
  groups: (Group & { measured: Measured })[];
  likeness: Likeness;
  told: readonly Occasion[];
  isName: (said: string) => boolean;
} {
  const reading = readingOf(view);
  const lexicon = loadLexicon();
  const occasions: Occasion[] = [];
  const names = new Set<string>();
  for (const [index, memory] of reading.memories.entries()) {
    if (index % 500 === 0) {
      if (isStopped()) break;
      step((0.3 * index) / reading.memories.length);
    }
    const found = occasionsOf(memory, lexicon);
    occasions.push(...found);
    for (const { sentences } of found)
      for (const { tokens } of sentences)
        for (const { shape, term } of tokens) if (shape === 'name' || shape === 'id') names.add(`t:${term}`);
  }
  const stated = statedAgain(occasions, LEAST);
  const likeness = likenessOf(occasions, {
    memories: reading.memories.length,
    neighbours: (id) => view.neighbours(id, NEIGHBOURS),
  });
  const isName = (said: string) => names.has(said);
  const most = Math.min(COMMON.most, Math.max(COMMON.least, reading.memories.length * COMMON.share));
  const told = occasions.filter((one) => one.told >= TOLD);
  const pairing = pairingOf(told, {
    likeness,
    isName,
    most,
    model,
    neighbours: (id) => view.neighbours(id, NEIGHBOURS),
  });
  const groupBy = (of: readonly Occasion[]) => ({ by: sayingsOf(of, { likeness, most }), occasions: of });
  const groups = groupsOf(told, { likeness, isName, most, pairing, isStopped, step });
  const repeated = stated.filter((of) => of.length <= MOST).map((of) => ({ ...groupBy(of), isStated: true }));
  return {
    groups: [...repeated, ...heldTogether(groups, { likeness, isName })].map((group) => ({
      ...group,
      measured: measure(group, { likeness, pairing, isName }),
    })),
    likeness,
    told,
    isName,
  };
}

/** Groups that tell of something that happened, to one and the same, without what happened to others. */
function heldTogether(groups: readonly Group[], bonds: Bonds): Group[] {
  const kept = new Map<string, Group>();
  for (const group of groups) {
    const occasions = ofOne(group.occasions);
    if (occasions.length < LEAST || !isTold(occasions) || !isBound(occasions, bonds)) continue;
    const trimmed = { ...group, occasions };
    kept.set(idsOf(trimmed), kept.get(idsOf(trimmed)) ?? trimmed);
  }
  return [...kept.values()];
}

interface Grouping extends Control {
  likeness: Likeness;
  isName: (said: string) => boolean;
  most: number;
  pairing: Pairing;
}

/** Occasions that say the same two things, or one that says enough by itself. */
function groupsOf(
  occasions: readonly Occasion[],
  { likeness, isName, most, pairing, isStopped, step }: Grouping,
): Group[] {
  const bySaying = new Map<string, Occasion[]>();
  for (const one of occasions) {
    if (one.told < TOLD) continue;
    for (const said of one.says.keys()) {
      const list = bySaying.get(said);
      if (list) list.push(one);
      else bySaying.set(said, [one]);
    }
  }
  const groups = new Map<string, Group>();
  const add = (by: readonly string[], among: readonly Occasion[]): void => {
    const group = groupOf(by, among, likeness);
    if (!group) return;
    const ids = idsOf(group);
    if (!groups.has(ids)) groups.set(ids, group);
  };
  let done = 0;
  for (const [said, having] of bySaying) {
    done += 1;
    if (done % 200 === 0) {
      if (isStopped()) break;
      step(0.3 + (0.7 * done) / bySaying.size);
    }
    if (said.startsWith('!') || having.length < LEAST || likeness.frequency(said) > most) continue;
    if (having.length <= MOST && saysEnough(said, isName)) add([said], having);
    if (said.startsWith('t')) {
      const failures = having.filter(({ isFailure }) => isFailure);
      if (failures.length < having.length) add([said], failures);
    }
    for (const [other, count] of countsOf(having)) {
      if (count < LEAST || other === said || count > 2 * MOST) continue;
      const frequency = likeness.frequency(other);
      const isTrouble = other.startsWith('!');
      if (!isTrouble && (frequency > 2 * most || (frequency <= most && other < said))) continue;
      if (count < (3 * (having.length * frequency)) / occasions.length) continue;
      add(
        [said, other],
        having.filter((one) => one.says.has(other) && areApart(one, said, other)),
      );
    }
  }
  for (const [index, one] of occasions.entries()) {
    if (index % 200 === 0 && isStopped()) break;
    for (const grown of grownFrom(one, pairing)) {
      const by = sayingsOf(grown, { likeness, most });
      const group = { by, occasions: grown };
      if (by.length > 0 && !groups.has(idsOf(group))) groups.set(idsOf(group), group);
    }
  }
  return [...groups.values()];
}

/** Whether three quarters of a group surely tell of something that happened. */
function isTold(occasions: readonly Occasion[]): boolean {
  return occasions.filter(({ told }) => told >= SURELY_TOLD).length * 4 >= occasions.length * 3;
}

/** What most of a group says, the rarest first. */
function sayingsOf(
  among: readonly Occasion[],
  { likeness, most }: { likeness: Likeness; most: number },
): string[] {
  return [...countsOf(among)]
    .filter(([said, n]) => n > 1 && !said.startsWith('!') && likeness.frequency(said) <= most)
    .sort((a, b) => b[1] * likeness.rarity(b[0]) - a[1] * likeness.rarity(a[0]))
    .slice(0, 2)
    .map(([said]) => said);
}

/** How alike two occasions are, by what they share and by their vectors. */
function alike(a: Occasion, b: Occasion, likeness: Likeness): number {
  return Math.min(1.5, likeness.shared(a, b)) + 0.5 * likeness.nearness(a, b);
}

/** Whether who says it three times has said that something recurs: a name, a symptom, a kind of happening, a word of few trades. */
function saysEnough(said: string, isName: (said: string) => boolean): boolean {
  const term = said.slice(2);
  return (
    said.startsWith('h') ||
    (said.startsWith('t') &&
      (isName(said) || isSymptom(term) || (isSpecific(term) && troubleOf(term) === undefined)))
  );
}

/** How many occasions say what. */
export function countsOf(occasions: readonly Occasion[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { says } of occasions)
    for (const said of says.keys()) counts.set(said, (counts.get(said) ?? 0) + 1);
  return counts;
}

/** Whether two sayings of an occasion are said by different words. */
function areApart({ says }: Occasion, a: string, b: string): boolean {
  const [x, y] = [says.get(a)?.words ?? [], says.get(b)?.words ?? []];
  return x.some((word) => !y.includes(word)) && y.some((word) => !x.includes(word));
}

/** One occasion a day and memory, without those that have little to do with the others; undefined where too few are left. */
function groupOf(by: readonly string[], among: readonly Occasion[], likeness: Likeness): Group | undefined {
  if (among.length < LEAST) return undefined;
  const byDay = new Map<number, Occasion>();
  for (const one of among) {
    const other = byDay.get(one.of.day);
    if (!other || one.told > other.told) byDay.set(one.of.day, one);
  }
  let occasions = [...byDay.values()].sort((a, b) => a.of.day - b.of.day);
  if (occasions.length < LEAST || occasions.length > MOST) return undefined;
  while (occasions.length > LEAST) {
    const means = occasions.map(
      (a) =>
        occasions.reduce((sum, b) => (a === b ? sum : sum + alike(a, b, likeness)), 0) /
        (occasions.length - 1),
    );
    const least = Math.min(...means);
    if (least >= 0.5 * (means.toSorted((a, b) => b - a)[1] ?? 0)) break;
    occasions = occasions.toSpliced(means.indexOf(least), 1);
  }
  return nearnessOf(occasions, likeness) < LEAST_NEAR ? undefined : { by, occasions };
}

/** How near the vectors of occasions are to each other, from first to last: strangers bring no group. */
function nearnessOf(occasions: readonly Occasion[], likeness: Likeness): number {
  let sum = 0;
  for (const [index, one] of occasions.entries())
    for (const other of occasions.slice(index + 1)) sum += likeness.nearness(one, other);
  return (2 * sum) / (occasions.length * (occasions.length - 1));
}

/** The memories of a group, as one text. */
export function idsOf({ occasions }: Group): string {
  return occasions.map(({ of }) => of.memory.id).join(' ');
}
