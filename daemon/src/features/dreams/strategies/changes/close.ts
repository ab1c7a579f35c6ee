import { isSilent } from './close-silence.ts';
import { framesOf, rarestOf } from './frames.ts';
import { type ClosePair, slotBetween } from './frame-slots.ts';
import { isClaim, isEarlier } from './slot-values.ts';
import type { Reading, ReadMemory, ReadSentence } from '../reading.ts';

/** More sentences that share a word are not compared with each other. */
const MOST = 20;
const LINES = 6;
/** Of the words of the shorter sentence, so many have to stand in the other one. */
const LEAST = 0.4;
/** So many fillings of one slot are a series: readings, rows, twins. */
const SERIES = 3;

/** What is worded alike in a namespace. */
export interface Close {
  /** What cannot hold both. */
  readonly pairs: readonly ClosePair[];
  /** Whether two memories are worded alike, and may both hold: then no other sign tells that they do not. */
  mayHold(older: ReadMemory, newer: ReadMemory): boolean;
}

/**
 * Pairs of which the newer says nearly word for word what the older one says, with one slot filled otherwise (a number, a name, a day, a no),
 * and nothing tells that both may hold, or that it changed. The sibling of moved.ts, where the newer one tells the change.
 */
export function closeOf(reading: Reading, isStopped: () => boolean): Close {
  const found = alikeIn(reading, isStopped);
  const series = seriesIn(found);
  const pairs = found.filter(
    (pair) =>
      !series.has(pair.older.of) &&
      !series.has(pair.newer.of) &&
      !areOfOthers(pair, reading) &&
      !isSilent(pair),
  );
  const held = new Set(found.map(nameOf)).difference(new Set(pairs.map(nameOf)));
  return { pairs, mayHold: (older, newer) => held.has(`${older.memory.id} ${newer.memory.id}`) };
}

const nameOf = ({ older, newer }: ClosePair): string => `${older.of.memory.id} ${newer.of.memory.id}`;

function alikeIn(reading: Reading, isStopped: () => boolean): ClosePair[] {
  const index = new Map<string, ReadSentence[]>();
  const found: ClosePair[] = [];
  // By time, so that what is in the index is older.
  for (const memory of reading.memories) {
    if (isStopped()) return [];
    for (const sentence of memory.memory.isCut ? [] : memory.sentences.slice(0, LINES)) {
      const words = rarestOf(sentence, reading);
      const near = new Set<ReadSentence>();
      for (const word of words) for (const other of index.get(word) ?? []) near.add(other);
      for (const other of near) {
        const pair = areAlike(other, sentence) ? closeIn(other, sentence, reading) : undefined;
        if (pair && isClaim(other) && isClaim(sentence)) found.push(pair);
      }
      for (const word of words) {
        const list = index.get(word);
        if (!list) index.set(word, [sentence]);
        else if (list.length < MOST) list.push(sentence);
      }
    }
  }
  return found;
}

const known = new WeakMap<ReadSentence, ReadonlySet<string>>();

function termsOf(sentence: ReadSentence): ReadonlySet<string> {
  let terms = known.get(sentence);
  if (!terms)
    known.set(sentence, (terms = new Set(sentence.tokens.flatMap(({ says, term }) => (says ? [term] : [])))));
  return terms;
}

/** A quick look whether two sentences of two days share enough for a frame. */
function areAlike(older: ReadSentence, newer: ReadSentence): boolean {
  if (older.of === newer.of || !isEarlier(older.of, newer.of)) return false;
  const [a, b] = [termsOf(older), termsOf(newer)];
  let shared = 0;
  for (const term of a) if (b.has(term)) shared += 1;
  return shared > 0 && shared >= LEAST * Math.min(a.size, b.size);
}

/** Whole sentences first, then what comes before their first commas. */
function closeIn(older: ReadSentence, newer: ReadSentence, reading: Reading): ClosePair | undefined {
  for (const a of framesOf(older))
    for (const b of framesOf(newer)) {
      const slot = slotBetween(a, b, reading);
      if (slot) return { older, newer, slot };
    }
  return undefined;
}

/** Memories that stand in a series: with what is close to them they fill one slot in three ways. */
function seriesIn(pairs: readonly ClosePair[]): Set<ReadMemory> {
  const fillings = new Map<ReadMemory, Set<string>>();
  const add = (memory: ReadMemory, norms: readonly string[]): void => {
    const known = fillings.get(memory) ?? new Set<string>();
    for (const norm of norms) known.add(norm);
    fillings.set(memory, known);
  };
  for (const { older, newer, slot } of pairs) {
    add(older.of, slot.norms);
    add(newer.of, slot.norms);
  }
  return new Set([...fillings].flatMap(([memory, norms]) => (norms.size >= SERIES ? [memory] : [])));
}

/** Whether their keys name somebody each, and another one. */
function areOfOthers({ older, newer }: ClosePair, reading: Reading): boolean {
  const alone = (a: ReadMemory, b: ReadMemory): string[] =>
    a.keyTerms.filter((term) => !b.terms.has(term) && isNameIn(reading, term));
  return alone(older.of, newer.of).length > 0 && alone(newer.of, older.of).length > 0;
}

const namesOf = new WeakMap<Reading, ReadonlySet<string>>();

/** Whether a namespace uses a word as a name. */
function isNameIn(reading: Reading, term: string): boolean {
  let names = namesOf.get(reading);
  if (!names) {
    names = new Set(
      reading.memories.flatMap(({ sentences }) =>
        sentences.flatMap(({ tokens }) =>
          tokens.flatMap(({ shape, term: one }) => (shape === 'name' ? [one] : [])),
        ),
      ),
    );
    namesOf.set(reading, names);
  }
  return names.has(term);
}
