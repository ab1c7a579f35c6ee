import * as encoding from 'lib0/encoding';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { updateEntry } from './testing/device.ts';
import { createUpdateReader, type UpdateReader } from './update-reader.ts';

let reader: UpdateReader;
beforeEach(() => {
  reader = createUpdateReader();
});
afterEach(() => reader.stop());

/** An update of nothing but deletions, two bytes each. */
function deletions(bytes: number): Uint8Array {
  const out = encoding.createEncoder();
  for (const head of [0, 1, 7, bytes / 2]) encoding.writeVarUint(out, head);
  encoding.writeUint8Array(out, new Uint8Array(bytes).fill(1));
  return encoding.toUint8Array(out);
}

const bodyOf = (n: number, size: number) => {
  const entry = updateEntry(n, size);
  return entry.kind === 'update' ? entry.body : new Uint8Array();
};

test('little is read at once, more beside the event loop, with the same answers in order', async () => {
  const small = [bodyOf(1, 100), new Uint8Array([1, 2, 3]), bodyOf(2, 100)];
  expect(reader.read(small)).toEqual([true, false, true]);
  const large = [bodyOf(1, 100_000), new Uint8Array(100_000).fill(255), bodyOf(2, 100), new Uint8Array([9])];
  const answers = [reader.read(large), reader.read([...large].reverse())];
  expect(answers.every((answer) => answer instanceof Promise)).toBe(true);
  expect([await answers[0], await answers[1]]).toEqual([
    [true, false, true, false],
    [false, true, false, true],
  ]);
});

test('the event loop turns on while the largest entry is read', async () => {
  const body = deletions(8 * 1024 * 1024 - 64);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 1);
  const answers = await reader.read([body]);
  clearInterval(counting);
  expect(answers).toEqual([true]);
  // Read here, it would be one turn at most.
  expect(turns).toBeGreaterThan(5);
});

test('stopped in the middle, what waited is refused, and the next one is read by another thread', async () => {
  const waiting = reader.read([deletions(4 * 1024 * 1024)]);
  reader.stop();
  const next = reader.read([bodyOf(1, 100_000)]);
  expect([await waiting, await next]).toEqual([[false], [true]]);
});
