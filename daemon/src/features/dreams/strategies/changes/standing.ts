import type { Line, Note } from './notes.ts';
import { NAMED, type Sharing } from './sharing.ts';
import type { Term } from './term.ts';
import { softly, type Words } from './words.ts';

/** What of two lines stands on one side alone, and how much both have word for word. */
export interface Standing {
  /** How much the words tell that both lines have, 0..1. */
  readonly exact: number;
  /** How much the heaviest word of the older line tells that nothing of the newer memory says. */
  readonly lost: number;
  readonly come: number;
  /** Names that the older line has and the newer memory has not, and the other way round. */
  readonly lostName: number;
  readonly comeName: number;
  /** Whether each has a name that the other has not, and neither any that both have. */
  readonly otherName: number;
  /** Whether each begins with something that the other does not speak of, and how much that tells. */
  readonly otherTopic: number;
}

export function standingOf(
  {
    older,
    newer,
    lines: [a, b],
    sharing,
  }: { older: Note; newer: Note; lines: readonly [Line, Line]; sharing: Sharing },
  words: Words,
): Standing {
  const [one, other] = [bareTerms(a, newer, sharing), bareTerms(b, older, sharing)];
  const exact = one.reduce((sum, { term, weight }) => sum + (b.has.has(term) ? weight : 0), 0);
  const uncovered = (terms: readonly Term[], note: Note): number =>
    Math.max(0, ...terms.map((term) => term.weight * (1 - coverOf(term, note, words))));
  const namesOf = (terms: readonly Term[]) => terms.filter(({ isName, isCode }) => isName && !isCode);
  const absent = (terms: readonly Term[], note: Note) =>
    Math.max(0, ...namesOf(terms).map(({ term, weight }) => (note.memory.terms.has(term) ? 0 : weight)));
  const [lostName, comeName] = [absent(one, newer), absent(other, older)];
  const topicOf = ([first]: readonly Term[], note: Note): number =>
    first ? Math.min(1, first.weight * 1.5) * (1 - coverOf(first, note, words)) : 0;
  const isShared = namesOf(one).some(({ term }) => newer.memory.terms.has(term));
  return {
    exact: Math.min(2.5, exact) / 2.5,
    lost: uncovered(one, newer),
    come: uncovered(other, older),
    lostName,
    comeName,
    otherName: isShared ? 0 : Math.min(lostName, comeName),
    otherTopic: Math.min(topicOf(one, newer), topicOf(other, older)),
  };
}

/** The terms of a line that are no value of it: what a class has is one where the other memory has something else. */
export function bareTerms({ terms }: Line, { memory }: Note, { shared }: Sharing): Term[] {
  const isNamed = shared?.values === 'differ' && NAMED.has(shared.older.attribute.value);
  return terms.filter(({ term, isValue, isMember, isNumber, isName, isCode }) => {
    const isThere = memory.terms.has(term);
    if (isNumber || (isValue && !(isMember && isThere))) return false;
    return !(isNamed && isName && !isCode && !isThere);
  });
}

function coverOf(term: Term, { memory, terms }: Note, words: Words): number {
  if (memory.terms.has(term.term)) return 1;
  let best = 0;
  for (const other of terms) best = Math.max(best, softly(term, other, words));
  return best;
}
