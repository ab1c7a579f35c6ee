import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A vector that is multiplied with rows, in whole numbers; `step` is what 1 stands for. */
export interface AskedVector {
  readonly slot: number;
  readonly steps: Int16Array;
  readonly step: number;
}

/** What data/dot/dot.wat exports. */
interface DotProgram {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  dot(query: number, end: number, row: number): number;
  scan(query: number, end: number, row: number, out: number, count: number): void;
  scan4(query: number, size: number, row: number, out: number, count: number, apart: number): void;
}

// Node's types leave it to those of browsers.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** How many vectors can be asked with at the same time, each in a slot of its own. */
export const ASKED = 8;
/** Rows that are scanned at a time. */
const BLOCK = 1024;
/** Vectors that a row is multiplied with while it is at hand. */
const TOGETHER = 4;
const PAGE = 65_536;
/** Numbers that the program takes at a time. */
const WIDTH = 16;
const LARGEST_STEP = 32_767;

let compiled: object | undefined;

function startProgram(): DotProgram {
  compiled ??= new WebAssembly.Module(readFileSync(join(import.meta.dirname, '../../data/dot/dot.wasm')));
  return new WebAssembly.Instance(compiled).exports as DotProgram;
}

/**
 * Rows of int8 of one length, and dot products with them by a small WebAssembly program that takes 16 numbers at a time
 * (data/dot): a tenth of the time that JavaScript takes. What is asked with is rounded to a 30,000th of its largest number,
 * or less finely where it has more than 500 dimensions, so that no sum leaves 31 bits.
 */
export class Rows {
  readonly dimensions: number;
  /** Numbers from one row to the next. */
  readonly stride: number;
  readonly #program = startProgram();
  readonly #asked: (AskedVector | undefined)[] = Array<undefined>(ASKED).fill(undefined);
  readonly #out: number;
  readonly #first: number;
  #capacity = 0;
  #data = new Int8Array(0);
  #queries = new Int16Array(0);
  #sums: readonly Int32Array[] = [];

  constructor(dimensions: number, capacity = 0) {
    this.dimensions = dimensions;
    this.stride = Math.ceil(dimensions / WIDTH) * WIDTH;
    this.#out = ASKED * 2 * this.stride;
    this.#first = this.#out + 4 * BLOCK * TOGETHER;
    this.reserve(capacity);
  }

  get capacity(): number {
    return this.#capacity;
  }

  get bytes(): number {
    return this.#program.memory.buffer.byteLength;
  }

  /** Makes room for so many rows; new ones are all zero. */
  reserve(capacity: number): void {
    const { memory } = this.#program;
    const missing = this.#first + capacity * this.stride - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    this.#capacity = Math.floor((memory.buffer.byteLength - this.#first) / this.stride);
    this.#data = new Int8Array(memory.buffer, this.#first);
    this.#queries = new Int16Array(memory.buffer, 0, ASKED * this.stride);
    this.#sums = Array.from(
      { length: TOGETHER },
      (_, at) => new Int32Array(memory.buffer, this.#out + 4 * BLOCK * at, BLOCK),
    );
  }

  /** All numbers, row after row. Not to be kept where room is made later: they are elsewhere then. */
  get numbers(): Int8Array {
    return this.#data;
  }

  /** A row's numbers: what is written there is the row. Not to be kept: room that is made later is elsewhere. */
  at(row: number): Int8Array {
    return this.#data.subarray(row * this.stride, row * this.stride + this.dimensions);
  }

  /** Readies a vector to be multiplied with rows; it takes the place of the last one of its slot. */
  ask(vector: Float32Array, slot = 0): AskedVector {
    let most = 0;
    for (const value of vector) most = Math.max(most, Math.abs(value));
    const step = most / Math.min(LARGEST_STEP, Math.floor(2 ** 31 / 128 / this.stride)) || 1;
    const asked = { slot, step, steps: Int16Array.from(vector, (value) => Math.round(value / step)) };
    this.#place(asked);
    return asked;
  }

  #place(asked: AskedVector): number {
    const from = asked.slot * this.stride;
    if (this.#asked[asked.slot] !== asked) {
      this.#queries.fill(0, from, from + this.stride).set(asked.steps, from);
      this.#asked[asked.slot] = asked;
    }
    return 2 * from;
  }

  /** The dot product of a row with what is asked. */
  dot(asked: AskedVector, row: number): number {
    const from = this.#place(asked);
    const end = from + 2 * this.stride;
    return this.#program.dot(from, end, this.#first + row * this.stride) * asked.step;
  }

  /**
   * Visits the dot products of the first `count` rows with each of some vectors, which stand in the first slots in their order, some
   * rows at a time: `sums` begins with those of so many rows from `first` on with `asked[which]`, in steps of it. (A number with a
   * fraction that is handed to a function is an object: one a row was half of a search's garbage.)
   */
  scan(
    asked: readonly AskedVector[],
    count: number,
    visit: (place: { first: number; rows: number; which: number }, sums: Int32Array) => void,
  ): void {
    for (const one of asked) this.#place(one);
    const size = 2 * this.stride;
    for (let first = 0; first < count; first += BLOCK) {
      const rows = Math.min(BLOCK, count - first);
      const at = this.#first + first * this.stride;
      for (let from = 0; from < asked.length; from += TOGETHER) {
        const some = Math.min(TOGETHER, asked.length - from);
        const query = size * from;
        if (some === 1) this.#program.scan(query, query + size, at, this.#out, rows);
        else this.#program.scan4(query, size, at, this.#out, rows, 4 * BLOCK);
        for (let i = 0; i < some; i++) {
          const sums = this.#sums[i];
          if (sums) visit({ first, rows, which: from + i }, sums);
        }
      }
    }
  }
}
