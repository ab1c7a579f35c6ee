import { type Group, oddsOf } from './evidence.ts';
import { candidatesOf, type Control, countsOf, idsOf, LEAST } from './groups.ts';
import type { Occasion } from './happened.ts';
import type { Likeness } from './likeness.ts';
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
/** A model is surer of what it was fitted on than it should be of the rest. */
const DOUBT = 3;
/** Terms that are less rare say nothing of what recurs. */
const TELLING = 0.3;
/** Log odds that a group may lose by the occasions that it has more. */
const WIDER = 2;

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
  const scored = groups
    .map((group) => ({ group, odds: oddsOf(group.measured) }))
    .filter(({ odds }) => odds >= ENOUGH);
  return withoutRepeats(scored).map(({ group, odds }) => ({
    terms: termsOf(group, likeness),
    occasions: group.occasions,
    strength: 1 / (1 + Math.exp(-odds / DOUBT)),
  }));
}

/** What brought a group together, then the other terms that two thirds of it share. */
function termsOf({ by, occasions }: Group, likeness: Likeness): string[] {
  const counts = [...countsOf(occasions)].filter(
    ([said, n]) => said.startsWith('t') && n * 3 >= occasions.length * 2 && likeness.rarity(said) >= TELLING,
  );
  const shared = counts
    .sort((a, b) => b[1] * likeness.rarity(b[0]) - a[1] * likeness.rarity(a[0]))
    .map(([said]) => said);
  const first = by.filter((said) => said.startsWith('t'));
  const terms = [...new Set([...first, ...shared])].slice(0, 4).map((said) => said.slice(2));
  return terms.length > 0 ? terms : by.map((said) => said.replace(/^(?:h:|!|c:)/u, ''));
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
