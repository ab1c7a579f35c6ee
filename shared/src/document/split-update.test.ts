import { expect, test } from 'vitest';
import { checkUpdate, openBucket } from './bucket-document.ts';
import type { Operation } from './register.ts';
import { splitUpdate } from './split-update.ts';

const set = (key: string, value: string, hlc: number): Operation => ({
  kind: 'set',
  key,
  hlc,
  content: { value, metadata: '{}', created_at: 1, updated_at: 1, expires_at: null },
});

/** A bucket that several writers have written, overwritten and deleted in. */
function worn() {
  const writers = [11, 22, 33].map((clientId) => ({
    document: openBucket({ clientId, stored: [] }),
    writer: { device: `d${clientId}`, incarnation: 'i' },
  }));
  for (let n = 0; n < 300; n += 1) {
    const at = writers[n % 3];
    const key = `key ${n % 50}`;
    const operation: Operation =
      n % 7 === 0 ? { kind: 'delete', key, hlc: n + 1 } : set(key, `${n} `.repeat(50), n + 1);
    const update = at?.document.write([operation], at.writer);
    if (update && n % 2 === 0) for (const one of writers) if (one !== at) one.document.merge(update);
  }
  const [first, ...others] = writers;
  for (const { document } of others) first?.document.merge(document.state());
  return first?.document.state() ?? new Uint8Array();
}

const slotsOf = (updates: readonly Uint8Array[]) =>
  [...openBucket({ clientId: 1, stored: updates }).slots()].sort(([a], [b]) => (a < b ? -1 : 1));

test('a bucket that is too large for an entry goes in parts that fit, in any order, and says the same', () => {
  const whole = worn();
  const parts = splitUpdate(whole, 2000);
  expect(parts.length).toBeGreaterThan(5);
  // One value may make a part a little longer.
  for (const part of parts.slice(0, -1)) expect(part.length).toBeLessThan(2100);
  for (const part of parts) expect(() => checkUpdate(part)).not.toThrow();
  expect(slotsOf(parts)).toEqual(slotsOf([whole]));
  expect(slotsOf(parts.toReversed())).toEqual(slotsOf([whole]));
  expect(openBucket({ clientId: 1, stored: parts }).hasGap()).toBe(false);
  expect(splitUpdate(whole, whole.length)).toEqual([whole]);
});

test('a part that is missing is missed: nothing of it is taken for deleted', () => {
  const parts = splitUpdate(worn(), 2000);
  const document = openBucket({ clientId: 1, stored: parts.filter((_, index) => index !== 2) });
  expect(document.hasGap()).toBe(true);
  document.merge(parts[2] ?? new Uint8Array());
  expect(document.hasGap()).toBe(false);
  expect([...document.slots()].length).toBe(slotsOf(parts).length);
});
