import { phraseStem, plainText } from './attribute-words.ts';

/** Things of which one takes the place of the other, where one subject has one at a time (`isExclusive`), or kinds of things. */
export interface MemberClass {
  readonly name: string;
  readonly isExclusive: boolean;
}

/** A member of a class that a text names. */
export interface Member {
  readonly of: MemberClass;
  /** The commonest wording of it. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The wordings of members in arrays, as data/attributes/pack.ts makes them; stems are numbers. */
export interface PackedMembers {
  /** By stem: where the wordings stand that begin with it, the longest first. */
  readonly starts: Uint32Array;
  /** The number of each one's class, and of its member's name. */
  readonly of: Uint16Array;
  readonly names: Uint16Array;
  readonly stemStarts: Uint32Array;
  readonly stems: Uint16Array;
}

export interface MembersOptions {
  packed: PackedMembers;
  classes: readonly MemberClass[];
  names: readonly string[];
  /** By the number of a wording, as it is written where its words do not say all of it: `c++`, `.db file`. */
  raws: Readonly<Record<string, string>>;
  numberOf: (stem: string) => number;
}

/** A word of a wording, without accents and in small letters. */
export const MEMBER_WORD = /[\p{L}\p{N}]+(?:'\p{L}+)?/gu;
/** So short, or a word of every sentence: `Go` is a language only with a capital. */
const isShort = (word: string): boolean => word.length <= 2;

/** A reader of the members that a text names; of several that begin at one word the longest of each class. */
export function createMembers({
  packed: { starts, of, names: nameOf, stemStarts, stems },
  classes,
  names,
  raws,
  numberOf,
}: MembersOptions): (text: string) => Member[] {
  return (text) => {
    const plain = plainText(text);
    const words = [...plain.matchAll(MEMBER_WORD)].map(({ 0: word, index: from }) => ({
      word,
      stem: numberOf(phraseStem(word)),
      from,
      to: from + word.length,
    }));
    const found: Member[] = [];
    for (const [at, { stem, word, from }] of words.entries())
      for (let i = starts[stem] ?? 0; i < (starts[stem + 1] ?? 0); i++) {
        const wording = stems.subarray(stemStarts[i], stemStarts[i + 1]);
        if (wording.some((one, offset) => words[at + offset]?.stem !== one)) continue;
        const to = words[at + wording.length - 1]?.to ?? from;
        const raw = raws[i];
        if (raw !== undefined && !plain.slice(Math.max(0, from - 2), to + 3).includes(raw)) continue;
        const needsCapital = wording.length === 1 && raw === undefined && isShort(word);
        if (needsCapital && !/^\p{Lu}/u.test(text.slice(from))) continue;
        const one = classes[of[i] ?? 0];
        const isTaken = found.some((other) => other.of === one && other.from < to && from < other.to);
        if (one && !isTaken) found.push({ of: one, name: names[nameOf[i] ?? 0] ?? '', from, to });
      }
    return found;
  };
}
