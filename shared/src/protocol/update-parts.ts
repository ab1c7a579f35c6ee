import * as decoding from 'lib0/decoding';

/**
 * Structures, values and deletions that one update may hold. Devices write some thousands at most, and each costs a microsecond or two to
 * merge: 8 MiB of the smallest ones, four million, would keep a device from everything else for seconds.
 */
export const MOST_PARTS = 250_000;

/** Values within values, such as a list in a list; deeper ones are not read. */
const DEEPEST = 64;

/** Counts on; throws `TooMany` where it is over. */
type Count = (parts: number) => void;

class TooMany extends Error {}

/**
 * Whether an update (version 1 of Yjs's encoding) holds more than `most` parts. Only its lengths are read, nothing is made of it, and no more
 * of it is read than that takes: some ms at most. Throws for bytes that end too early, or are none.
 */
export function hasMoreParts(update: Uint8Array, most = MOST_PARTS): boolean {
  // A part takes a byte at least.
  if (update.length <= most) return false;
  let parts = 0;
  const count: Count = (more) => {
    parts += more;
    if (parts > most) throw new TooMany();
  };
  try {
    const from = decoding.createDecoder(update);
    readStructs(from, count);
    readDeletions(from, count);
    return false;
  } catch (cause) {
    if (cause instanceof TooMany) return true;
    throw cause;
  }
}

const skip = (from: decoding.Decoder, bytes: number) => {
  if (from.pos + bytes > from.arr.length) throw new Error('the update ends too early');
  from.pos += bytes;
};
const skipBytes = (from: decoding.Decoder) => skip(from, decoding.readVarUint(from));
const skipId = (from: decoding.Decoder) => {
  decoding.readVarUint(from);
  decoding.readVarUint(from);
};

/** For each client its structs, as `readClientsStructRefs` of Yjs reads them. */
function readStructs(from: decoding.Decoder, count: Count): void {
  for (let clients = decoding.readVarUint(from); clients > 0; clients -= 1) {
    count(1);
    const structs = decoding.readVarUint(from);
    skipId(from);
    for (let left = structs; left > 0; left -= 1) {
      count(1);
      readStruct(from, count);
    }
  }
}

function readStruct(from: decoding.Decoder, count: Count): void {
  const info = decoding.readUint8(from);
  const kind = info & 31;
  // What was deleted, or is left out: a length.
  if (kind === 0 || kind === 10) return void decoding.readVarUint(from);
  if (info & 128) skipId(from);
  if (info & 64) skipId(from);
  if ((info & 192) === 0) {
    if (decoding.readVarUint(from) === 1) skipBytes(from);
    else skipId(from);
    if (info & 32) skipBytes(from);
  }
  readContent(from, kind, count);
}

function readContent(from: decoding.Decoder, kind: number, count: Count): void {
  switch (kind) {
    // A deleted run.
    case 1:
      return void decoding.readVarUint(from);
    // Values as JSON.
    case 2:
      return times(decoding.readVarUint(from), () => {
        count(1);
        skipBytes(from);
      });
    // Bytes, a text, an embed.
    case 3:
    case 4:
    case 5:
      return skipBytes(from);
    // A format: its key and its value.
    case 6:
      skipBytes(from);
      return skipBytes(from);
    // A type; elements and hooks of XML have a name.
    case 7: {
      const type = decoding.readVarUint(from);
      return type === 3 || type === 5 ? skipBytes(from) : undefined;
    }
    case 8:
      return times(decoding.readVarUint(from), () => readValue(from, count, 0));
    // A document in the document: its id and its options.
    case 9:
      skipBytes(from);
      return readValue(from, count, 0);
    default:
      throw new Error(`there is no content ${kind}`);
  }
}

/** A value as `readAny` of lib0 reads it. */
function readValue(from: decoding.Decoder, count: Count, depth: number): void {
  count(1);
  if (depth > DEEPEST) throw new Error('values are too deep in one another');
  const kind = decoding.readUint8(from);
  switch (kind) {
    case 116:
    case 119:
      return skipBytes(from);
    case 117:
      return times(decoding.readVarUint(from), () => readValue(from, count, depth + 1));
    case 118:
      return times(decoding.readVarUint(from), () => {
        skipBytes(from);
        readValue(from, count, depth + 1);
      });
    case 122:
    case 123:
      return skip(from, 8);
    case 124:
      return skip(from, 4);
    case 125:
      return void decoding.readVarInt(from);
    case 120:
    case 121:
    case 126:
    case 127:
      return;
    default:
      throw new Error(`there is no value ${kind}`);
  }
}

function readDeletions(from: decoding.Decoder, count: Count): void {
  for (let clients = decoding.readVarUint(from); clients > 0; clients -= 1) {
    count(1);
    decoding.readVarUint(from);
    times(decoding.readVarUint(from), () => {
      count(1);
      skipId(from);
    });
  }
}

function times(count: number, run: () => void): void {
  for (let left = count; left > 0; left -= 1) run();
}
