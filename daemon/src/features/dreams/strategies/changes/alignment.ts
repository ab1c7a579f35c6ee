import type { Line, Note } from './notes.ts';
import type { Term } from './term.ts';
import { softly, type Words } from './words.ts';

/** How much of what one text says the other one says, too, in these or other words. */
export interface Alignment {
  /** 0..1, by weight. */
  readonly share: number;
  readonly mass: number;
  /** The weight of the word that tells most of those that both have. */
  readonly strongest: number;
}

/** Values are left out: they are what may differ. */
export function align(of: readonly Term[], there: readonly Term[], words: Words): Alignment {
  let [mass, covered, strongest] = [0, 0, 0];
  for (const one of of) {
    if (one.isNumber || (one.isValue && !(one.isMember && there.some(({ term }) => term === one.term))))
      continue;
    let best = 0;
    for (const other of there) {
      best = Math.max(best, softly(one, other, words));
      if (best === 1) break;
    }
    mass += one.weight;
    covered += one.weight * best;
    if (best >= 0.5) strongest = Math.max(strongest, one.weight * best);
  }
  return { share: mass === 0 ? 0 : covered / mass, mass: covered, strongest };
}

/** A line with its neighbours: what is said there belongs together, also in a long text. */
export function windowOf({ lines }: Note, line: Line): readonly Line[] {
  const at = lines.indexOf(line);
  return lines.slice(Math.max(0, at - 1), at + 2);
}

export const termsOf = (lines: readonly Line[]): Term[] => lines.flatMap(({ terms }) => terms);

/** How much what one line denies is what the other says, 0..1. */
export function flipOf(a: Line, b: Line, words: Words): number {
  const flipped = (of: Line, other: Line): number =>
    of.terms
      .filter(({ term }) => of.denied.has(term) && !other.denied.has(term))
      .reduce(
        (most, term) =>
          other.terms.reduce(
            (best, there) =>
              other.denied.has(there.term) ? best : Math.max(best, softly(term, there, words)),
            most,
          ),
        0,
      );
  return Math.max(flipped(a, b), flipped(b, a));
}

/** What of an older line a newer one, or a line beside that, says is no longer so: how much the word tells, and how surely. */
export function rejectionOf(
  a: Line,
  near: readonly Line[],
): { readonly sure: number; readonly value: number } {
  let [sure, value] = [0, 0];
  // `Do not edit it by hand` and `it is not to be edited by hand`: both reject the same.
  const heard = near.filter(
    ({ rejected }) => !a.terms.some(({ term }) => a.rejected.has(term) && rejected.has(term)),
  );
  for (const { term, weight, isValue, isNumber } of a.terms) {
    if (a.rejected.has(term)) continue;
    for (const { rejected } of heard) {
      const by = (rejected.get(term) ?? 0) * weight;
      sure = Math.max(sure, by);
      if (isValue || isNumber) value = Math.max(value, by);
    }
  }
  return { sure, value };
}
