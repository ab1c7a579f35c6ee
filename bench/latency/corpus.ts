import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A memory as it is sent. */
export interface Item {
  key: string;
  value: string;
  metadata: Record<string, unknown>;
}

export interface Query {
  kind: string;
  text: string;
  /** Four more wordings: about half of its words, with others. */
  wordings: readonly string[];
}

export interface Corpus {
  /** What the texts are, for the report. */
  origin: string;
  items: Item[];
  queries: Query[];
}

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const TABLE = join(import.meta.dirname, '../../daemon/data/static-embedding/table.bin');

/** The words of the embedding table, the most frequent first. */
function vocabulary(): string[] {
  const bytes = readFileSync(TABLE);
  const start = 8 + bytes.readUInt32LE(4);
  const { sections } = JSON.parse(bytes.toString('utf8', 8, start)) as {
    sections: { vocab: { offset: number; length: number } };
  };
  const { offset, length } = sections.vocab;
  return bytes
    .toString('latin1', start + offset, start + offset + length)
    .trimEnd()
    .split('\n');
}

/** Draws words as often as a language does: the nth word 1/(n + 2.7) as often (Zipf–Mandelbrot). */
function wordsOf(random: () => number): (from?: number) => string {
  const words = vocabulary();
  const until: number[] = [];
  let sum = 0;
  for (const rank of words.keys()) until.push((sum += 1 / (rank + 3.7)));
  return (from = 0) => {
    const base = until[from - 1] ?? 0;
    const wanted = base + random() * (sum - base);
    let low = 0;
    let high = words.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((until[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? 'the';
  };
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Sentences out of the vocabulary: what a memory may look like to an index, without meaning anything. */
export function syntheticCorpus(count: number, seed = 1): Corpus {
  const random = randomFrom(seed);
  const word = wordsOf(random);
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const rare = () => word(3000);

  function identifier(): string {
    const parts = Array.from({ length: whole(2, 3) }, rare);
    const form = random();
    if (form < 0.4) return parts.map((part, i) => (i === 0 ? part : capital(part))).join('');
    if (form < 0.7) return parts.join('_');
    return `src/${parts.join('/')}.ts`;
  }
  function sentence(length: number): string {
    const words = Array.from({ length }, () => (random() < 0.015 ? identifier() : word()));
    return `${capital(words.join(' '))}${random() < 0.1 ? '?' : '.'}`;
  }
  function text(): string {
    let left = whole(20, 120);
    const sentences: string[] = [];
    while (left > 0) {
      const length = Math.min(left, whole(5, 18));
      sentences.push(sentence(length));
      left -= length;
    }
    const body = sentences.join(random() < 0.1 ? '\n\n' : ' ');
    return random() < 0.1 ? `# ${capital(word())} ${rare()}\n\n${body}` : body;
  }

  const tags = Array.from({ length: 200 }, rare);
  const items = Array.from({ length: count }, (_, index): Item => {
    const metadata: Item['metadata'] = { source: 'bench', number: index };
    if (random() < 0.4) metadata['tags'] = Array.from({ length: whole(1, 3) }, () => tags[whole(0, 199)]);
    // One in ten is a turn of a conversation of about twelve.
    if (random() < 0.1) metadata['session'] = `talk-${whole(0, Math.floor(count / 120))}`;
    const prefix = random() < 0.05 ? 'error:' : '';
    return { key: `${prefix}${rare()}-${rare()}-${index}`, value: text(), metadata };
  });
  return {
    origin: `synthetic: words of the embedding table in a Zipf distribution, seed ${seed}`,
    items,
    queries: queriesFor(items, random),
  };
}

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile()) yield path;
  }
}

/** Passages of 20 to 120 words out of the text files below a folder, used again from the start when there are too few. */
export function corpusOfFolder(folder: string, count: number): Corpus {
  const items: Item[] = [];
  const passages: string[] = [];
  for (const path of files(folder)) {
    const bytes = readFileSync(path);
    if (bytes.includes(0)) continue;
    const words = bytes.toString('utf8').split(/(?<=\s)(?=\S)/);
    for (let at = 0; at + 20 <= words.length; at += 90)
      passages.push(
        words
          .slice(at, at + 90)
          .join('')
          .trim(),
      );
    if (passages.length >= count) break;
  }
  if (passages.length === 0) throw new Error(`No text of 20 words or more below ${folder}`);
  for (let index = 0; index < count; index++) {
    const round = Math.floor(index / passages.length);
    const value = `${passages[index % passages.length] ?? ''}${round === 0 ? '' : ` (${round})`}`;
    items.push({ key: `passage-${index}`, value, metadata: { source: 'bench', tags: [`t${index % 97}`] } });
  }
  return {
    origin: `${passages.length} passages of the files below ${folder}`,
    items,
    queries: queriesFor(items, randomFrom(7)),
  };
}

const OF_EACH = 50;

/** Queries of seven kinds, 50 of each, all different. */
function queriesFor(items: readonly Item[], random: () => number): Query[] {
  const wordsIn = (value: string) => value.match(/[\p{L}\p{N}]+/gu) ?? ['nothing'];
  const pick = <T>(from: readonly T[], otherwise: T): T =>
    from[Math.floor(random() * from.length)] ?? otherwise;
  const memory = () => wordsIn(pick(items, { key: '', value: 'nothing', metadata: {} }).value);
  const some = (count: number) => {
    const words = memory();
    return Array.from({ length: count }, () => pick(words, 'nothing'));
  };
  // The longest words of a text are the rare ones, by and large.
  const rare = (count: number) => [...new Set(memory())].sort((a, b) => b.length - a.length).slice(0, count);
  const run = (count: number) => {
    const words = memory();
    const from = Math.floor(random() * Math.max(1, words.length - count));
    return words.slice(from, from + count).join(' ');
  };
  const identifiers = items.flatMap(({ value }) => value.match(/\b[a-z]+(?:[A-Z][a-z]+|_[a-z]+)+\b/g) ?? []);
  const kinds: Record<string, () => string> = {
    'two words': () => some(2).join(' '),
    'four words': () => some(4).join(' '),
    'twelve words': () => some(12).join(' '),
    'rare words': () => rare(3).join(' '),
    question: () => `What did we say about ${rare(2).join(' and ')} when it was ${some(1).join('')}?`,
    identifier: () => pick(identifiers, rare(1).join('')),
    'part of a text': () => run(8),
  };
  const made = Object.entries(kinds).flatMap(([kind, make]) => {
    const texts = new Set<string>();
    for (let tries = 0; texts.size < OF_EACH && tries < OF_EACH * 20; tries++) texts.add(make());
    return [...texts].map((text) => ({ kind, text }));
  });
  const reworded = (text: string) => {
    const words = memory();
    return wordsIn(text)
      .map((word) => (random() < 0.5 ? word : pick(words, 'nothing')))
      .join(' ');
  };
  return made.map((query) => ({ ...query, wordings: Array.from({ length: 4 }, () => reworded(query.text)) }));
}
