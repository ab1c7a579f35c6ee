import * as encoding from 'lib0/encoding';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import { updateEntry } from '../testing/device.ts';
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

/** An update of so many small values, which take as long as any that is taken. */
function values(count: number, text = ''): Uint8Array {
  const doc = new Y.Doc();
  doc.transact(() => {
    for (let n = 0; n < count; n += 1) doc.getMap('m').set(`k${n}`, `${n}${text}`);
  });
  return Y.encodeStateAsUpdate(doc);
}

test('little is read at once, more beside the event loop, with the same answers in order', async () => {
  const small = [bodyOf(1, 100), new Uint8Array([1, 2, 3]), bodyOf(2, 100)];
  expect(reader.read('a', small)).toEqual([true, false, true]);
  const large = [bodyOf(1, 100_000), new Uint8Array(100_000).fill(255), bodyOf(2, 100), new Uint8Array([9])];
  const answers = [reader.read('a', large), reader.read('a', [...large].reverse())];
  expect(answers.every((answer) => answer instanceof Promise)).toBe(true);
  expect([await answers[0], await answers[1]]).toEqual([
    [true, false, true, false],
    [false, true, false, true],
  ]);
});

test('the event loop turns on while the entry that takes longest is read', async () => {
  const body = values(100_000);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 1);
  const answers = await reader.read('a', [body]);
  clearInterval(counting);
  expect(answers).toEqual([true]);
  // Read here, it would be one turn at most.
  expect(turns).toBeGreaterThan(5);
});

test('millions of the smallest structures are refused: every device that read them would stand still', async () => {
  const body = deletions(8 * 1024 * 1024 - 64);
  expect(await reader.read('a', [body, bodyOf(1, 100)])).toEqual([false, true]);
});

test('an account that brings much holds up nobody else: they take turns', async () => {
  const order: string[] = [];
  const asked = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
    const answers = await reader.read(name.charAt(0), [bodyOf(1, 100_000)]);
    expect(answers).toEqual([true]);
    order.push(name);
  });
  await Promise.all(asked);
  expect(order).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3']);
});

test('of an account waits so much at most; more is to come later, and is taken then', async () => {
  const bounded = createUpdateReader(250_000);
  const large = [bodyOf(1, 100_000)];
  const asked = ['a', 'a', 'a', 'b'].map(async (account) => bounded.read(account, large));
  expect(await Promise.all(asked)).toEqual([[true], [true], 'later', [true]]);
  expect(await bounded.read('a', large)).toEqual([true]);
  bounded.stop();
});

test('stopped in the middle, what waited is refused, and the next one is read by another thread', async () => {
  const waiting = [reader.read('a', [values(100_000)]), reader.read('b', [values(20_000)])];
  reader.stop();
  const next = reader.read('a', [bodyOf(1, 100_000)]);
  expect([await waiting[0], await waiting[1], await next]).toEqual([[false], [false], [true]]);
});

test('what ends the thread is refused alone: what waits behind it is read by another one', async () => {
  // Its values take more memory than the thread may have.
  const small = createUpdateReader(undefined, 24);
  const text = 'x'.repeat(80);
  const asked = [small.read('a', [values(100_000, text)]), small.read('b', [bodyOf(1, 100_000)])];
  expect([await asked[0], await asked[1]]).toEqual([[false], [true]]);
  small.stop();
});

test('what no memory is left for is to come later, and nothing waits behind it for ever', async () => {
  const large = [bodyOf(1, 100_000)];
  const copying = vi.spyOn(Uint8Array, 'from').mockImplementationOnce(() => {
    throw new RangeError('Array buffer allocation failed');
  });
  const asked = [reader.read('a', large), reader.read('b', large)];
  copying.mockRestore();
  expect([await asked[0], await asked[1]]).toEqual(['later', [true]]);
});
