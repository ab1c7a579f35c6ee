import { createHash } from 'node:crypto';
import fc from 'fast-check';
import * as encoding from 'lib0/encoding';
import { expect, test } from 'vitest';
import { runs } from '../testing/depth.ts';
import { codecs } from './codecs.ts';
import { entryHash } from './entry-hash.ts';
import type { Entry } from './messages.ts';

const id = fc.stringMatching(/^[\w-]{1,64}$/);
const number = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(300),
  fc.constantFrom(127, 128, 2 ** 31, 2 ** 32, 2 ** 53 - 1),
);
const where = { seq: number, epoch: number, device: id, incarnation: id, n: number, at: number };
const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({
    ...where,
    kind: fc.constant('update' as const),
    bucket: fc.nat(63),
    enc: fc.boolean(),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 700 }),
      fc.nat(70_000).map((size) => new Uint8Array(size).fill(7)),
    ),
  }),
  fc.record({
    ...where,
    kind: fc.constant('clear' as const),
    clearedBefore: fc.record({ ms: number, counter: fc.nat(0xffff_ffff) }),
  }),
);

test('is the hash of the message that tells the entry alone, after the hash before it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), id, entry, (before, room, one) => {
      const to = encoding.createEncoder();
      codecs.entries.write(to, { type: 'entries', room, entries: [one], hash: before, head: one.seq });
      const wanted = createHash('sha256').update(encoding.toUint8Array(to)).digest();
      expect(Buffer.from(entryHash(before, room, one))).toEqual(wanted);
    }),
    { numRuns: runs(50, 500) },
  );
});
