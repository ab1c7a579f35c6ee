import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { codecs, typeOfNumber } from './codecs.ts';
import { type Field, ProtocolError } from './fields.ts';
import { type Message, messageNumbers } from './messages.ts';
import { limits } from './version.ts';

export { ProtocolError } from './fields.ts';

/** The codec of a message; which one it is decides its type, which TypeScript cannot follow through a table. */
function codecOf(type: Message['type']): Field<Message> {
  return codecs[type];
}

/** A message as bytes; longer than a frame where its content is, see `toFrames`. Throws `ProtocolError`. */
export function encode(message: Message): Uint8Array {
  const to = encoding.createEncoder();
  encoding.writeVarUint(to, messageNumbers[message.type]);
  codecOf(message.type).write(to, message);
  const bytes = encoding.toUint8Array(to);
  if (bytes.length > limits.message) throw new ProtocolError('The message is too long');
  return bytes;
}

/**
 * The message that bytes are. Throws `ProtocolError` for anything else, and nothing else: too long, too short,
 * out of range, or with something left at the end. What it answers shares memory with `bytes`.
 */
export function decode(bytes: Uint8Array): Message {
  if (bytes.length > limits.message) throw new ProtocolError('The message is too long');
  try {
    const from = decoding.createDecoder(bytes);
    const number = decoding.readVarUint(from);
    const type = typeOfNumber.get(number);
    if (type === undefined) throw new ProtocolError(`There is no message ${number}`);
    const message = codecOf(type).read(from);
    if (decoding.hasContent(from)) throw new ProtocolError('Something is left behind the message');
    return message;
  } catch (cause) {
    if (cause instanceof ProtocolError) throw cause;
    throw new ProtocolError('The message is malformed', cause);
  }
}
