import { isSpecific } from '../concepts.ts';
import type { Line, Note } from './notes.ts';
import type { Sharing } from './sharing.ts';
import { bareTerms } from './standing.ts';
import type { Term } from './term.ts';
import { softly, type Words } from './words.ts';

/** Whether two lines speak of the same thing, words of the attribute and values aside. */
export interface Subjects {
  /** 0..1: how much of what the older one is about the newer one is about; 0.5 where neither names anything. */
  readonly same: number;
  /** 0..1: each is about something that the other is not. */
  readonly other: number;
  /** Whether the newer one names nothing that it could be about. */
  readonly isUnnamed: boolean;
}

export function subjectsOf(
  pair: { older: Note; newer: Note; lines: readonly [Line, Line]; sharing: Sharing },
  words: Words,
): Subjects {
  const [a, b] = pair.lines;
  const { shared } = pair.sharing;
  const one = specific(bareTerms(a, pair.newer, pair.sharing), shared?.older);
  const other = specific(bareTerms(b, pair.older, pair.sharing), shared?.newer);
  const [there, back] = [coverBy(one, pair.newer, words), coverBy(other, pair.older, words)];
  return {
    same: one.length === 0 || other.length === 0 ? 0.5 : Math.max(there.share, back.share),
    other: Math.min(there.most, back.most) * (1 - Math.max(there.best, back.best)),
    isUnnamed: other.length === 0,
  };
}

/** The terms of a line that it can be about, and that are no part of the words in which the attribute is said. */
function specific(terms: readonly Term[], phrase: { from: number; to: number } | undefined): Term[] {
  return terms.filter(
    ({ term, start }) => isSpecific(term) && !(phrase && start >= phrase.from && start < phrase.to),
  );
}

/** The share of the terms that a note has, the heaviest that it lacks, and the heaviest that it has. */
function coverBy(of: readonly Term[], { memory, terms }: Note, words: Words) {
  let [mass, covered, most, best] = [0, 0, 0, 0];
  for (const term of of) {
    const cover = memory.terms.has(term.term)
      ? 1
      : terms.reduce((near, other) => Math.max(near, softly(term, other, words)), 0);
    const counts = term.weight ** 2;
    mass += counts;
    covered += counts * cover;
    most = Math.max(most, term.weight * (1 - cover));
    best = Math.max(best, term.weight * cover);
  }
  return {
    share: mass === 0 ? 0 : covered / mass,
    most: Math.min(1, most * 1.3),
    best: Math.min(1, best * 1.3),
  };
}

/** The same where both lines begin with one thing: what else they name is then what is said of it. */
export function subjectsUnder({ same, other, isUnnamed }: Subjects, head: number): Subjects {
  return { same: Math.max(same, head), other: other * (1 - head), isUnnamed };
}
