import { phraseStem, plainText } from './attribute-words.ts';

/** Things of which one takes the place of the other, where one subject has one at a time (`isExclusive`), or kinds of things. */
export interface MemberClass {
  readonly name: string;
  readonly isExclusive: boolean;
  /** Each with its wordings, the commonest first. */
  readonly members: readonly (readonly string[])[];
}

/** A member of a class that a text names. */
export interface Member {
  readonly of: MemberClass;
  /** The commonest wording of it. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

interface Wording {
  readonly of: MemberClass;
  readonly name: string;
  readonly stems: readonly string[];
  /** As it is written, where its words do not say all of it: `c++`, `.db file`. */
  readonly raw: string | undefined;
}

const WORD = /[\p{L}\p{N}]+(?:'\p{L}+)?/gu;
/** So short, or a word of every sentence: `Go` is a language only with a capital. */
const isShort = (word: string): boolean => word.length <= 2;

/** A reader of the members that a text names; of several that begin at one word the longest of each class. */
export function createMembers(classes: readonly MemberClass[]): (text: string) => Member[] {
  const index = new Map<string, Wording[]>();
  for (const of of classes)
    for (const wordings of of.members)
      for (const wording of wordings) {
        const plain = plainText(wording);
        const stems = (plain.match(WORD) ?? []).map(phraseStem);
        const [first] = stems;
        if (first === undefined) continue;
        const raw = /[^\p{L}\p{N}\s'-]/u.test(plain) ? plain : undefined;
        const read = { of, name: wordings[0] ?? wording, stems, raw };
        const list = index.get(first);
        if (list) list.push(read);
        else index.set(first, [read]);
      }
  for (const list of index.values()) list.sort((a, b) => b.stems.length - a.stems.length);
  return (text) => membersIn(index, text);
}

function membersIn(index: ReadonlyMap<string, readonly Wording[]>, text: string): Member[] {
  const plain = plainText(text);
  const words = [...plain.matchAll(WORD)].map(({ 0: word, index: from }) => ({
    word,
    stem: phraseStem(word),
    from,
    to: from + word.length,
  }));
  const found: Member[] = [];
  for (const [at, { stem, word, from }] of words.entries())
    for (const { of, name, stems, raw } of index.get(stem) ?? []) {
      if (stems.some((one, offset) => words[at + offset]?.stem !== one)) continue;
      const to = words[at + stems.length - 1]?.to ?? from;
      if (raw !== undefined && !plain.slice(Math.max(0, from - 2), to + 3).includes(raw)) continue;
      if (stems.length === 1 && raw === undefined && isShort(word) && !/^\p{Lu}/u.test(text.slice(from)))
        continue;
      if (!found.some((one) => one.of === of && one.from < to && from < one.to))
        found.push({ of, name, from, to });
    }
  return found;
}
