import type { FactView } from '../strategies/strategy.ts';
import type { FactRow } from './view.store.ts';

/**
 * Says for each fact which memory superseded it, by the rule of `knowledge.store.ts`: that of the next fact with the same subject and
 * predicate that names another object, where a subject has one at a time, or that says the opposite of the same object. A fact that only
 * begins after `now` supersedes nothing yet.
 */
export function withSuperseders(rows: readonly FactRow[], now: number): FactView[] {
  const facts = rows.map((row): FactView => ({
    ...row,
    negated: row.negated === 1,
    functional: row.functional === 1,
  }));
  const superseders = new Map<FactView, number>();
  const alike = Map.groupBy(facts, ({ subjectNorm, predicate, functional, objectNorm }) =>
    JSON.stringify([subjectNorm, predicate, functional ? '' : objectNorm]),
  );
  for (const group of alike.values()) {
    const inTime = group.toSorted(compare);
    for (const [index, fact] of inTime.entries()) {
      const by = inTime
        .slice(index + 1)
        .find((later) => compare(later, fact) > 0 && hasBegun(later, now) && ends(later, fact));
      if (by) superseders.set(fact, by.memoryId);
    }
  }
  return facts.map((fact) => {
    const supersededBy = superseders.get(fact);
    return supersededBy === undefined ? fact : { ...fact, supersededBy };
  });
}

function ends(later: FactView, fact: FactView): boolean {
  const isSameObject = later.objectNorm === fact.objectNorm;
  if (isSameObject) return later.negated !== fact.negated;
  return fact.functional && !fact.negated && !later.negated;
}

function compare(a: FactView, b: FactView): number {
  return a.validFrom - b.validFrom || a.observedAt - b.observedAt || a.memoryId - b.memoryId;
}

function hasBegun({ validFrom, observedAt }: FactView, now: number): boolean {
  return validFrom <= now || validFrom <= observedAt;
}
