import type { Line } from './notes.ts';
import { DIGITS, type Slot } from './slots.ts';
import type { Term } from './term.ts';
import { softly, type Words } from './words.ts';

export interface SlotClash {
  readonly older: Slot;
  readonly newer: Slot;
  /** 0..1: how alike what stands around them is. */
  readonly fit: number;
}

/**
 * The two slots that most surely are one, filled otherwise. What the newer line says as the older one does is none, but where it speaks of a
 * change (`from yarn to pnpm`): then it names what was.
 */
export function clashOf(a: Line, b: Line, words: Words): SlotClash | undefined {
  const tellsBoth = b.cues.change > 0;
  let best: SlotClash | undefined;
  for (const one of a.slots) {
    if (!tellsBoth && b.slots.some((other) => isSame(one, other))) continue;
    for (const other of b.slots) {
      if (!areComparable(one, other, words) || a.slots.some((third) => isSame(third, other))) continue;
      const fit =
        Math.max(
          fitOf(one.around, other.around, words),
          leastFit(one, other),
          isOnly(one, a) && isOnly(other, b) ? ONLY : 0,
        ) * (one.isLoose ? 0.8 : 1);
      if (!best || fit > best.fit) best = { older: one, newer: other, fit };
    }
  }
  return best;
}

/** Where each line gives one value of a kind, all that it says is said of that. */
const ONLY = 0.35;
const isOnly = (slot: Slot, { slots }: Line): boolean =>
  !slot.isLoose && slots.every((other) => other === slot || other.kind !== slot.kind);

/** A port is a port whatever stands around it, and `Postgres 14` is told by the word before it. */
function leastFit(a: Slot, b: Slot): number {
  if (a.kind === 'port') return 0.6;
  if (/^class \D/u.test(a.kind)) return 0.35;
  const [one, other] = [a.around[0], b.around[0]];
  return a.isLoose && one && one.term === other?.term && (one.isMember || one.isName) ? 0.7 : 0;
}

/** Whether any slot of the older line is filled alike in the newer one. */
export function agrees(a: Line, b: Line): boolean {
  return a.slots.some((one) => b.slots.some((other) => isSame(one, other)));
}

/** Whether another value of the two lines is the same: `Wednesday night`, `Wednesday evening`. */
export function agreesBeside(a: Line, b: Line, clash: SlotClash): boolean {
  if (!clash.older.isLoose && !clash.older.kind.startsWith('class')) return false;
  return a.slots.some(
    (one) =>
      one !== clash.older &&
      !one.kind.startsWith('class') &&
      one.kind !== clash.older.kind &&
      b.slots.some((other) => other !== clash.newer && isSame(one, other)),
  );
}

/** How alike what stands around two places is, 0..1. */
export function fitOf(a: readonly Term[], b: readonly Term[], words: Words): number {
  return (matched(a, b, words) + matched(b, a, words)) / 2;
}

function matched(of: readonly Term[], there: readonly Term[], words: Words): number {
  let [mass, covered] = [0, 0];
  for (const [at, one] of of.entries()) {
    const counts = one.weight / (1 + at / 2);
    mass += counts;
    covered += counts * Math.max(0, ...there.map((other) => softly(one, other, words)));
  }
  return mass === 0 ? 0 : covered / mass;
}

/** A date without a year is any of them; equal numbers are equal whatever they count. */
export function isSame(a: Slot, b: Slot): boolean {
  if (a.kind === 'date' && b.kind === 'date') return a.norm.slice(0, 5) === b.norm.slice(0, 5);
  if (a.kind !== b.kind && !(DIGITS.test(a.norm) && DIGITS.test(b.norm))) return false;
  return a.norm === b.norm;
}

/** Whether two slots could be filled by one another: of one kind, and where things are counted, of like things. */
export function areComparable(a: Slot, b: Slot, words: Words): boolean {
  if (!isKindred(a, b)) return false;
  return a.unit === undefined || b.unit === undefined || words.likeness(a.unit, b.unit) > 0.4;
}

function isKindred(a: Slot, b: Slot): boolean {
  if (a.kind !== b.kind) {
    const isBare = ({ kind }: Slot) => kind === 'number' || kind === 'port';
    return isBare(a) && isBare(b) && a.norm.length === b.norm.length;
  }
  return (
    a.kind !== 'number' || a.norm.length === b.norm.length || Math.abs(a.norm.length - b.norm.length) <= 1
  );
}
