import { expect, test } from 'vitest';
import { createCommitter, type DoneAppend, type WaitingAppend } from './committing.ts';
import type { Appended, AppendOutcome } from '../update-log/update-log.ts';

const MB = 1024 * 1024;

const entry = (n: number, bytes: number): WaitingAppend<string> => ({
  from: `device ${n}`,
  appended: {
    room: 'r',
    epoch: 0,
    device: 'd',
    incarnation: 'i',
    entry: { kind: 'update', n, at: 1, bucket: 0, enc: false, body: new Uint8Array(bytes) },
  },
});

/** A committer over a log that takes everything but what `fails` says. */
function setUp(fails: (batch: readonly Appended[]) => boolean = () => false) {
  const batches: number[] = [];
  const done: DoneAppend<string>[] = [];
  const lost: string[] = [];
  const committer = createCommitter<string>({
    log: {
      async append(batch) {
        batches.push(batch.length);
        if (fails(batch)) throw new Error('the disk is full');
        return batch.map(({ entry: { n } }): AppendOutcome => ({ kind: 'known', seq: n }));
      },
    },
    committed: (some) => void done.push(...some),
    failed: (some) => void lost.push(...some.map(({ from }) => from)),
  });
  return { committer, batches, done, lost };
}

test('what comes in one turn waits for the disk together, in its order', async () => {
  const { committer, batches, done } = setUp();
  for (let n = 1; n <= 10; n += 1) committer.add(entry(n, 10));
  await committer.idle();
  expect(batches).toEqual([10]);
  expect(done.map(({ from, outcome }) => [from, outcome])).toEqual(
    Array.from({ length: 10 }, (_, at) => [`device ${at + 1}`, { kind: 'known', seq: at + 1 }]),
  );
});

test('a batch has so many entries and bytes at most: the first of more would wait long', async () => {
  const many = setUp();
  for (let n = 1; n <= 4097; n += 1) many.committer.add(entry(n, 1));
  await many.committer.idle();
  expect(many.batches).toEqual([4096, 1]);
  const large = setUp();
  for (let n = 1; n <= 5; n += 1) large.committer.add(entry(n, 6 * MB));
  await large.committer.idle();
  expect(large.batches).toEqual([3, 2]);
});

test('a batch that fails is told of, and those behind it are committed', async () => {
  const { committer, done, lost } = setUp((batch) => batch.some(({ entry: { n } }) => n === 1));
  for (let n = 1; n <= 4; n += 1) committer.add(entry(n, 9 * MB));
  await committer.idle();
  expect(lost).toEqual(['device 1', 'device 2']);
  expect(done.map(({ from }) => from)).toEqual(['device 3', 'device 4']);
});
