import { DenseIds } from '../vectors/dense-ids.ts';
import { chunkRange } from './index.store.ts';
import type { CutText, KnownWords } from '../query/known-words.ts';

/**
 * Texts of chunks, cut into words, for the chunks that were read last: fetching and cutting them takes half of the time of a search. No
 * letter of a text is kept; a chunk's text never changes, and what is deleted is forgotten.
 */
export interface CutTexts {
  /**
   * The words of some chunks; `bodiesOf` is asked for those that are not known yet. Read them before the next are asked for, or before
   * one is forgotten: their places are used again.
   */
  of(
    ids: readonly number[],
    bodiesOf: (ids: readonly number[]) => ReadonlyMap<number, string>,
  ): Map<number, CutText>;
  forget(id: number): void;
  forgetNamespace(namespaceId: number): void;
}

/** Words that each half keeps, 7 bytes a word: 11 MB in all, resident once they are used. */
const HALF = 3 * 2 ** 18;

/** Texts one behind the other. Arrays of their own would take twice the room, three objects each, and all memory that the collector leaves. */
interface Half {
  readonly keys: Int32Array;
  readonly rows: Uint16Array;
  readonly kinds: Uint8Array;
  readonly ids: DenseIds;
  /** By the place of an id: where its words begin, and how many they are. */
  begins: Int32Array;
  counts: Int32Array;
  used: number;
}

function emptyHalf(words: number): Half {
  return {
    keys: new Int32Array(words),
    rows: new Uint16Array(words),
    kinds: new Uint8Array(words),
    ids: new DenseIds(),
    begins: new Int32Array(0),
    counts: new Int32Array(0),
    used: 0,
  };
}

/**
 * Keeps texts in two halves: new ones, and those of the second half that are read again, go into the first. When that is full it becomes
 * the second, and what was in the second is forgotten.
 */
export function createCutTexts(words: () => KnownWords, half = HALF): CutTexts {
  let first = emptyHalf(half);
  let second = emptyHalf(half);

  function keep(id: number, tokens: CutText): CutText {
    drop(second, id);
    const isFull = first.used + tokens.count > half;
    if (isFull) {
      [first, second] = [second, first];
      first.ids.clear();
      first.used = 0;
    }
    const kept = copyInto(first, tokens);
    // Only now: what is kept may have stood there.
    if (isFull) clear(first, first.used, half);
    note(first, id, kept);
    return kept;
  }

  function forget(id: number): void {
    for (const one of [first, second]) {
      const tokens = textIn(one, id);
      if (!tokens) continue;
      clear(one, tokens.from, tokens.from + tokens.count);
      drop(one, id);
    }
  }

  return {
    of(ids, bodiesOf) {
      const found = new Map<number, CutText>();
      const missing: number[] = [];
      // Not more than half is written for one question: the halves change once then, and nothing is overwritten that it found.
      let room = half;
      for (const id of ids) {
        const older = textIn(second, id);
        const isRoom = older !== undefined && older.count <= room;
        const tokens = textIn(first, id) ?? (isRoom ? keep(id, older) : undefined);
        if (tokens) found.set(id, tokens);
        else missing.push(id);
        if (isRoom) room -= older.count;
      }
      if (missing.length === 0) return found;
      for (const [id, body] of bodiesOf(missing)) {
        const cut = words().cut(body);
        const isRoom = cut.count <= room;
        found.set(id, isRoom ? keep(id, cut) : copyInto(emptyHalf(cut.count), cut));
        if (isRoom) room -= cut.count;
      }
      return found;
    },
    forget,
    forgetNamespace(namespaceId) {
      const { from, to } = chunkRange(namespaceId);
      for (const { ids } of [first, second])
        for (const id of ids.all.slice(0, ids.size)) if (id >= from && id <= to) forget(id);
    },
  };
}

function textIn({ ids, begins, counts, keys, rows, kinds }: Half, id: number): CutText | undefined {
  const place = ids.placeOf(id);
  if (place < 0) return undefined;
  return { from: begins[place] ?? 0, count: counts[place] ?? 0, keys, rows, kinds };
}

function note(half: Half, id: number, { from, count }: CutText): void {
  const place = half.ids.add(id);
  if (place === half.begins.length) {
    half.begins = grown(half.begins);
    half.counts = grown(half.counts);
  }
  half.begins[place] = from;
  half.counts[place] = count;
}

function drop({ ids, begins, counts }: Half, id: number): void {
  const place = ids.remove(id);
  if (place < 0) return;
  begins[place] = begins[ids.size] ?? 0;
  counts[place] = counts[ids.size] ?? 0;
}

function grown(from: Int32Array): Int32Array {
  const larger = new Int32Array(Math.max(64, Math.ceil(from.length * 1.5)));
  larger.set(from);
  return larger;
}

function copyInto(half: Half, { from, count, keys, rows, kinds }: CutText): CutText {
  const at = half.used;
  half.keys.set(keys.subarray(from, from + count), at);
  half.rows.set(rows.subarray(from, from + count), at);
  half.kinds.set(kinds.subarray(from, from + count), at);
  half.used += count;
  return { from: at, count, keys: half.keys, rows: half.rows, kinds: half.kinds };
}

function clear({ keys, rows, kinds }: Omit<CutText, 'from' | 'count'>, from: number, to: number): void {
  for (const array of [keys, rows, kinds]) array.fill(0, from, to);
}
