import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { ProtocolError } from './fields.ts';
import { CHUNK } from './messages.ts';
import { limits } from './version.ts';

/** Number, place and count of a chunk take less. */
const HEAD = 32;
const PIECE = limits.frame - HEAD;
const MOST_CHUNKS = Math.ceil(limits.message / PIECE);

/** The frames of an encoded message: itself, or chunks of at most 1 MiB, to be sent one after the other. */
export function toFrames(message: Uint8Array): Uint8Array[] {
  if (message.length <= limits.frame) return [message];
  if (message.length > limits.message) throw new ProtocolError('The message is too long');
  const count = Math.ceil(message.length / PIECE);
  return Array.from({ length: count }, (_, index) => {
    const to = encoding.createEncoder();
    encoding.writeVarUint(to, CHUNK);
    encoding.writeVarUint(to, index);
    encoding.writeVarUint(to, count);
    encoding.writeUint8Array(to, message.subarray(index * PIECE, (index + 1) * PIECE));
    return encoding.toUint8Array(to);
  });
}

/** Puts the chunks of one connection together. */
export interface Assembler {
  /** The message that a frame completes, if it does. Throws `ProtocolError`; the connection is then of no use. */
  push(frame: Uint8Array): Uint8Array | undefined;
}

export function createAssembler(): Assembler {
  let pieces: Uint8Array[] = [];
  let wanted = 0;

  function chunkOf(frame: Uint8Array): { index: number; count: number; piece: Uint8Array } | undefined {
    try {
      const from = decoding.createDecoder(frame);
      if (decoding.readVarUint(from) !== CHUNK) return undefined;
      const index = decoding.readVarUint(from);
      const count = decoding.readVarUint(from);
      return { index, count, piece: frame.subarray(from.pos) };
    } catch (cause) {
      throw new ProtocolError('The frame is malformed', cause);
    }
  }

  return {
    push(frame) {
      if (frame.length > limits.frame) throw new ProtocolError('The frame is too long');
      const chunk = chunkOf(frame);
      if (!chunk) {
        if (wanted > 0) throw new ProtocolError('A message came between the chunks of another');
        return frame;
      }
      const { index, count, piece } = chunk;
      if (index === 0 && wanted === 0 && count > 1 && count <= MOST_CHUNKS) wanted = count;
      if (count !== wanted || index !== pieces.length || piece.length === 0)
        throw new ProtocolError('A chunk is not the next one');
      // A copy: the frame's memory belongs to the socket.
      pieces.push(piece.slice());
      if (pieces.length < wanted) return undefined;
      const message = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const part of pieces) {
        message.set(part, at);
        at += part.length;
      }
      pieces = [];
      wanted = 0;
      return message;
    },
  };
}
