import { loadAttributes, type Statement, type Turn } from '../../../../language/attributes.ts';
import { type Leaning } from '../../../../language/attribute-leanings.ts';
import { phraseWordsOf } from '../../../../language/attribute-words.ts';
import type { Member } from '../../../../language/attribute-classes.ts';
import type { ReadSentence } from '../reading.ts';
import type { Slot } from './slots.ts';

/** What a line states, by the lexicon of attributes. */
export interface Stated {
  readonly statements: readonly Statement[];
  readonly turns: readonly Turn[];
  readonly members: readonly Member[];
  readonly leaning: Leaning;
}

/** A weaker phrase is a word that could mean anything. */
const LEAST = 0.28;

const known = new WeakMap<ReadSentence, Stated>();

/** What a sentence states; read once for each, what its words lean to only where that is asked for. */
export function statedIn(sentence: ReadSentence): Stated {
  let stated = known.get(sentence);
  if (!stated) known.set(sentence, (stated = read(sentence.text)));
  return stated;
}

function read(text: string): Stated {
  const lexicon = loadAttributes();
  const words = phraseWordsOf(text);
  let leaning: Leaning | undefined;
  return {
    statements: lexicon.attributesIn(words).filter(({ strength }) => strength >= LEAST),
    turns: lexicon.changesIn(words).filter(({ strength }) => strength >= LEAST),
    members: lexicon.membersIn(text),
    get leaning() {
      return (leaning ??= lexicon.leaningOf(words));
    },
  };
}

/** By what an attribute is a value of, the kinds of slots that can be one. */
const KINDS: Readonly<Record<string, RegExp>> = {
  money: /^(?:money|number|count)/u,
  time: /^time/u,
  weekday: /^weekday/u,
  date: /^(?:date|month)/u,
  month: /^(?:date|month)/u,
  duration: /^(?:quantity duration|frequency|number|count)/u,
  interval: /^(?:quantity duration|frequency|number|count)/u,
  number: /^(?:number|count|quantity|floor|port)/u,
  percent: /^(?:quantity %|number)/u,
  age: /^(?:quantity duration|number|count)/u,
  length: /^(?:quantity (?:mm|cm|m|km)|number)/u,
  weight: /^(?:quantity (?:mg|g|kg)|number)/u,
  temperature: /^(?:quantity °c|number)/u,
  size: /^(?:quantity (?:kb|mb|gb|tb)|number|count)/u,
  speed: /^(?:quantity|number)/u,
  version: /^(?:number|version)/u,
  port: /^(?:port|number)/u,
  code: /^(?:secret|number|port|count)/u,
  phone: /^(?:secret|number)/u,
  address: /^(?:number|secret)/u,
};

/** The slots of a line that can be the value of an attribute; undefined where it has none that are read. */
export function valuesFor(value: string, slots: readonly Slot[]): readonly Slot[] | undefined {
  const kinds =
    KINDS[value] ??
    (value.startsWith('class:') ? new RegExp(`^class ${escaped(value.slice(6))}$`, 'u') : undefined);
  return kinds && slots.filter(({ kind }) => kinds.test(kind));
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
