import { areComparable, isSame, type SlotClash } from './clashes.ts';
import type { Line } from './notes.ts';
import type { Slot } from './slots.ts';
import type { Words } from './words.ts';

/** How the values of two lines stand to one another, members of classes aside: 0..1 each. */
export interface Compared {
  /** Whether any is the same on both sides. */
  readonly alike: number;
  /** Whether several differ and none is the same: then it is another thing, or another time. */
  readonly allDiffer: number;
  /** Whether both have values, and none that could stand in for another. */
  readonly otherKinds: number;
}

/** `Monday to Thursday` is one value. */
const SPANS = /^(?:weekday|time|date)/u;

export function comparedValues(
  [a, b]: readonly [Line, Line],
  clash: SlotClash | undefined,
  words: Words,
): Compared {
  const isValue = ({ kind }: Slot): boolean => !kind.startsWith('class');
  const [one, other] = [a.slots.filter(isValue), b.slots.filter(isValue)];
  const [own, shared] = [
    one.filter((slot) => !other.some((there) => isSame(slot, there))),
    one.filter((slot) => other.some((there) => isSame(slot, there))),
  ];
  const differing = own.filter((slot) => other.some((there) => areComparable(slot, there, words)));
  const spans = differing.filter(({ kind }) => SPANS.test(kind)).length;
  const differ = differing.length - Math.max(0, spans - 1);
  return {
    alike: Math.min(1, shared.length),
    allDiffer: Number(differ - 1 > shared.length),
    otherKinds: Number(!clash && shared.length === 0 && one.length > 0 && other.length > 0),
  };
}
