import { readFileSync } from 'node:fs';

import type { PackedLeanings } from './attribute-leanings.ts';
import type { PackedMembers } from './attribute-classes.ts';
import type { PackedPhrases } from './attribute-phrases.ts';

/** The names of things in the packed lexicon, by their numbers; stems are numbered in their order, with a blank between them. */
export interface AttributeNames {
  readonly stems: string;
  readonly attributes: readonly { readonly a: string; readonly one: boolean; readonly value: string }[];
  readonly changes: readonly { readonly a: string }[];
  readonly classes: readonly { readonly name: string; readonly isExclusive: boolean }[];
  readonly members: readonly string[];
  readonly raws: Readonly<Record<string, string>>;
}

/** The lexicon of attributes as it is read: everything by numbers, without a stem to be made. */
export interface PackedAttributes {
  readonly names: AttributeNames;
  readonly says: PackedPhrases;
  readonly asks: PackedPhrases;
  readonly states: PackedPhrases;
  readonly ends: PackedPhrases;
  readonly members: PackedMembers;
  readonly leanings: PackedLeanings;
}

const BOOK = {
  starts: Uint32Array,
  of: Uint16Array,
  kinds: Uint8Array,
  worths: Float64Array,
  stemStarts: Uint32Array,
  stems: Uint16Array,
  pairStarts: Uint32Array,
  pairs: Uint16Array,
} as const;
/** The arrays of the file, in their order. */
const LAYOUT = {
  says: BOOK,
  asks: BOOK,
  states: BOOK,
  ends: BOOK,
  members: {
    starts: Uint32Array,
    of: Uint16Array,
    names: Uint16Array,
    stemStarts: Uint32Array,
    stems: Uint16Array,
  },
  leanings: { starts: Uint32Array, of: Uint16Array, counts: Uint16Array },
} as const;
const MAGIC = 'RVA1';
/** What an array's place in the file is a multiple of. */
const ALIGNED = 8;
const aligned = (length: number): number => Math.ceil(length / ALIGNED) * ALIGNED;

type Arrays = Readonly<
  Record<string, Readonly<Record<string, ArrayBufferView & { readonly length: number }>>>
>;

/**
 * The bytes of the packed lexicon, little endian: "RVA1", u32 bytes of JSON, the JSON (`names`, and by name the `lengths` of the
 * arrays), then the arrays in the order of `LAYOUT`; each begins at a multiple of eight.
 */
export function attributesToBytes({ names, ...books }: PackedAttributes): Buffer {
  const of = books as unknown as Arrays;
  const all = Object.entries(LAYOUT).flatMap(([book, arrays]) =>
    Object.keys(arrays).map((name) => ({ name: `${book}.${name}`, array: of[book]?.[name] as Uint8Array })),
  );
  const lengths = Object.fromEntries(all.map(({ name, array }) => [name, array.length]));
  const json = Buffer.from(JSON.stringify({ names, lengths }));
  const start = aligned(8 + json.length);
  const head = Buffer.alloc(start, ' ');
  head.write(MAGIC, 0, 'latin1');
  head.writeUInt32LE(start - 8, 4);
  json.copy(head, 8);
  const sections = all.map(({ array }) => {
    const section = Buffer.alloc(aligned(array.byteLength));
    section.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return section;
  });
  return Buffer.concat([head, ...sections]);
}

/** Reads the packed lexicon, 5 ms; throws where the file is not one. */
export function readPackedAttributes(file: string): PackedAttributes {
  // A large file gets a buffer of its own, and what begins with it is aligned: nothing is copied.
  const read = readFileSync(file);
  const text = read.byteOffset === 0 ? read : Buffer.from(Uint8Array.from(read).buffer);
  if (text.length < 8 || text.toString('latin1', 0, 4) !== MAGIC)
    throw new Error(`${file} is not a packed lexicon of attributes`);
  let at = 8 + text.readUInt32LE(4);
  if (at > text.length) throw new Error(`${file} is cut short: its names are missing`);
  const { names, lengths } = JSON.parse(text.toString('utf8', 8, at)) as {
    names: AttributeNames;
    lengths: Readonly<Record<string, number>>;
  };
  const books = Object.entries(LAYOUT).map(([book, arrays]) => {
    const read = Object.entries(arrays).map(([name, Numbers]) => {
      const length = lengths[`${book}.${name}`] ?? 0;
      const end = at + length * Numbers.BYTES_PER_ELEMENT;
      if (end > text.length) throw new Error(`${file} is cut short: ${book}.${name} is missing`);
      const array = new Numbers(text.buffer, at, length);
      at = aligned(end);
      return [name, array] as const;
    });
    return [book, Object.fromEntries(read)] as const;
  });
  return { names, ...Object.fromEntries(books) } as unknown as PackedAttributes;
}
