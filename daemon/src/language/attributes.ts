import { join } from 'node:path';
import { createMembers, type Member, type MemberClass } from './attribute-classes.ts';
import { type Leaning, leaningsBy } from './attribute-leanings.ts';
import { type Hit, type NumberedWords, phrasebookOf } from './attribute-phrases.ts';
import { type PhraseWord, phraseWordsOf } from './attribute-words.ts';
import { type AttributeNames, readPackedAttributes } from './packed-attributes.ts';

/** What somebody or something has one value of at a time (`one`), or is asked for (data/attributes/README.md). */
export type Attribute = AttributeNames['attributes'][number];

/** A state, and what ends it. */
export type Change = AttributeNames['changes'][number];

/** An attribute that a text states, or asks for. */
export interface Statement {
  readonly attribute: Attribute;
  readonly via: 'says' | 'asks';
  /** Where the phrase stands, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** 0..1; some 0.5 and more is a phrase of more than one word. */
  readonly strength: number;
  /** `does not eat meat` for `eats meat`. */
  readonly isDenied: boolean;
}

/** A state that a text tells of, or an end of it. */
export interface Turn {
  readonly change: Change;
  readonly side: 'state' | 'end';
  readonly from: number;
  readonly to: number;
  readonly strength: number;
  readonly isDenied: boolean;
}

/** The attributes, classes and changes that are known. Texts are best given sentence by sentence, their words read once. */
export interface Attributes {
  readonly classes: readonly MemberClass[];
  /** The attributes of a text, the strongest first: each once for `says`, and once for `asks`. */
  attributesIn(text: string | readonly PhraseWord[]): Statement[];
  /** The members of classes that a text names. */
  membersIn(text: string): Member[];
  /** The states and ends of states that a text tells of, the strongest first. */
  changesIn(text: string | readonly PhraseWord[]): Turn[];
  /** The attributes (by their number) that the single words of a text point to, where it has no whole phrase of any. */
  leaningOf(text: string | readonly PhraseWord[]): Leaning;
}

/** The folder of the lexicon, and its files: as it is written, by the beginnings of their names, and as it is read. */
export const ATTRIBUTES = {
  folder: join(import.meta.dirname, '../../data/attributes'),
  texts: { attributes: 'attributes', classes: 'classes', changes: 'changes' },
  packed: 'attributes.bin',
} as const;

let loaded: Attributes | undefined;

/** Reads the packed lexicon with the first use (data/attributes/pack.ts makes it); another folder is read each time. */
export function loadAttributes(folder: string = ATTRIBUTES.folder): Attributes {
  if (folder !== ATTRIBUTES.folder) return read(folder);
  return (loaded ??= read(folder));
}

function read(folder: string): Attributes {
  const { names, members, leanings, ...books } = readPackedAttributes(join(folder, ATTRIBUTES.packed));
  const numbers = new Map(names.stems.split(' ').map((stem, number) => [stem, number]));
  const numberOf = (stem: string): number => numbers.get(stem) ?? -1;
  const said = phrasebookOf(books.says, names.attributes);
  const asked = phrasebookOf(books.asks, names.attributes);
  const states = phrasebookOf(books.states, names.changes);
  const ends = phrasebookOf(books.ends, names.changes);
  const leaning = leaningsBy(leanings, names.attributes.length);
  const numbered = (text: string | readonly PhraseWord[]): NumberedWords => {
    const words = typeof text === 'string' ? phraseWordsOf(text) : text;
    return { words, stems: Int32Array.from(words, ({ stem }) => numberOf(stem)) };
  };
  return {
    classes: names.classes,
    attributesIn(text) {
      const words = numbered(text);
      return [
        ...said.find(words).map(({ of, ...hit }) => ({ attribute: of, via: 'says' as const, ...hit })),
        ...asked.find(words).map(({ of, ...hit }) => ({ attribute: of, via: 'asks' as const, ...hit })),
      ].sort((a, b) => b.strength - a.strength);
    },
    membersIn: createMembers({
      packed: members,
      classes: names.classes,
      names: names.members,
      raws: names.raws,
      numberOf,
    }),
    leaningOf: (text) => leaning(numbered(text).stems),
    changesIn(text) {
      const words = numbered(text);
      const ended = ends.find(words);
      // `bought my car` is no `my car`.
      const isEnded = (state: Hit<Change>): boolean =>
        ended.some(({ of, from, to }) => of === state.of && from <= state.from && state.to <= to);
      return [
        ...states
          .find(words)
          .filter((state) => !isEnded(state))
          .map(({ of, ...hit }) => ({ change: of, side: 'state' as const, ...hit })),
        ...ended.map(({ of, ...hit }) => ({ change: of, side: 'end' as const, ...hit })),
      ].sort((a, b) => b.strength - a.strength);
    },
  };
}
