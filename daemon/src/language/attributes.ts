import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Leaning, leaningsBy } from './attribute-leanings.ts';
import { createMembers, type Member, type MemberClass } from './attribute-classes.ts';
import { type Hit, phrasebookOf } from './attribute-phrases.ts';
import { type PhraseWord, phraseWordsOf } from './attribute-words.ts';

/** What somebody or something has one value of at a time, or is asked for, with the phrases by which people say it (data/attributes/README.md). */
const Attribute = z.strictObject({
  a: z.string().min(1),
  one: z.boolean(),
  value: z.string().min(1),
  says: z.array(z.string().min(1)),
  asks: z.array(z.string().min(1)),
});
export type Attribute = Readonly<z.output<typeof Attribute>>;

const Class = z.strictObject({
  class: z.string().min(1),
  exclusive: z.boolean(),
  members: z.array(z.array(z.string().min(1)).min(1)),
});

/** A state, and what ends it. */
const Change = z.strictObject({
  state: z.array(z.string().min(1)).min(1),
  ends: z.array(z.string().min(1)).min(1),
  a: z.string().min(1),
});
export type Change = Readonly<z.output<typeof Change>>;

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
  readonly attributes: readonly Attribute[];
  readonly classes: readonly MemberClass[];
  readonly changes: readonly Change[];
  /** The attributes of a text, the strongest first: each once for `says`, and once for `asks`. */
  attributesIn(text: string | readonly PhraseWord[]): Statement[];
  /** The members of classes that a text names. */
  membersIn(text: string): Member[];
  /** The states and ends of states that a text tells of, the strongest first. */
  changesIn(text: string | readonly PhraseWord[]): Turn[];
  /** The attributes (by their number) that the single words of a text point to, where it has no whole phrase of any. */
  leaningOf(text: string | readonly PhraseWord[]): Leaning;
}

/** A question states an attribute only by the words of asking. */
const ASKED = 0.8;
const FOLDER = join(import.meta.dirname, '../../data/attributes');

let loaded: Attributes | undefined;

/** Reads them with the first use, for threads in the background; another folder is read each time. */
export function loadAttributes(folder: string = FOLDER): Attributes {
  if (folder !== FOLDER) return read(folder);
  return (loaded ??= read(folder));
}

function read(folder: string): Attributes {
  const files = readdirSync(folder).sort();
  const linesOf = <T extends z.ZodType>(name: string, line: T): z.output<T>[] =>
    files
      .filter((file) => file.startsWith(name) && file.endsWith('.jsonl'))
      .flatMap((file) => readLines(join(folder, file), line));
  const attributes: readonly Attribute[] = linesOf('attributes', Attribute);
  const changes = once((): readonly Change[] => linesOf('changes', Change));
  const said = phrasebookOf(attributes.map((of) => ({ of, phrases: of.says, counts: 1 })));
  const asked = phrasebookOf(attributes.map((of) => ({ of, phrases: of.asks, counts: ASKED })));
  // Dreams alone read what follows; a daemon that only answers questions has no need of it.
  const states = once(() => phrasebookOf(changes().map((of) => ({ of, phrases: of.state, counts: 1 }))));
  const ends = once(() => phrasebookOf(changes().map((of) => ({ of, phrases: of.ends, counts: 1 }))));
  const classes = linesOf('classes', Class).map(({ class: name, exclusive, members }) => ({
    name,
    isExclusive: exclusive,
    members,
  }));
  const leaning = once(() => leaningsBy(attributes.map(({ a, says, asks }) => [a, ...says, ...asks])));
  const wordsOf = (text: string | readonly PhraseWord[]) =>
    typeof text === 'string' ? phraseWordsOf(text) : text;
  return {
    attributes,
    classes,
    get changes() {
      return changes();
    },
    attributesIn(text) {
      const words = wordsOf(text);
      return [
        ...said.find(words).map(({ of, ...hit }) => ({ attribute: of, via: 'says' as const, ...hit })),
        ...asked.find(words).map(({ of, ...hit }) => ({ attribute: of, via: 'asks' as const, ...hit })),
      ].sort((a, b) => b.strength - a.strength);
    },
    membersIn: createMembers(classes),
    leaningOf: (text) => leaning()(wordsOf(text)),
    changesIn(text) {
      const words = wordsOf(text);
      const ended = ends().find(words);
      // `bought my car` is no `my car`.
      const isEnded = (state: Hit<Change>): boolean =>
        ended.some(({ of, from, to }) => of === state.of && from <= state.from && state.to <= to);
      return [
        ...states()
          .find(words)
          .filter((state) => !isEnded(state))
          .map(({ of, ...hit }) => ({ change: of, side: 'state' as const, ...hit })),
        ...ended.map(({ of, ...hit }) => ({ change: of, side: 'end' as const, ...hit })),
      ].sort((a, b) => b.strength - a.strength);
    },
  };
}

/** What is made with its first use. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function readLines<T extends z.ZodType>(file: string, line: T): z.output<T>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      if (text.trim() === '') return [];
      const parsed = line.safeParse(JSON.parse(text));
      if (!parsed.success) throw new Error(`${file}:${index + 1}: ${z.prettifyError(parsed.error)}`);
      return [parsed.data];
    });
}
