import type { ReadNamespace, ReadSentence } from '../notes/reading.ts';
import { secondsOf } from '../notes/word-classes.ts';
import { isNo, type ComparedWord } from '../notes/compared-words.ts';
import { type Phrase, phrasesOf } from './phrase.ts';

/** The one place in which two phrases differ. */
export interface Slot {
  readonly phrases: readonly [Phrase, Phrase];
  /** What either has in it; nothing where one denies what the other says. */
  readonly fillings: readonly [readonly ComparedWord[], readonly ComparedWord[]];
  readonly isDenial: boolean;
  /** A word that only one says beside it, which has to be its verb. */
  readonly extra?: ComparedWord | undefined;
  /** What both say: pairs with the same frame are of one series. */
  readonly frame: string;
}

/** A name has so many words. */
const WIDEST = 3;
/** In so many memories, or in this share of them, a word is still rare. */
const RARE = { count: 6, share: 0.02 } as const;

/** Where two sentences are worded alike but for one slot, whole or up to their first commas; undefined where they are not. */
export function slotBetween(
  one: ReadSentence,
  other: ReadSentence,
  reading: ReadNamespace,
): Slot | undefined {
  for (const a of phrasesOf(one))
    for (const b of phrasesOf(other)) {
      const slot = compare(a, b, reading);
      if (slot) return slot;
    }
  return undefined;
}

function compare(a: Phrase, b: Phrase, reading: ReadNamespace): Slot | undefined {
  if (Math.abs(a.items.length - b.items.length) > WIDEST) return undefined;
  let [inA, inB] = [without(a.items, b.items), without(b.items, a.items)];
  const shared = a.items.filter((item) => !inA.includes(item));
  if (!tellWhat(shared, reading)) return undefined;
  const frame = shared
    .map(({ norm }) => norm)
    .sort()
    .join(' ');
  const differing = [...inA, ...inB];
  if (differing.length === 1 && differing.every(isNo) && areInOneOrder(a, b))
    return { phrases: [a, b], fillings: [[], []], isDenial: true, frame };
  if (differing.some(isNo)) return undefined;
  let extra: ComparedWord | undefined;
  if (inA.length !== inB.length && !differing.some(isName)) {
    const longer = inA.length > inB.length ? inA : inB;
    extra = longer.find(({ kind }) => kind === 'word');
    [inA, inB] = [inA.filter((item) => item !== extra), inB.filter((item) => item !== extra)];
  }
  if (!isOnePlace(inA, a) || !isOnePlace(inB, b)) return undefined;
  if (!areOfOneKind(inA, inB) || areEqual(inA, inB)) return undefined;
  if (!extra && inA.some(isBare) && !standAlike([inA, a], [inB, b])) return undefined;
  return { phrases: [a, b], fillings: [inA, inB], isDenial: false, extra, frame };
}

const isName = ({ kind }: ComparedWord): boolean => kind === 'name';

/** Says by its place alone what it is a value of. */
const isBare = ({ kind }: ComparedWord): boolean => kind === 'figure' || kind === 'name' || kind === 'word';

/** Items that the other list does not have, each counted. */
function without(of: readonly ComparedWord[], there: readonly ComparedWord[]): ComparedWord[] {
  const left = there.map(({ norm }) => norm);
  return of.filter(({ norm }) => {
    const at = left.indexOf(norm);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Whether what both say tells what they speak of: two words or more, one of them a name or rare. */
function tellWhat(shared: readonly ComparedWord[], reading: ReadNamespace): boolean {
  const words = shared.filter(({ kind }) => kind === 'word' || kind === 'name');
  const rare = Math.max(RARE.count, RARE.share * reading.memories.length);
  return (
    words.length + Number(shared.length > words.length) >= 2 &&
    words.some((item) => isName(item) || reading.frequency(item.norm) <= rare)
  );
}

function areInOneOrder(a: Phrase, b: Phrase): boolean {
  const [one, other] = [a, b].map(({ items }) =>
    items.flatMap((item) => (isNo(item) ? [] : [item.norm])).join(' '),
  );
  return one === other;
}

/** Whether items follow one another. */
function isOnePlace(items: readonly ComparedWord[], { items: all }: Phrase): boolean {
  const at = all.findIndex((item) => item === items[0]);
  return items.length > 0 && items.every((item, index) => all[at + index] === item);
}

/** Values of the same kinds in the same order, a name in the place of a name, or one word in the place of one. */
function areOfOneKind(one: readonly ComparedWord[], other: readonly ComparedWord[]): boolean {
  if (one.some(isName) && other.some(isName))
    return [one, other].every(
      (items) => items.length <= WIDEST && items.every(({ kind }) => kind === 'name' || kind === 'word'),
    );
  if (one.length === 1 && other.length === 1 && one[0]?.kind === 'word') return other[0]?.kind === 'word';
  if ([one, other].some((items) => items.some(({ kind }) => kind === 'month') && items.some(isLarge)))
    return false;
  return (
    one.length === other.length &&
    one.every(({ kind }, at) => kind !== 'word' && kind !== 'name' && kind === other[at]?.kind)
  );
}

/** No day of a month, so that the month says when it was so much. */
const isLarge = ({ kind, norm }: ComparedWord): boolean =>
  kind === 'figure' && !/^(?:\d|[12]\d|3[01]|(?:19|20)\d\d)$/u.test(norm);

/** Two weeks are fourteen days. */
function areEqual([count, span]: readonly ComparedWord[], [others, of]: readonly ComparedWord[]): boolean {
  if (!count || !span || !others || !of) return false;
  const seconds = secondsOf(count.norm, span.norm);
  return seconds !== undefined && seconds === secondsOf(others.norm, of.norm);
}

/** Whether the same comes before both, or after both. */
function standAlike(...sides: readonly [readonly ComparedWord[], Phrase][]): boolean {
  const [a, b] = sides.map(([items, { items: all }]) => {
    const at = all.findIndex((item) => item === items[0]);
    return { before: all[at - 1]?.norm, after: all[at + items.length]?.norm };
  });
  return a?.before === b?.before || a?.after === b?.after;
}
