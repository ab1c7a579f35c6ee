import { wordLore } from '../word-lore.ts';
import type { Line, Note } from './notes.ts';
import type { Sharing } from './sharing.ts';
import { bareTerms } from './standing.ts';
import type { Term } from './term.ts';
import type { Words } from './words.ts';

/** Which of what is called by a name of its own (people, programs, ships) two lines speak of. */
export interface Entities {
  /** How much the rarest of both tells. */
  readonly shared: number;
  /** How much those tell of which each line has one that the other memory has not, where they share none. */
  readonly other: number;
}

export function entitiesOf(
  pair: { older: Note; newer: Note; lines: readonly [Line, Line]; sharing: Sharing },
  words: Words,
): Entities {
  const { older, newer, sharing } = pair;
  const [a, b] = pair.lines;
  const one = bareTerms(a, newer, sharing).filter(isEntity);
  const other = bareTerms(b, older, sharing).filter(isEntity);
  const heard = (term: Term, note: Note): number =>
    note.memory.terms.has(term.term)
      ? 1
      : note.terms.reduce((best, there) => Math.max(best, words.alias(term.term, there.term)), 0);
  const coverA = one.map((term) => [term.weight, heard(term, newer)] as const);
  const coverB = other.map((term) => [term.weight, heard(term, older)] as const);
  const shared = Math.max(0, ...[...coverA, ...coverB].map(([weight, cover]) => weight * cover));
  const lost = (of: typeof coverA): number =>
    Math.max(0, ...of.map(([weight, cover]) => weight * (1 - cover)));
  return { shared, other: shared > 0.3 ? 0 : Math.min(lost(coverA), lost(coverB)) };
}

const known = new Map<string, boolean>();

/** A name, an identifier, or a word of no dictionary. */
function isEntity({ text, isName, isCode, isNumber }: Term): boolean {
  if (isNumber) return false;
  if (isName || isCode) return true;
  let is = known.get(text);
  if (is === undefined) {
    is = !wordLore().isOrdinary(text);
    if (known.size < 100_000) known.set(text, is);
  }
  return is;
}
