import type { Group, Measured } from './evidence.ts';
import { candidatesOf, type Control, countsOf, idsOf, LEAST } from './groups.ts';
import type { Occasion } from './happened.ts';
import type { Likeness } from './likeness.ts';
import { GROUPS, type LinearModel, oddsBy } from './recurrence-model.ts';
import type { DreamView } from './strategy.ts';

/** Something that happened at least three times, on different days. */
export interface Recurrence {
  /** The terms that most of its occasions share, the one that tells most first. */
  readonly terms: readonly string[];
  /** By day; one a day. */
  readonly occasions: readonly Occasion[];
  /** 0..1: how sure it is one. */
  readonly strength: number;
}

/** Log odds from which a group is proposed. */
const ENOUGH = 1.5;
/** Log odds of what is stated again in the same words. */
const STATED = 2.5;
/** A model is surer of what it was fitted on than it should be of the rest. */
const DOUBT = 3;
/** Terms that are less rare say nothing of what recurs. */
const TELLING = 0.3;
/** Log odds that a group may lose by the occasions that it has more. */
const WIDER = 0.5;

const known = new WeakMap<DreamView, readonly Recurrence[]>();

/** What recurs in a namespace, best first; no two of them rest on mostly the same occasions. The second call for a view is free. */
export function recurrencesOf(view: DreamView, control: Control): readonly Recurrence[] {
  const before = known.get(view);
  if (before) return before;
  const found = findRecurrences(view, control);
  if (!control.isStopped()) known.set(view, found);
  return found;
}

function findRecurrences(view: DreamView, control: Control): Recurrence[] {
  const { groups, likeness } = candidatesOf(view, control);
  const scored = groups.map((group) => ({ group, odds: oddsOf(group) })).filter(({ odds }) => odds >= ENOUGH);
  return withoutRepeats(scored).map(({ group, odds }) => ({
    terms: termsOf(group, likeness),
    occasions: group.occasions,
    strength: 1 / (1 + Math.exp(-odds / DOUBT)),
  }));
}

/** Log odds that a group is a recurrence. */
export function oddsOf(group: Group & { measured: Measured }, model: LinearModel = GROUPS): number {
  const odds = oddsBy(model, group.measured);
  return group.isStated ? Math.max(STATED, odds) : odds;
}

/** The terms that two thirds of a group share, what tells most first; else the kind of thing that happened, or a word that most have. */
function termsOf({ by, occasions }: Group, likeness: Likeness): string[] {
  const counts = [...countsOf(occasions)].sort(
    (a, b) => b[1] * likeness.rarity(b[0]) - a[1] * likeness.rarity(a[0]),
  );
  const said = (kind: string, share: number) =>
    counts.flatMap(([one, n]) =>
      one.startsWith(kind) && n >= occasions.length * share && likeness.rarity(one) >= TELLING
        ? [one.slice(2)]
        : [],
    );
  const happening = said('h:', 0.6).slice(0, 1);
  const terms = said('t:', 0.66).slice(0, 4);
  if (terms.length > 0) return terms;
  const most = [...happening, ...said('t:', 0.5).slice(0, 2)];
  return most.length > 0
    ? most
    : [
        ...said('t:', 2 / occasions.length),
        ...by.flatMap((one) => (one.startsWith('h:') ? [one.slice(2)] : [])),
      ].slice(0, 2);
}

/** The best first, none of which shares half of its memories with a better one; where one holds all of a better one and more, it stands for it. */
export function withoutRepeats<T extends { group: Group; odds: number }>(scored: readonly T[]): T[] {
  const kept: { one: T; ids: Set<number> }[] = [];
  for (const one of scored.toSorted(
    (a, b) => b.odds - a.odds || (idsOf(a.group) < idsOf(b.group) ? -1 : 1),
  )) {
    const ids = new Set(one.group.occasions.map(({ of }) => of.memory.id));
    const repeated = kept.filter(
      (other) => other.ids.intersection(ids).size * 2 >= Math.min(ids.size, other.ids.size),
    );
    const [only] = repeated;
    if (!only) kept.push({ one, ids });
    else if (repeated.length === 1 && only.ids.isSubsetOf(ids) && one.odds >= only.one.odds - WIDER) {
      only.one = { ...one, odds: only.one.odds };
      only.ids = ids;
    }
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
