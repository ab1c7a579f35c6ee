import { entryHash, NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Entry } from '@reverie/shared/protocol/messages';
import { expect, test } from 'vitest';
import { slicesOf } from './page.ts';

const entry = (seq: number, more: { epoch?: number; size?: number } = {}): Entry => ({
  kind: 'update',
  bucket: 1,
  enc: false,
  body: new Uint8Array(more.size ?? 1),
  n: seq,
  at: seq,
  seq,
  epoch: more.epoch ?? 0,
  device: 'd',
  incarnation: 'i',
});
const told = (entries: readonly Entry[]) => {
  const hashes: Uint8Array[] = [];
  for (const one of entries) hashes.push(entryHash(hashes.at(-1) ?? NO_HASH, 'r', one));
  return {
    hashes,
    message: { type: 'entries', room: 'r', entries, hash: hashes.at(-1) ?? NO_HASH, head: 99 } as const,
  };
};
const start = { cursor: 0, hash: NO_HASH, covered: 0 };
const seqsOf = (slices: ReturnType<typeof slicesOf>) =>
  slices.map(({ entries }) => entries.map(({ seq }) => seq));

test('a slice holds entries of one epoch, and not too many bytes, and ends with their hash', () => {
  const { message, hashes } = told([
    entry(1),
    entry(2, { size: 30_000 }),
    entry(3, { size: 30_000 }),
    entry(4, { epoch: 1 }),
    entry(5, { epoch: 1 }),
  ]);
  const slices = slicesOf(message, start);
  expect(seqsOf(slices)).toEqual([[1, 2], [3], [4, 5]]);
  expect(slices.map(({ hash }) => hash)).toEqual([hashes[1], hashes[2], hashes[4]]);
});

test('behind a place where snapshots stand for entries only the end has a hash: nobody can go on from the middle', () => {
  const { message } = told([entry(1), entry(4, { epoch: 1 }), entry(5, { epoch: 2 })]);
  const slices = slicesOf(message, { ...start, covered: 3 });
  expect(seqsOf(slices)).toEqual([[1], [4], [5]]);
  expect(slices.map(({ hash }) => hash !== undefined)).toEqual([true, false, true]);
});
