import type { ReadMemory } from '../notes/reading.ts';
import type { Telling } from './tellings.ts';

/** Sentences about one thing that happened, one from each memory, and the words that they share. */
export interface TellingGroup {
  readonly core: readonly string[];
  readonly tellings: readonly Telling[];
  /** Mean share of the words of a telling that the core is. */
  readonly closeness: number;
}

/** How often something has to happen before it recurs, and (below) from how often it is rather a habit or a topic. */
export const LEAST = 3;
const MOST = 30;
/** What more of the tellings say holds nothing together. */
const COMMON = { least: 30, share: 0.03 } as const;
/** The core is what so many of the tellings say. */
const SHARED = 0.75;
/** Mostly the same words: mean share of the core where it says what happened, where it may only be a topic, and that of each. */
const CLOSE = { mean: 0.45, topic: 0.6, each: 0.3 } as const;
/** A sentence with fewer words in common whose figures differ is a reading. */
const WORDY = 4;

/** Groups of tellings in mostly the same words, closest first; no two of them share half of their memories. */
export function groupsOf(tellings: readonly Telling[], isStopped: () => boolean): TellingGroup[] {
  const having = Map.groupBy(
    tellings.flatMap((telling) => [...telling.terms].map((term) => ({ term, telling }))),
    ({ term }) => term,
  );
  const most = Math.max(COMMON.least, tellings.length * COMMON.share);
  const isRare = (term: string) => (having.get(term)?.length ?? 0) <= most;
  const seeds = new Map<string, Telling[]>();
  const add = (seed: string, telling: Telling): void => {
    const list = seeds.get(seed);
    if (list) list.push(telling);
    else seeds.set(seed, [telling]);
  };
  for (const [index, telling] of tellings.entries()) {
    if (index % 1000 === 0 && isStopped()) return [];
    const terms = [...telling.terms]
      .filter((term) => isRare(term) && (having.get(term)?.length ?? 0) >= LEAST)
      .sort();
    for (const [at, a] of terms.entries()) {
      add(a, telling);
      for (const b of terms.slice(at + 1)) add(`${a} ${b}`, telling);
    }
  }
  const groups = [...seeds].flatMap(([seed, of]) => {
    if (of.length < LEAST || of.length > MOST) return [];
    return groupOf(of, seed.split(' ')) ?? [];
  });
  return withoutRepeats(groups);
}

function groupOf(tellings: readonly Telling[], seed: readonly string[]): TellingGroup | undefined {
  const counts = Map.groupBy(
    tellings.flatMap(({ terms }) => [...terms]),
    (term) => term,
  );
  const core = new Set(
    [...counts].flatMap(([term, all]) => (all.length >= tellings.length * SHARED ? [term] : [])),
  );
  const shareOf = ({ terms }: Telling) => [...terms].filter((term) => core.has(term)).length / terms.size;
  const close = onePerMemory(tellings, shareOf).filter((one) => shareOf(one) >= CLOSE.each);
  if (close.length < LEAST) return undefined;
  const closeness = close.reduce((sum, one) => sum + shareOf(one), 0) / close.length;
  const least = tellsSame(close, core) ? CLOSE.mean : CLOSE.topic;
  if (closeness < least || !isHappening(close, [...core])) return undefined;
  return {
    core: [...core].sort((a, b) => Number(seed.includes(b)) - Number(seed.includes(a))),
    tellings: close,
    closeness,
  };
}

/** Whether the core has the verb that tells what happened, or a third tell it as once more. */
function tellsSame(tellings: readonly Telling[], core: ReadonlySet<string>): boolean {
  const half = tellings.length / 2;
  return (
    tellings.filter(({ isAgain }) => isAgain).length * 3 >= tellings.length ||
    [...core].some((term) => tellings.filter(({ verbs }) => verbs.has(term)).length >= half)
  );
}

function onePerMemory(tellings: readonly Telling[], shareOf: (one: Telling) => number): Telling[] {
  const best = new Map<ReadMemory, Telling>();
  for (const one of tellings) {
    const other = best.get(one.of);
    if (!other || shareOf(one) > shareOf(other)) best.set(one.of, one);
  }
  return [...best.values()];
}

/** No measures, a word alone only where many tell it as once more, nothing that is told of somebody else each time. */
function isHappening(tellings: readonly Telling[], core: readonly string[]): boolean {
  const isOften = (has: (one: Telling) => boolean, share: number) =>
    tellings.filter(has).length >= tellings.length * share;
  const words = core.filter((term) => !tellings.some(({ names }) => names.has(term)));
  if (words.length < WORDY && isOften(({ hasFigure }) => hasFigure, 2 / 3)) return false;
  if (words.length === 0 || (words.length === 1 && !isOften(({ isAgain }) => isAgain, 1 / 3))) return false;
  const subjects = tellings.flatMap(({ subject }) =>
    subject === undefined || core.includes(subject) ? [] : [subject],
  );
  return !(subjects.length * 3 >= tellings.length * 2 && new Set(subjects).size === subjects.length);
}

function withoutRepeats(groups: readonly TellingGroup[]): TellingGroup[] {
  const kept: { group: TellingGroup; ids: Set<number> }[] = [];
  const worth = ({ tellings, closeness }: TellingGroup) => closeness * Math.log(1 + tellings.length);
  for (const group of groups.toSorted(
    (a, b) => worth(b) - worth(a) || (a.core.join(' ') < b.core.join(' ') ? -1 : 1),
  )) {
    const ids = new Set(group.tellings.map(({ of }) => of.memory.id));
    if (!kept.some((other) => other.ids.intersection(ids).size * 2 >= Math.min(ids.size, other.ids.size)))
      kept.push({ group, ids });
  }
  return kept.map(({ group }) => group);
}
