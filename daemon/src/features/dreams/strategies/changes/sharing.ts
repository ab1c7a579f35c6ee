import type { Statement, Turn } from '../../../../language/attributes.ts';
import { areComparable } from './clashes.ts';
import type { Line } from './notes.ts';
import { CLASS, type Worth } from './stating.ts';
import { valuesFor } from './statements.ts';
import type { Words } from './words.ts';

/** An attribute that two lines state. */
export interface Shared {
  readonly older: Statement;
  readonly newer: Statement;
  /** 0..1, of both phrases; less for words of asking. */
  readonly strength: number;
  /** Whether they give it different values of one kind, equal ones, or none that are read. */
  readonly values: 'differ' | 'same' | 'open';
}

/** What two lines say of the same, by the lexicon of attributes. */
export interface Sharing {
  readonly shared: Shared | undefined;
  /** A state in the older line that the newer one ends: 0..1. */
  readonly ended: { readonly older: Turn; readonly newer: Turn; readonly strength: number } | undefined;
  /** A state that both tell of. */
  readonly held: number;
  /** Of a class of which one excludes the other each names another one: 0..1, the more the fewer memories name any of it. */
  readonly otherMember: number;
}

export function sharingOf([a, b]: readonly [Line, Line], worth: Worth, words: Words): Sharing {
  let shared: Shared | undefined;
  let best = 0;
  for (const older of a.stated.statements)
    for (const newer of b.stated.statements) {
      if (older.attribute !== newer.attribute) continue;
      const strength = Math.sqrt(older.strength * newer.strength) * (older.attribute.one ? 1 : 0.7);
      const values = compared(older, [a, b], words);
      const counts = strength * worth(older.attribute.a) * (values === 'differ' ? 3 : 1);
      if (counts > best) {
        best = counts;
        shared = { older, newer, strength, values };
      }
    }
  let ended: Sharing['ended'];
  let held = 0;
  for (const older of a.stated.turns)
    for (const newer of b.stated.turns) {
      if (older.change !== newer.change || older.side !== 'state' || older.isDenied) continue;
      const strength = Math.sqrt(older.strength * newer.strength);
      const isEnd = newer.side === 'end' ? !newer.isDenied : newer.isDenied;
      if (!isEnd) held = Math.max(held, strength);
      else if (strength > (ended?.strength ?? 0)) ended = { older, newer, strength };
    }
  return { shared, ended, held, otherMember: otherMemberOf(a, b, worth) };
}

function otherMemberOf(a: Line, b: Line, worth: Worth): number {
  let best = 0;
  for (const { kind, norm } of a.slots) {
    if (!kind.startsWith('class ') || /\d$/u.test(kind)) continue;
    const there = b.slots.filter((slot) => slot.kind === kind);
    if (there.length > 0 && !there.some((slot) => slot.norm === norm))
      best = Math.max(best, CLASS * worth(kind));
  }
  return best;
}

function compared(
  { attribute: { value } }: Statement,
  [a, b]: readonly [Line, Line],
  words: Words,
): Shared['values'] {
  if (NAMED.has(value)) return comparedNames(a, b);
  const [one, other] = [valuesFor(value, a.slots), valuesFor(value, b.slots)];
  if (!one || !other || one.length === 0 || other.length === 0) return 'open';
  if (one.some(({ norm }) => other.some((there) => there.norm === norm))) return 'same';
  return one.some((here) => other.some((there) => areComparable(here, there, words))) ? 'differ' : 'open';
}

/** Values that are told by names. */
export const NAMED: ReadonlySet<string> = new Set(['person', 'organisation', 'place', 'address']);

/** Names that one line has alone are its value; those of both are whose it is. */
function comparedNames(a: Line, b: Line): Shared['values'] {
  const alone = (line: Line, other: Line): boolean =>
    line.terms.some(({ isName, isCode, term }) => isName && !isCode && !other.has.has(term));
  return alone(a, b) && alone(b, a) ? 'differ' : 'open';
}
