import fs from 'node:fs';
import { join } from 'node:path';

import { normalise, type Embedder } from './embedder.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';
import { type AskedVector, Rows } from './rows.ts';

/** The default embedder; `tokens` are the words and word pieces that it adds up, and that a weight function is asked about. */
export interface StaticTable extends Embedder {
  tokens(text: string): string[];
  readonly words: WordTable;
}

/** The vectors of single words, not of unit length: common words have short ones. */
export interface WordTable {
  readonly dimensions: number;
  readonly rows: number;
  /** The row of a word, whatever its case; -1 for one that the table lacks. */
  row(word: string): number;
  /** The dot product of a row with a vector. */
  dot(vector: AskedVector, row: number): number;
  /** Readies a vector for `dot`; it takes the place of the last one of its slot. */
  ask(vector: Float32Array, slot: number): AskedVector;
  /** The square of a row's length. */
  square(row: number): number;
  /** Reads a little of a row and says nothing of it: done for many rows in one loop, the processor waits for all of them at the same time. */
  touch(row: number): number;
  /** In how many dimensions two rows differ by their sign: half of them where the words are strangers. */
  differing(a: number, b: number): number;
}

interface Table {
  readonly dimensions: number;
  readonly words: Vocabulary;
  readonly buckets: number;
  readonly rows: Rows;
  readonly scales: Float32Array;
}

/** Bytes: what is longer is no header. */
const LARGEST_HEADER = 65_536;
const DEFAULT_FILE = join(import.meta.dirname, '../../data/static-embedding/table.bin');

/** Reads the packed table (format: data/static-embedding/README.md); throws where the file is not one. */
export function loadStaticTable(file: string = DEFAULT_FILE): StaticTable {
  const { model, table } = unpack(file);
  const encoder = new TableEncoder(table);
  return {
    model,
    dimensions: table.dimensions,
    isRemote: false,
    encode: (text, weight) => encoder.encode(text, weight),
    tokens(text) {
      const tokens: string[] = [];
      forEachToken(table.words, text, (_row, word) => tokens.push(word.toLowerCase()));
      return tokens;
    },
    words: wordTable(table),
  };
}

function wordTable({ dimensions, words, rows, scales }: Table): WordTable {
  const { numbers, stride } = rows;
  /** 0 where it is not known yet. */
  const squares = new Float32Array(words.size);
  const width = Math.ceil(dimensions / 32);
  const signs = new Int32Array(words.size * width);
  const hasSigns = new Uint8Array(words.size);

  function signsAt(row: number): number {
    const at = row * width;
    if (hasSigns[row] === 1) return at;
    hasSigns[row] = 1;
    for (let i = 0; i < dimensions; i++)
      if ((numbers[row * stride + i] ?? 0) > 0)
        signs[at + (i >> 5)] = (signs[at + (i >> 5)] ?? 0) | (1 << (i & 31));
    return at;
  }

  return {
    dimensions,
    rows: words.size,
    row: (word) => words.find(word),
    ask: (vector, slot) => rows.ask(vector, slot),
    dot: (vector, row) => rows.dot(vector, row) * (scales[row] ?? 0),
    square(row) {
      const before = squares[row] ?? 0;
      if (before > 0) return before;
      const start = row * stride;
      let sum = 0;
      for (let i = 0; i < dimensions; i++) sum += (numbers[start + i] ?? 0) ** 2;
      return (squares[row] = sum * (scales[row] ?? 0) ** 2);
    },
    touch: (row) =>
      (numbers[row * stride] ?? 0) ^ (numbers[(row + 1) * stride - 1] ?? 0) ^ (signs[row * width] ?? 0),
    differing(a, b) {
      const from = signsAt(a);
      const to = signsAt(b);
      let count = 0;
      for (let i = 0; i < width; i++) count += bitsOf((signs[from + i] ?? 0) ^ (signs[to + i] ?? 0));
      return count;
    },
  };
}

interface Header {
  model: string;
  meta: { dim: number; vocab: number; buckets: number };
  sections: Record<'vocab' | 'scales' | 'table', { offset: number; length: number }>;
}

/** Each part is read where it stays: memory that was held for the whole file would be given back late, or never. */
function unpack(file: string): { model: string; table: Table } {
  const handle = fs.openSync(file, 'r');
  const read = <T extends Uint8Array | Float32Array | Int8Array>(into: T, at: number, what: string): T => {
    if (fs.readSync(handle, into, 0, into.byteLength, at) < into.byteLength)
      throw new Error(`${file} is cut short: ${what} is missing`);
    return into;
  };
  try {
    const head = Buffer.alloc(8);
    if (fs.readSync(handle, head, 0, 8, 0) < 8 || head.toString('latin1', 0, 4) !== 'RVT1')
      throw new Error(`${file} is not a packed embedding table`);
    const start = 8 + head.readUInt32LE(4);
    const json = read(Buffer.alloc(Math.min(start - 8, LARGEST_HEADER)), 8, 'header');
    const { model, meta, sections } = JSON.parse(json.toString('utf8')) as Header;
    const { vocab, scales, table } = sections;
    const count = meta.vocab + meta.buckets;
    if (table.length !== count * meta.dim) throw new Error(`${file} is cut short or corrupt`);
    const rows = new Rows(meta.dim, count);
    if (rows.stride === meta.dim) read(rows.numbers.subarray(0, table.length), start + table.offset, 'table');
    else
      for (let row = 0; row < count; row++)
        read(rows.at(row), start + table.offset + row * meta.dim, 'table');
    return {
      model,
      table: {
        dimensions: meta.dim,
        words: createVocabulary(
          read(new Uint8Array(vocab.length), start + vocab.offset, 'vocab'),
          meta.vocab,
        ),
        buckets: meta.buckets,
        rows,
        scales: read(new Float32Array(scales.length / 4), start + scales.offset, 'scales'),
      },
    };
  } finally {
    fs.closeSync(handle);
  }
}

/** How many bits of 32 are set. */
function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const WORDS = /[A-Za-z0-9]+(?:'[A-Za-z][A-Za-z0-9]*)*/g;
const PIECES = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const CLITICS = new Set(['s', 'd', 'll', 're', 've', 'm', '']);
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  Þ: 'Th',
  þ: 'th',
  Ð: 'D',
  ð: 'd',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  '’': "'",
  ʼ: "'",
};

const ASCII = /^[\x00-\x7f]*$/;

function fold(text: string): string {
  if (ASCII.test(text)) return text;
  return (
    text
      .replace(/[ßÆæØøÞþÐðłŁđĐ’ʼ]/g, (letter) => LETTERS[letter] ?? letter)
      // Normalising sorts marks, which takes quadratic time: minutes for 1 MiB of them.
      .replace(/(\p{M}{16})\p{M}+/gu, '$1')
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
  );
}

function withoutClitic(word: string): string {
  const at = word.lastIndexOf("'");
  if (at < 0) return word;
  const kept = CLITICS.has(word.slice(at + 1).toLowerCase()) ? word.slice(0, at) : word;
  return kept.replaceAll("'", '');
}

/** Visits the words of a text, and the pieces of those that the vocabulary lacks; `row` is -1 for a piece that it lacks, too. */
function forEachToken(words: Vocabulary, text: string, visit: (row: number, word: string) => void): void {
  for (const match of fold(text).match(WORDS) ?? []) {
    const word = withoutClitic(match);
    const row = words.find(word);
    if (row >= 0) visit(row, word);
    else for (const piece of word.match(PIECES) ?? []) visit(words.find(piece), piece);
  }
}

/** What is longer is data, not a word; its n-grams would take a second a megabyte. */
const LONGEST_PIECE = 256;

/** Equal to the reference encoder of the training (`reference-vectors.json`), which is why its order of rules is kept. */
class TableEncoder {
  readonly #table: Table;
  readonly #sum: Float64Array;

  constructor(table: Table) {
    this.#table = table;
    this.#sum = new Float64Array(table.dimensions);
  }

  encode(text: string, weight?: (token: string) => number): Float32Array {
    this.#sum.fill(0);
    forEachToken(this.#table.words, text, (row, word) => {
      const factor = weight ? weight(word.toLowerCase()) : 1;
      if (factor === 0) return;
      if (row >= 0) this.#add(row, factor);
      else this.#addUnknown(word.toLowerCase(), factor);
    });
    return normalise(Float32Array.from(this.#sum));
  }

  #add(row: number, factor: number): void {
    const { rows, scales } = this.#table;
    const { numbers, stride } = rows;
    const sum = this.#sum;
    const scale = factor * (scales[row] ?? 0);
    const start = row * stride;
    // Four at a time takes less than half as long; what lies behind the end of `sum` is not written.
    for (let i = 0; i < sum.length; i += 4) {
      const from = start + i;
      sum[i] = (sum[i] ?? 0) + scale * (numbers[from] ?? 0);
      sum[i + 1] = (sum[i + 1] ?? 0) + scale * (numbers[from + 1] ?? 0);
      sum[i + 2] = (sum[i + 2] ?? 0) + scale * (numbers[from + 2] ?? 0);
      sum[i + 3] = (sum[i + 3] ?? 0) + scale * (numbers[from + 3] ?? 0);
    }
  }

  /** The mean of the buckets of a piece's 3-grams, 4-grams and whole. */
  #addUnknown(piece: string, factor: number): void {
    const marked = `<${piece.slice(0, LONGEST_PIECE)}>`;
    const found: number[] = [];
    for (const size of [3, 4]) {
      for (let i = 0; i + size <= marked.length; i++) found.push(this.#bucket(marked, i, i + size));
    }
    found.push(this.#bucket(marked, 0, marked.length));
    for (const row of found) this.#add(row, factor / found.length);
  }

  /** FNV-1a over the characters (all ASCII by now). */
  #bucket(text: string, from: number, to: number): number {
    let hash = 2166136261;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
    return this.#table.words.size + ((hash >>> 0) % this.#table.buckets);
  }
}
