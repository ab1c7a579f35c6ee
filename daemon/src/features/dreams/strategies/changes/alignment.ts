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
    if (one.isNumber || one.isValue) continue;
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
