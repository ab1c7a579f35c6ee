import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { limits } from './version.ts';

/** Bytes that are no message of this protocol, or a message that it cannot say. */
export class ProtocolError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProtocolError';
  }
}

export type WireWriter = encoding.Encoder;
export type WireReader = decoding.Decoder;

/** How one field stands on the wire; both ways check it, so that what one side sends the other one takes. */
export interface Field<T> {
  write(to: WireWriter, value: T): void;
  read(from: WireReader): T;
}

const remaining = (from: WireReader) => from.arr.length - from.pos;

/** An integer from 0 to `max`. */
export function uint(max: number = Number.MAX_SAFE_INTEGER): Field<number> {
  const checked = (value: number) => {
    if (!Number.isSafeInteger(value) || value < 0 || value > max)
      throw new ProtocolError(`A number is not in 0..${max}`);
    return value;
  };
  return {
    write: (to, value) => encoding.writeVarUint(to, checked(value)),
    read: (from) => checked(decoding.readVarUint(from)),
  };
}

/** Bytes, at most `max` of them; with `exact`, that many, or none where that is allowed. What is read is a view, no copy. */
export function bytes(max: number, exact?: { length: number; orNone: boolean }): Field<Uint8Array> {
  const check = (length: number) => {
    if (length > max) throw new ProtocolError(`More than ${max} bytes`);
    if (exact && length !== exact.length && !(exact.orNone && length === 0))
      throw new ProtocolError(`Not ${exact.length} bytes`);
  };
  return {
    write(to, value) {
      check(value.length);
      encoding.writeVarUint8Array(to, value);
    },
    read(from) {
      const length = decoding.readVarUint(from);
      check(length);
      // lib0 makes a view of the underlying buffer, which in Node holds other people's bytes behind ours.
      if (length > remaining(from)) throw new ProtocolError('The message ends too early');
      return decoding.readUint8Array(from, length);
    },
  };
}

/** A hash of 32 bytes. */
export const hash = bytes(32, { length: 32, orNone: false });
/** A hash of 32 bytes, or none. */
export const hashOrNone = bytes(32, { length: 32, orNone: true });
export const body = bytes(limits.body);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const toUtf8 = new TextEncoder();

/** Text of at most `max` bytes of UTF-8. */
export function text(max: number): Field<string> {
  const raw = bytes(max);
  return {
    write(to, value) {
      if (!value.isWellFormed()) throw new ProtocolError('A text is not Unicode');
      raw.write(to, toUtf8.encode(value));
    },
    read: (from) => utf8.decode(raw.read(from)),
  };
}

const ID = /^[\w-]+$/;

function ids(allowsNone: boolean): Field<string> {
  const raw = text(limits.id);
  const checked = (value: string) => {
    if (!ID.test(value) && !(allowsNone && value === '')) throw new ProtocolError('This is no id');
    return value;
  };
  return { write: (to, value) => raw.write(to, checked(value)), read: (from) => checked(raw.read(from)) };
}

/** An id: 1 to 64 letters, digits, `_` and `-`. */
export const id = ids(false);
export const idOrNone = ids(true);

/** 0 or 1. */
export const flag: Field<boolean> = {
  write: (to, value) => encoding.writeVarUint(to, value ? 1 : 0),
  read(from) {
    const value = decoding.readVarUint(from);
    if (value > 1) throw new ProtocolError('A flag is neither 0 nor 1');
    return value === 1;
  },
};

/** One of a list, as its place there. */
export function oneOf<const T extends string>(values: readonly T[]): Field<T> {
  const place = uint(values.length - 1);
  return {
    write: (to, value) => place.write(to, values.indexOf(value)),
    read(from) {
      const value = values[place.read(from)];
      if (value === undefined) throw new ProtocolError('This is none of the choices');
      return value;
    },
  };
}

/** At most `max` of a field. */
export function listOf<T>(field: Field<T>, max: number = limits.items): Field<readonly T[]> {
  const count = uint(max);
  return {
    write(to, values) {
      count.write(to, values.length);
      for (const value of values) field.write(to, value);
    },
    read(from) {
      const length = count.read(from);
      // Each takes a byte at least: no array is made for what cannot be there.
      if (length > remaining(from)) throw new ProtocolError('The message ends too early');
      return Array.from({ length }, () => field.read(from));
    },
  };
}

/** Fields one after the other, in the order of the definition. */
export function record<T extends object>(fields: { [K in keyof T]-?: Field<T[K]> }): Field<T> {
  const all = Object.entries(fields) as [keyof T, Field<T[keyof T]>][];
  return {
    write(to, value) {
      for (const [name, field] of all) field.write(to, value[name]);
    },
    read: (from) => Object.fromEntries(all.map(([name, field]) => [name, field.read(from)])) as T,
  };
}
