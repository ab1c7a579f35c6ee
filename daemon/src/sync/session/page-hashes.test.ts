import { entryHash, NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Entry } from '@reverie/shared/protocol/messages';
import { expect, test } from 'vitest';
import { chainOf, Distrusted } from './page.ts';

const entry = (seq: number): Entry => ({
  kind: 'update',
  bucket: 1,
  enc: false,
  body: new Uint8Array([seq]),
  n: seq,
  at: seq,
  seq,
  epoch: 0,
  device: 'd',
  incarnation: 'i',
});
const all = [1, 2, 3, 4].map(entry);
const hashes = all.reduce<Uint8Array[]>(
  (list, one) => [...list, entryHash(list.at(-1) ?? NO_HASH, 'r', one)],
  [],
);
const told = (entries: readonly Entry[], hash = hashes.at(-1) ?? NO_HASH) =>
  ({ type: 'entries', room: 'r', entries, hash, head: 4 }) as const;
const start = { cursor: 0, hash: NO_HASH, covered: 0 };

test('entries that follow each other give the hash of each', () => {
  expect(chainOf(told(all), start)).toEqual(hashes);
  expect(chainOf(told(all.slice(2)), { cursor: 2, hash: hashes[1] ?? NO_HASH, covered: 0 })).toEqual(
    hashes.slice(2),
  );
  expect(chainOf(told([]), start)).toEqual([]);
});

test('what is left out, changed, repeated or out of order is not believed', () => {
  const changed = all.map((one) => (one.seq === 2 ? { ...one, at: 9 } : one));
  for (const message of [
    told(all.slice(1)),
    told(all.filter(({ seq }) => seq !== 3)),
    told(changed),
    told(all, NO_HASH),
    told(all.toReversed()),
    told([...all.slice(0, 2), ...all.slice(1)]),
  ])
    expect(() => chainOf(message, start)).toThrow(Distrusted);
  // Other entries before it: the hash at the cursor is of another history.
  expect(() => chainOf(told(all.slice(2)), { cursor: 2, hash: NO_HASH, covered: 0 })).toThrow(Distrusted);
});

test('where a snapshot stands for entries, the hash that was told is the next one', () => {
  const some = [all[0], all[3]].flatMap((one) => one ?? []);
  expect(chainOf(told(some), { ...start, covered: 3 }).at(-1)).toEqual(hashes[3]);
  expect(() => chainOf(told(some), { ...start, covered: 2 })).toThrow('left out entries before number 4');
  // No hash tells there that one comes twice.
  expect(() => chainOf(told([...some, ...some.slice(1)]), { ...start, covered: 3 })).toThrow('wrong order');
});
