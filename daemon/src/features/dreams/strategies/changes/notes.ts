import { isLight } from '../concepts.ts';
import type { Reading, ReadMemory, ReadSentence } from '../reading.ts';
import type { Value } from '../values.ts';
import { allValuesOf } from './more-values.ts';
import { type Cues, cuesOf, saysChange } from './cues.ts';
import { membersOf } from './classes.ts';
import { rejectedIn } from './rejections.ts';
import { type Slot, slotsOf } from './slots.ts';
import { type Stated, statedIn } from './statements.ts';
import { type Tense, tenseOf } from './tense.ts';
import type { Term } from './term.ts';
import { dot, type Words } from './words.ts';

export interface Line {
  readonly sentence: ReadSentence;
  readonly terms: readonly Term[];
  readonly has: ReadonlySet<string>;
  readonly values: readonly Value[];
  readonly cues: Cues;
  readonly saysChange: number;
  readonly tense: Tense;
  readonly slots: readonly Slot[];
  /** Terms that stand right after a word that denies. */
  readonly denied: ReadonlySet<string>;
  readonly vector: Float32Array;
  readonly stated: Stated;
  /** Terms of which it says that they are not so, or no longer. */
  readonly rejected: ReadonlyMap<string, number>;
}

/** A memory, read for what it may contradict or be contradicted in. */
export interface Note {
  readonly memory: ReadMemory;
  readonly lines: readonly Line[];
  readonly terms: readonly Term[];
  readonly keyTerms: readonly Term[];
  readonly vector: Float32Array;
}

/** Lines of a memory that are looked at: a contradiction in the ninth sentence of a long text is not found. */
const MOST_LINES = 6;
const MOST_TERMS = 24;

export function noteOf(memory: ReadMemory, reading: Reading, words: Words): Note {
  const largest = Math.log(reading.memories.length + 2);
  const lines = memory.sentences.slice(0, MOST_LINES).map((sentence): Line => {
    const terms = new Map<string, Term>();
    const values = allValuesOf(sentence.text);
    const stated = statedIn(sentence);
    const members = membersOf(sentence.text, stated.members);
    for (const { term, text, says, shape, start } of sentence.tokens)
      if (says && !terms.has(term) && terms.size < MOST_TERMS)
        terms.set(term, {
          term,
          text: text.toLowerCase().replace(/['’]s$/u, ''),
          weight: Math.max(0.1, reading.weight(term) / largest),
          isName: shape === 'name' || (shape === 'id' && !/\d/u.test(text)),
          isCode: shape === 'id',
          isNumber: shape === 'number' || (shape === 'id' && /\d/u.test(text)),
          start,
          isValue: isIn(start, values) || isIn(start, members),
          isMember: !isIn(start, values) && isIn(start, members),
        });
    return {
      sentence,
      terms: [...terms.values()],
      has: new Set(terms.keys()),
      values,
      cues: cuesOf(sentence.text),
      saysChange: saysChange(sentence.text),
      tense: tenseOf(sentence.text),
      slots: slotsOf([...terms.values()], values, members),
      denied: deniedIn(sentence.text, [...terms.values()]),
      vector: words.vector(sentence.text),
      stated,
      rejected: rejectedIn(sentence.text, [...terms.values()]),
    };
  });
  const all = new Map<string, Term>();
  for (const line of lines) for (const term of line.terms) if (!all.has(term.term)) all.set(term.term, term);
  const keyTerms = memory.keyTerms
    .filter((term) => !/^\d+$/u.test(term))
    .map((term) => ({
      term,
      text: term,
      weight: Math.max(0.1, reading.weight(term) / largest),
      isName: false,
      isNumber: false,
      isCode: false,
      start: -1,
      isValue: false,
      isMember: false,
    }));
  return { memory, lines, terms: [...all.values()], keyTerms, vector: words.vector(memory.memory.value) };
}

const isIn = (at: number, spans: readonly { start: number; end: number }[]): boolean =>
  spans.some(({ start, end }) => at >= start && at < end);

export const cosineOf = (a: { vector: Float32Array }, b: { vector: Float32Array }): number =>
  dot(a.vector, b.vector);

const DENIES =
  /(?<![\p{L}])(?:not|no|never|without|cannot|\p{L}+n['’]t|nicht|kein(?:e[nmrs]?)?|nie|pas|jamais|aucune?|sin|nunca|no longer|stopped|quit|off)(?![\p{L}])/giu;

/** The first word that says something after each denial, in its clause, and the one after that. */
function deniedIn(text: string, terms: readonly Term[]): Set<string> {
  const denied = new Set<string>();
  for (const match of text.matchAll(DENIES)) {
    const start = match.index + match[0].length;
    const clause =
      /[.,;:!?()]|\s(?:except|but|and|because|since)\s/u.exec(text.slice(start))?.index ?? text.length;
    const end = Math.min(start + clause, start + 30);
    for (const { term } of terms
      .filter((one) => one.start >= start && one.start < end && !isLight(one.term))
      .slice(0, 2))
      denied.add(term);
  }
  return denied;
}
