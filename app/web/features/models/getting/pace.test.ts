import { expect, test } from 'vitest';
import { paceOf, progressWords, type TransferCounts, withBytes } from './pace.ts';

const MIB = 1024 ** 2;
const read = (...progress: readonly (readonly [seconds: number, mebibytes: number])[]): TransferCounts =>
  progress.reduce<TransferCounts>(
    (before, [seconds, mebibytes]) => withBytes(before, { at: seconds * 1_000, bytes: mebibytes * MIB }),
    [],
  );

test('the pace is that of the last seconds, not of the whole', () => {
  expect(paceOf(read([0, 0], [30, 300], [40, 320], [45, 330]))).toBe(2 * MIB);
});

test('nothing is told of too short a time, nor where nothing comes', () => {
  expect(paceOf([])).toBeUndefined();
  expect(paceOf(read([0, 10], [1, 20]))).toBeUndefined();
  expect(paceOf(read([0, 10], [5, 10]))).toBeUndefined();
});

test('fewer bytes than before are another transfer', () => {
  expect(read([0, 500], [5, 600], [6, 1])).toEqual([{ at: 6_000, bytes: MIB }]);
});

test('progress is told with pace and time left, as far as they are known', () => {
  const pull = { bytes_done: 1_024 * MIB, bytes_total: 3_072 * MIB };
  expect(progressWords(pull, undefined)).toBe('1 GiB of 3 GiB');
  expect(progressWords(pull, 16 * MIB)).toBe('1 GiB of 3 GiB · 16 MiB/s · about 2 minutes left');
  expect(progressWords(pull, 100 * MIB)).toMatch(/less than a minute left$/);
  expect(progressWords(pull, MIB / 4)).toMatch(/about 2 hours left$/);
  expect(progressWords({ bytes_done: 5 * MIB, bytes_total: null }, MIB)).toBe('5 MiB · 1 MiB/s');
});
