import { loadTagWords } from '../../../language/parts-of-speech.ts';
import type { ReadNamespace, ReadMemory, ReadSentence } from '../notes/reading.ts';
import { isClaim, isStated, tellsChange } from './claims.ts';
import { isNo } from '../notes/compared-words.ts';
import { phrasesOf } from './phrase.ts';
import { type Slot, slotBetween } from './slot.ts';
import { dayIn } from './stated-day.ts';

/** Sentences of a memory that are looked at: what comes later in a long one is told of something by what came before. */
const LINES = 6;
/** Rare words of a sentence by which it is compared, and how many memories may share one. */
const BY = { words: 4, rare: 12, only: 40 } as const;
/** So many fillings of one slot are a series: readings, rows, twins. */
const SERIES = 3;

/** What is worded alike but for one slot: pairs that disagree, and how many more may both hold. */
export interface Alike {
  readonly slots: readonly Slot[];
  /** Pairs that differ in one slot and are left alone; a model would tell. */
  readonly left: number;
}

/** Pairs of memories that say the same but for one slot. Neither the order nor the times of the memories count. */
export async function alikeIn(reading: ReadNamespace, isStopped: () => boolean): Promise<Alike> {
  const found = slotsIn(reading, isStopped);
  const series = seriesIn(found);
  const open = found.filter(
    ({ phrases: [a, b], frame }) =>
      !series.has(frame) &&
      isClaim(a.sentence) &&
      isClaim(b.sentence) &&
      !tellsChange(a.sentence) &&
      !tellsChange(b.sentence) &&
      !areOfOthers(a.sentence, b.sentence),
  );
  const tag = open.length > 0 ? await loadTagWords() : undefined;
  const slots = tag && !isStopped() ? open.filter((slot) => isStated(slot, tag)) : [];
  // Which of three is paired with which is not for the order of the notes to say.
  const keyOf = ({ phrases }: Slot) =>
    phrases
      .map(({ sentence }) => sentence.of.memory.key)
      .sort()
      .join('\n');
  return {
    slots: slots.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    left: found.length - slots.length,
  };
}

function slotsIn(reading: ReadNamespace, isStopped: () => boolean): Slot[] {
  const index = new Map<string, ReadSentence[]>();
  const sentences = reading.memories.flatMap(({ memory, sentences }) =>
    memory.isCut ? [] : sentences.slice(0, LINES).filter((one) => phrasesOf(one).length > 0),
  );
  const byWords = new Map(sentences.map((one) => [one, rarestOf(one, reading)]));
  for (const [sentence, words] of byWords)
    for (const word of words) {
      const list = index.get(word);
      if (list) list.push(sentence);
      else index.set(word, [sentence]);
    }
  const found: Slot[] = [];
  const seen = new Set<string>();
  const place = new Map(sentences.map((one, at) => [one, at]));
  for (const [at, sentence] of sentences.entries()) {
    if (at % 500 === 0 && isStopped()) return [];
    const near = new Set((byWords.get(sentence) ?? []).flatMap((word) => index.get(word) ?? []));
    for (const other of near) {
      if ((place.get(other) ?? 0) <= at || !mayBePair(sentence.of, other.of)) continue;
      const slot = slotBetween(sentence, other, reading);
      const pair = `${sentence.of.memory.id} ${other.of.memory.id}`;
      if (!slot || seen.has(pair)) continue;
      seen.add(pair);
      found.push(slot);
    }
  }
  return found;
}

/** Whoever says two things in one conversation knows; equal texts are told twice. */
function mayBePair({ memory: a }: ReadMemory, { memory: b }: ReadMemory): boolean {
  return a.id !== b.id && a.digest !== b.digest && (a.session === null || a.session !== b.session);
}

/** The rarest words of a sentence that stand in another memory, too: two that are worded alike share most of them. */
function rarestOf(sentence: ReadSentence, reading: ReadNamespace): string[] {
  const [whole] = phrasesOf(sentence);
  const words = (whole?.items ?? []).filter(({ kind }) => kind === 'word' || kind === 'name');
  const shared = [...new Set(words.map(({ norm }) => norm))]
    .map((norm) => ({ norm, count: reading.frequency(norm) }))
    .filter(({ count }) => count > 1 && count <= BY.only)
    .sort((a, b) => a.count - b.count || (a.norm < b.norm ? -1 : 1));
  return shared
    .filter(({ count }, at) => at === 0 || count <= BY.rare)
    .slice(0, BY.words)
    .map(({ norm }) => norm);
}

/** Frames of which a namespace has three fillings and more. */
function seriesIn(slots: readonly Slot[]): Set<string> {
  const fillings = new Map<string, Set<string>>();
  for (const { frame, fillings: both } of slots) {
    const known = fillings.get(frame) ?? new Set<string>();
    fillings.set(frame, known);
    for (const items of both)
      known.add(
        items
          .filter((item) => !isNo(item))
          .map(({ norm }) => norm)
          .join(' '),
      );
  }
  return new Set([...fillings].flatMap(([frame, known]) => (known.size >= SERIES ? [frame] : [])));
}

/** Whether headings or keys say that they are told of different things: `orders/port` and `users/port`. */
function areOfOthers(one: ReadSentence, other: ReadSentence): boolean {
  return areTwins(one.of.memory.key, other.of.memory.key) || headingOf(one) !== headingOf(other);
}

function areTwins(one: string, other: string): boolean {
  const [a, b] = [one, other].map((key) => key.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []);
  if (!a || !b || a.length !== b.length || a.length < 2) return false;
  const differing = a.flatMap((word, at) => (word === b[at] ? [] : [at]));
  const [at = -1] = differing;
  // What differs at the end is what is told of it: `orders/port`, `orders/setup`.
  return differing.length === 1 && at < a.length - 1 && /^\p{L}+$/u.test(`${a[at]}${b[at]}`);
}

/** The heading above a sentence, `## Staging`; empty where there is none, or it says no more than a day. */
function headingOf({ of, text }: ReadSentence): string {
  const above = of.memory.value.slice(0, Math.max(0, of.memory.value.indexOf(text)));
  const heading =
    above
      .match(/^#{1,6}\s.*$/gmu)
      ?.at(-1)
      ?.toLowerCase() ?? '';
  return dayIn(heading) === undefined ? heading : '';
}
