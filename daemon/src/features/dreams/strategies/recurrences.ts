import { loadLexicon } from '../../../language/lexicon.ts';
import { isSpecific } from './concepts.ts';
import { evidenceFor, type Group } from './evidence.ts';
import { type Occasion, occasionsOf } from './happened.ts';
import { type Likeness, likenessOf } from './likeness.ts';
import { readingOf } from './reading.ts';
import { type DreamView, NEIGHBOURS } from './strategy.ts';
import { isSymptom, troubleOf } from './troubles.ts';

/** Something that happened at least three times, on different days. */
export interface Recurrence {
  /** The terms that most of its occasions share, the one that tells most first. */
  readonly terms: readonly string[];
  /** By day; one a day. */
  readonly occasions: readonly Occasion[];
  /** 0..1: how likely it is one, by what it was fitted on. */
  readonly strength: number;
}

interface Control {
  isStopped: () => boolean;
  step: (done: number) => void;
}

const LEAST = 3;
const MOST = 15;
/** What more than this share of a namespace says holds nothing together. */
const COMMON = { share: 0.04, least: 12, most: 150 } as const;
/** Told less than this, it is a rule or how things are. */
const TOLD = 0.4;
/** Log odds from which a group is proposed. */
const ENOUGH = 1;

const known = new WeakMap<DreamView, readonly Recurrence[]>();

/** What recurs in a namespace, best first; no two of them rest on mostly the same occasions. The second call for a view is free. */
export function recurrencesOf(view: DreamView, control: Control): readonly Recurrence[] {
  const before = known.get(view);
  if (before) return before;
  const found = findRecurrences(view, control);
  if (!control.isStopped()) known.set(view, found);
  return found;
}

function findRecurrences(view: DreamView, { isStopped, step }: Control): Recurrence[] {
  const reading = readingOf(view);
  const lexicon = loadLexicon();
  const occasions: Occasion[] = [];
  const names = new Set<string>();
  for (const [index, memory] of reading.memories.entries()) {
    if (index % 500 === 0) {
      if (isStopped()) return [];
      step((0.3 * index) / reading.memories.length);
    }
    const found = occasionsOf(memory, lexicon);
    occasions.push(...found);
    for (const { sentences } of found)
      for (const { tokens } of sentences)
        for (const { shape, term } of tokens) if (shape === 'name' || shape === 'id') names.add(`t:${term}`);
  }
  const likeness = likenessOf(occasions, {
    memories: reading.memories.length,
    neighbours: (id) => view.neighbours(id, NEIGHBOURS),
  });
  const isName = (said: string) => names.has(said);
  const groups = groupsOf(occasions, {
    likeness,
    isName,
    most: Math.min(COMMON.most, Math.max(COMMON.least, reading.memories.length * COMMON.share)),
    isStopped,
    step,
  });
  const scored = groups
    .map((group) => ({ group, odds: evidenceFor(group, likeness, isName) }))
    .filter(({ odds }) => odds >= ENOUGH)
    .sort((a, b) => b.odds - a.odds || (idsOf(a.group) < idsOf(b.group) ? -1 : 1));
  return withoutRepeats(scored).map(({ group, odds }) => ({
    terms: termsOf(group, likeness),
    occasions: group.occasions,
    strength: 1 / (1 + Math.exp(-odds)),
  }));
}

interface Grouping extends Control {
  likeness: Likeness;
  isName: (said: string) => boolean;
  most: number;
}

/** Occasions that say the same two things, or one that says enough by itself. */
function groupsOf(
  occasions: readonly Occasion[],
  { likeness, isName, most, isStopped, step }: Grouping,
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
    if (group) groups.set(idsOf(group), groups.get(idsOf(group)) ?? group);
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
  return [...groups.values()];
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

function countsOf(occasions: readonly Occasion[]): Map<string, number> {
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
  const alike = (a: Occasion, b: Occasion) =>
    Math.min(1.5, likeness.shared(a, b)) + 0.5 * likeness.nearness(a, b);
  while (occasions.length > LEAST) {
    const means = occasions.map(
      (a) => occasions.reduce((sum, b) => (a === b ? sum : sum + alike(a, b)), 0) / (occasions.length - 1),
    );
    const least = Math.min(...means);
    if (least >= 0.5 * (means.toSorted((a, b) => b - a)[1] ?? 0)) break;
    occasions = occasions.toSpliced(means.indexOf(least), 1);
  }
  return { by, occasions };
}

function idsOf({ occasions }: Group): string {
  return occasions.map(({ of }) => of.memory.id).join(' ');
}

/** What brought a group together, then the other terms that two thirds of it share. */
function termsOf({ by, occasions }: Group, likeness: Likeness): string[] {
  const counts = [...countsOf(occasions)].filter(
    ([said, n]) => said.startsWith('t') && n * 3 >= occasions.length * 2,
  );
  const shared = counts
    .sort((a, b) => b[1] * likeness.rarity(b[0]) - a[1] * likeness.rarity(a[0]))
    .map(([said]) => said);
  const first = by.filter((said) => said.startsWith('t'));
  const terms = [...new Set([...first, ...shared])].slice(0, 4).map((said) => said.slice(2));
  return terms.length > 0 ? terms : by.map((said) => said.replace(/^(?:h:|!|c:)/u, ''));
}

function withoutRepeats<T extends { group: Group }>(sorted: readonly T[]): T[] {
  const kept: { one: T; ids: Set<number> }[] = [];
  for (const one of sorted) {
    const ids = new Set(one.group.occasions.map(({ of }) => of.memory.id));
    const isRepeat = kept.some(
      (other) => other.ids.intersection(ids).size * 2 >= Math.min(ids.size, other.ids.size),
    );
    if (!isRepeat) kept.push({ one, ids });
  }
  return kept.map(({ one }) => one);
}

/** The sentence of an occasion that tells most of what it shares with the others. */
export function tellingSentence({ of, sentences }: Occasion, terms: readonly string[]): string {
  let best = { text: sentences[0]?.text ?? of.sentences[0]?.text ?? '', count: 0 };
  for (const { text, tokens } of sentences) {
    const count = terms.filter((wanted) => tokens.some(({ term }) => term === wanted)).length;
    if (count > best.count) best = { text, count };
  }
  return best.text;
}

/** Whether four of five occasions, and at least three, fell on one weekday. */
export function sameWeekday(occasions: readonly Occasion[]): boolean {
  const days = Map.groupBy(occasions, ({ of }) => of.day % 7);
  const most = Math.max(...[...days.values()].map((of) => of.length));
  return most >= LEAST && most / occasions.length >= 0.8;
}
