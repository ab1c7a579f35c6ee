import * as encoding from 'lib0/encoding';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../testing/depth.ts';
import { createAssembler, toFrames } from './frames.ts';
import { entryHash, NO_HASH } from './entry-hash.ts';
import { type Entry, messageNumbers } from './messages.ts';
import { samples } from './testing/samples.ts';
import { limits } from './version.ts';
import { decode, encode, ProtocolError } from './wire.ts';

/** Whether bytes are read; anything but a message or a `ProtocolError` fails the test. */
function isRead(bytes: Uint8Array): boolean {
  try {
    decode(bytes);
    return true;
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    return false;
  }
}

describe('a message', () => {
  test.each(samples.map((message) => [message.type, message] as const))('%s comes back', (_, message) => {
    expect(decode(encode(message))).toEqual(message);
  });

  test('all types are among the samples', () => {
    expect(new Set(samples.map(({ type }) => type))).toEqual(new Set(Object.keys(messageNumbers)));
  });

  test('cut short at any byte, or with one more, is refused', () => {
    for (const message of samples) {
      const bytes = encode(message);
      for (let length = 0; length < bytes.length; length += 1)
        expect(isRead(bytes.subarray(0, length))).toBe(false);
      expect(isRead(Uint8Array.of(...bytes, 0))).toBe(false);
    }
  });

  test('never reads behind its end into the memory around it', () => {
    const around = new Uint8Array(4096).fill(65);
    const to = encoding.createEncoder();
    encoding.writeVarUint(to, messageNumbers.unsubscribe);
    encoding.writeVarUint(to, 40);
    const head = encoding.toUint8Array(to);
    around.set(head, 100);
    expect(isRead(around.subarray(100, 100 + head.length))).toBe(false);
  });

  test('any bytes are a message or a ProtocolError', () => {
    const ours = fc.constantFrom(...Object.values(messageNumbers));
    fc.assert(
      fc.property(fc.option(ours), fc.uint8Array({ maxLength: 300 }), (number, rest) => {
        isRead(number === null ? rest : Uint8Array.of(number, ...rest));
      }),
      { numRuns: runs(200, 3000) },
    );
  });

  test('with any byte changed it is another message or a ProtocolError', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(), fc.nat(255), (message, at, byte) => {
        const bytes = encode(message);
        bytes[at % bytes.length] = byte;
        if (isRead(bytes)) expect(encode(decode(bytes)).length).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: runs(200, 3000) },
    );
  });

  test('what the other side would refuse is not sent', () => {
    const hello = { type: 'hello', version: 1, device: 'dev_a', incarnation: 'i' } as const;
    const broken = [
      { ...hello, device: '' },
      { ...hello, device: 'a b' },
      { ...hello, device: 'a'.repeat(limits.id + 1) },
      { ...hello, version: -1 },
      { ...hello, version: 1.5 },
      { type: 'presence', room: 'r', device: '', body: new Uint8Array(limits.presence + 1) },
      { type: 'subscribe', room: 'r', logId: '', cursor: 1, hash: new Uint8Array(31) },
      { type: 'confirm', room: 'r', bucket: 0, covers: 1, bodyHash: new Uint8Array() },
      { type: 'confirm', room: 'r', bucket: limits.buckets, covers: 1, bodyHash: new Uint8Array(32) },
    ] as const;
    for (const message of broken) expect(() => encode(message)).toThrow(ProtocolError);
  });
});

describe('frames', () => {
  const large = Uint8Array.from({ length: 3 * limits.frame }, (_, i) => (i * 31) % 251);

  test('a message of a frame is its frame; a longer one comes in chunks that fit', () => {
    const small = encode({ type: 'rooms' });
    expect(toFrames(small)).toEqual([small]);
    const frames = toFrames(large);
    expect(frames.length).toBe(4);
    expect(Math.max(...frames.map(({ length }) => length))).toBeLessThanOrEqual(limits.frame);
    const assembler = createAssembler();
    const out = frames.map((frame) => assembler.push(frame));
    expect(out.slice(0, -1).every((one) => one === undefined)).toBe(true);
    expect(Buffer.from(out.at(-1) ?? []).equals(large)).toBe(true);
    expect(assembler.push(small)).toEqual(small);
  });

  test('chunks out of order, missing, doubled or mixed are refused', () => {
    const [first, second, third, fourth] = toFrames(large);
    if (!first || !second || !third || !fourth) throw new Error('There are four');
    const refused = (...frames: Uint8Array[]) => {
      const assembler = createAssembler();
      expect(() => frames.forEach((frame) => assembler.push(frame))).toThrow(ProtocolError);
    };
    refused(second);
    refused(first, third);
    refused(first, first);
    refused(first, encode({ type: 'rooms' }));
    refused(new Uint8Array(limits.frame + 1));
    refused(Uint8Array.of());
  });

  test('no count of chunks makes it wait for more than the longest message', () => {
    const to = encoding.createEncoder();
    for (const value of [120, 0, 1000]) encoding.writeVarUint(to, value);
    encoding.writeUint8(to, 1);
    expect(() => createAssembler().push(encoding.toUint8Array(to))).toThrow(ProtocolError);
  });
});

describe('the hash of an entry', () => {
  const entry: Entry = {
    kind: 'update',
    seq: 1,
    epoch: 0,
    device: 'd',
    incarnation: 'i',
    n: 1,
    at: 5,
    bucket: 1,
    enc: false,
    body: Uint8Array.of(1, 2),
  };
  test('changes with each thing that it says, with its room and with what came before', () => {
    const others: Entry[] = [
      { ...entry, seq: 2 },
      { ...entry, epoch: 1 },
      { ...entry, device: 'e' },
      { ...entry, incarnation: 'j' },
      { ...entry, n: 2 },
      { ...entry, at: 6 },
      { ...entry, bucket: 2 },
      { ...entry, enc: true },
      { ...entry, body: Uint8Array.of(1, 3) },
    ];
    const hashes = [
      entryHash(NO_HASH, 'r', entry),
      entryHash(NO_HASH, 's', entry),
      entryHash(new Uint8Array(32).fill(1), 'r', entry),
      ...others.map((other) => entryHash(NO_HASH, 'r', other)),
    ].map((hash) => Buffer.from(hash).toString('hex'));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(entryHash(NO_HASH, 'r', { ...entry })).toEqual(entryHash(NO_HASH, 'r', entry));
  });
});
