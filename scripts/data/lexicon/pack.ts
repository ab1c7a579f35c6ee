/**
 * Makes `lexicon.bin` of `concepts.txt`, so that the daemon needs no stemming when it starts:
 *
 *   node scripts/data/lexicon/pack.ts [FOLDER]
 *
 * Layout, little endian: "RVL1", u32 number of concepts, the lengths of the arrays of `PackedLexicon` (u32 each), then the
 * arrays themselves (int32), in the same order.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  grown,
  LEXICON,
  type PackedLexicon,
  phraseWords,
  SECTIONS,
} from '../../../daemon/src/language/words/lexicon.ts';
import { stem } from '../../../daemon/src/language/words/porter.ts';
import { hashOf, STOP_WORDS } from '../../../daemon/src/language/words/words.ts';

/** Words of the longest phrase that is kept. */
const LONGEST = 6;

interface Phrase {
  one: number;
  two: number;
  concepts: number[];
}

/** The phrases of a dictionary's lines as the daemon looks for them; stop words are none by themselves. */
export function packLexicon(lines: readonly string[]): PackedLexicon {
  const stopped = new Set([...STOP_WORDS].map(stem));
  const phrases = new Map<string, Phrase>();
  const longest = new Int32Array(0x10000);
  const begins = lines.map(() => new Set<number>());
  for (const [concept, line] of lines.entries()) {
    for (const phrase of line.split('|')) {
      const stems = phraseWords(phrase).map(stem);
      const [only = ''] = stems;
      if (stems.length === 0 || stems.length > LONGEST) continue;
      if (stems.length === 1 && (only.length < 2 || stopped.has(only))) continue;
      const keys = stems.map(hashOf);
      const place = (keys[0] ?? 0) & 0xffff;
      begins[concept]?.add(place);
      longest[place] = Math.max(longest[place] ?? 0, keys.length);
      const name = stems.join(' ');
      const found = phrases.get(name) ?? {
        one: keys.reduce(grown.one, 0),
        two: keys.reduce(grown.two, 0),
        concepts: [],
      };
      phrases.set(name, found);
      if (!found.concepts.includes(concept)) found.concepts.push(concept);
    }
  }
  const beginStarts = new Int32Array(lines.length + 1);
  for (const [concept, keys] of begins.entries())
    beginStarts[concept + 1] = (beginStarts[concept] ?? 0) + keys.size;
  return {
    ...packed([...phrases.values()]),
    longest,
    beginStarts,
    begins: Int32Array.from(begins.flatMap((keys) => [...keys])),
  };
}

function packed(phrases: readonly Phrase[]): Omit<PackedLexicon, 'longest' | 'beginStarts' | 'begins'> {
  const mask = 2 ** Math.ceil(Math.log2(phrases.length * 2 + 2)) - 1;
  const slots = new Int32Array(mask + 1).fill(-1);
  const starts = new Int32Array(phrases.length + 1);
  for (const [index, { one, concepts }] of phrases.entries()) {
    starts[index + 1] = (starts[index] ?? 0) + concepts.length;
    let slot = one & mask;
    while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
    slots[slot] = index;
  }
  return {
    slots,
    ones: Int32Array.from(phrases, ({ one }) => one),
    twos: Int32Array.from(phrases, ({ two }) => two),
    starts,
    lists: Int32Array.from(phrases.flatMap(({ concepts }) => concepts)),
  };
}

/** The bytes of `lexicon.bin`. */
export function lexiconBytes(lines: readonly string[]): Buffer {
  const arrays = packLexicon(lines);
  const head = Buffer.alloc(8 + 4 * SECTIONS.length);
  head.write('RVL1', 0, 'latin1');
  head.writeUInt32LE(lines.length, 4);
  for (const [index, name] of SECTIONS.entries()) head.writeUInt32LE(arrays[name].length, 8 + 4 * index);
  const sections = SECTIONS.map((name) => Buffer.from(arrays[name].buffer));
  return Buffer.concat([head, ...sections]);
}

if (import.meta.main) {
  const folder = process.argv[2] ?? LEXICON.folder;
  const lines = readFileSync(join(folder, LEXICON.text), 'utf8').trimEnd().split('\n');
  const bytes = lexiconBytes(lines);
  writeFileSync(join(folder, LEXICON.packed), bytes);
  process.stdout.write(`${lines.length} concepts, ${bytes.length} bytes\n`);
}
