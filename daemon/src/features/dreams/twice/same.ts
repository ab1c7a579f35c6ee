import type { TagWords } from '../../../language/parts-of-speech.ts';
import { isForeign } from '../notes/foreign-text.ts';
import { beginsPast } from '../notes/told-past.ts';
import { type ComparedWord, comparedWordsOf } from '../notes/compared-words.ts';
import type { ReadNamespace, ReadMemory } from '../notes/reading.ts';
import { plainText } from './plain-text.ts';

/** A text of so many words that tell is not written twice by chance, whatever it tells. */
const LONG = 8;
/** Words that tell, in a text of which it is worth saying that it stands there twice; fewer do in a sentence of so many words. */
const ENOUGH = { tell: 3, short: { tell: 2, words: 4 } } as const;
/** One word stands on either side of a near miss of so many words at most. */
const MISSES = { least: 3, most: 40 } as const;

interface Said {
  readonly of: ReadMemory;
  readonly items: readonly ComparedWord[];
}

/** What a namespace says twice. */
export interface Same {
  /** Memories whose texts are equal but for case, punctuation, white space and Markdown. */
  readonly equal: readonly (readonly ReadMemory[])[];
  /** Pairs with the same words in another order. */
  readonly reordered: readonly (readonly [ReadMemory, ReadMemory])[];
  /** How many more pairs differ in one word. */
  readonly misses: number;
}

/**
 * Finds what is said twice, whenever it was stored. Short tellings of what happened are left out: it may have happened twice in the same
 * words.
 */
export function sameIn(reading: ReadNamespace, tag: TagWords): Same {
  const said = reading.memories.map((of): Said => ({
    of,
    items: of.sentences.flatMap((one) => comparedWordsOf(one)),
  }));
  const isWorth = ({ of, items }: Said): boolean => {
    const words = of.sentences.reduce((sum, { tokens }) => sum + tokens.length, 0);
    const isEnough =
      items.length >= ENOUGH.tell || (items.length >= ENOUGH.short.tell && words >= ENOUGH.short.words);
    return (
      isEnough && (items.length >= LONG || isForeign(of.memory.value) || !beginsPast(of.memory.value, tag))
    );
  };
  const equal = [
    ...Map.groupBy(said, ({ of: { memory } }) =>
      memory.isCut ? memory.digest : plainText(memory.value),
    ).values(),
  ].filter((group) => group.length > 1 && group[0] && isWorth(group[0]));
  const taken = new Set(equal.flat());
  const others = said.filter((one) => !taken.has(one) && !one.of.memory.isCut);
  const reordered: (readonly [ReadMemory, ReadMemory])[] = [];
  for (const group of Map.groupBy(others, wordsOf).values())
    for (const [at, one] of group.entries()) {
      const other = group.slice(at + 1).find((two) => !taken.has(two) && areOneOrder(one, two));
      if (!other || taken.has(one) || !isWorth(one)) continue;
      taken.add(one).add(other);
      reordered.push([one.of, other.of]);
    }
  return {
    equal: equal.map((group) => group.map(({ of }) => of)),
    reordered,
    misses: missesAmong(others.filter((one) => !taken.has(one))),
  };
}

const WHOSE = /(?<!\p{L})(?:he|her|his|i|me|my|our|she|their|they|us|we|you|your)(?!\p{L})/giu;

/** All that a memory says, in the order of the alphabet: how often which word, and of whom. */
function wordsOf({ of, items }: Said): string {
  const whose = new Set(of.memory.value.toLowerCase().match(WHOSE));
  return [...items.map(({ kind, norm }) => `${kind === 'name' ? 'word' : kind} ${norm}`), ...whose]
    .sort()
    .join('\n');
}

/** Whether the figures, names and days of two texts of the same words stand in one order, or each beside the same words. */
function areOneOrder(one: Said, other: Said): boolean {
  const kinds = new Set(one.items.flatMap(({ kind }) => (kind === 'word' ? [] : [kind])));
  return [...kinds].every((kind) => {
    const isOf = (item: ComparedWord) => item.kind === kind;
    const [a, b] = [one, other].map(({ items }) =>
      items
        .filter(isOf)
        .map(({ norm }) => norm)
        .join(' '),
    );
    const [beside, there] = [besideIn(one, isOf), besideIn(other, isOf)];
    return (
      a === b ||
      beside.some((words, at) => {
        const neighbours = words.map((word) => word.split(' ').slice(1).join(' '));
        return new Set(neighbours).size === neighbours.length && words.join('\n') === there[at]?.join('\n');
      })
    );
  });
}

/** What stands beside each item of a kind: the word before, the word after or the two after it, in the order of the alphabet. */
function besideIn({ items }: Said, isOf: (item: ComparedWord) => boolean): readonly (readonly string[])[] {
  const beside = (from: number, to: number): string[] =>
    items
      .flatMap((item, at) =>
        isOf(item)
          ? [[item, ...items.slice(Math.max(0, at + from), at + to)].map(({ norm }) => norm).join(' ')]
          : [],
      )
      .sort();
  return [beside(-1, 0), beside(1, 2), beside(1, 3)];
}

/** Pairs of texts that have all words but one in common. */
function missesAmong(said: readonly Said[]): number {
  const without = new Map<string, number>();
  for (const { items } of said) {
    if (items.length < MISSES.least || items.length > MISSES.most) continue;
    const words = items.map(({ norm }) => norm).sort();
    for (const { kind, norm } of items) {
      if (kind !== 'word') continue;
      const left = words.toSpliced(words.indexOf(norm), 1).join('\n');
      without.set(left, (without.get(left) ?? 0) + 1);
    }
  }
  return [...without.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
}
