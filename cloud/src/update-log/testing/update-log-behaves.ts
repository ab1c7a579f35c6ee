import { bodyHash, entryHash, NO_HASH } from '@reverie/shared/protocol/entry-hash';
import { epochAfter } from '@reverie/shared/protocol/epoch-number';
import type { NewEntry } from '@reverie/shared/protocol/messages';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Appended, sizeOf, type StoredSnapshot, type UpdateLog } from '../update-log.ts';

export interface LogUnderTest {
  log: UpdateLog;
  close(): void | Promise<void>;
}

const ALL = { entries: 1000, bytes: 1 << 20 };

const update = (n: number, more: Partial<{ bucket: number; size: number; enc: boolean }> = {}): NewEntry => ({
  kind: 'update',
  n,
  at: 1000 + n,
  bucket: more.bucket ?? 0,
  enc: more.enc ?? false,
  body: new Uint8Array(more.size ?? 4).fill(n),
});

const by = (device: string, entry: NewEntry, more: Partial<Appended> = {}): Appended => ({
  room: 'a',
  epoch: 0,
  device,
  incarnation: 'i',
  entry,
  ...more,
});

/** What every log of the relay does; called within a `describe` of each. */
export function updateLogBehaves(open: () => LogUnderTest | Promise<LogUnderTest>): void {
  let under: LogUnderTest;
  let log: UpdateLog;
  beforeEach(async () => {
    under = await open();
    log = under.log;
    await log.open('a');
    await log.open('b');
  });
  afterEach(() => under.close());

  const seqs = async (room: string, behind = 0) =>
    (await log.since(room, behind, ALL)).entries.map(({ seq }) => seq);

  test('numbers each room by itself, without gaps, in the order of the batch', async () => {
    const outcomes = await log.append([
      by('d', update(1)),
      by('d', update(2), { room: 'b' }),
      by('e', update(1)),
      by('d', update(3)),
    ]);
    expect(outcomes.map((one) => one.kind === 'stored' && one.entry.seq)).toEqual([1, 1, 2, 3]);
    expect(await seqs('a')).toEqual([1, 2, 3]);
    expect(await seqs('a', 1)).toEqual([2, 3]);
    expect(await seqs('b')).toEqual([1]);
    expect(await log.state('a')).toMatchObject({
      epoch: 0,
      head: 3,
      clearedBefore: { ms: 0, counter: 0 },
      bytes: 3 * sizeOf(update(1)),
    });
  });

  test('gives back what was put in', async () => {
    const clear: NewEntry = { kind: 'clear', n: 2, at: 7, clearedBefore: { ms: 7, counter: 3 } };
    await log.append([by('d', update(1, { bucket: 63, enc: true, size: 300 })), by('e', clear)]);
    const { entries } = await log.since('a', 0, ALL);
    const plain = entries.map((entry) =>
      entry.kind === 'update' ? { ...entry, body: Uint8Array.from(entry.body) } : entry,
    );
    expect(plain).toEqual([
      {
        ...update(1, { bucket: 63, enc: true, size: 300 }),
        seq: 1,
        epoch: 0,
        device: 'd',
        incarnation: 'i',
      },
      { ...clear, seq: 2, epoch: 0, device: 'e', incarnation: 'i' },
    ]);
  });

  test('answers the same place to an entry that comes again, also within one batch and after its epoch', async () => {
    await log.append([by('d', update(1))]);
    const again = await log.append([by('d', update(1)), by('d', update(2)), by('d', update(2))]);
    expect(again).toEqual([
      { kind: 'known', seq: 1 },
      expect.objectContaining({ kind: 'stored' }),
      { kind: 'known', seq: 2 },
    ]);
    await log.advanceEpoch('a', { from: 0, to: 1 });
    expect(await log.append([by('d', update(1))])).toEqual([{ kind: 'known', seq: 1 }]);
    expect(await seqs('a')).toEqual([1, 2]);
  });

  test('takes the same number of another incarnation, device or room as another entry', async () => {
    const outcomes = await log.append([
      by('d', update(1)),
      by('d', update(1), { incarnation: 'j' }),
      by('e', update(1)),
      by('d', update(1), { room: 'b' }),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'stored', 'stored', 'stored']);
  });

  test('takes numbers as large as the wire does', async () => {
    const n = Number.MAX_SAFE_INTEGER;
    const entry: NewEntry = { kind: 'clear', n, at: n, clearedBefore: { ms: n, counter: 0xffff_ffff } };
    await log.append([by('d', entry)]);
    expect(await log.append([by('d', entry)])).toEqual([{ kind: 'known', seq: 1 }]);
    expect((await log.since('a', 0, ALL)).entries[0]).toEqual({
      ...entry,
      seq: 1,
      epoch: 0,
      device: 'd',
      incarnation: 'i',
    });
    expect((await log.since('a', n, ALL)).entries).toEqual([]);
    expect(await log.hashAt('a', n)).toBeUndefined();
  });

  test('takes a lower number after a higher one: a refused entry comes again later', async () => {
    await log.append([by('d', update(5))]);
    expect((await log.append([by('d', update(4))])).map(({ kind }) => kind)).toEqual(['stored']);
  });

  test('chains hashes', async () => {
    const [first] = await log.append([by('d', update(1))]);
    const [second] = await log.append([by('d', update(2))]);
    if (first?.kind !== 'stored' || second?.kind !== 'stored') throw new Error('Both are stored');
    const h1 = entryHash(NO_HASH, 'a', first.entry);
    const h2 = entryHash(h1, 'a', second.entry);
    expect(Buffer.from(second.hash).equals(h2)).toBe(true);
    expect(Buffer.from((await log.hashAt('a', 1)) ?? []).equals(h1)).toBe(true);
    expect(Buffer.from((await log.hashAt('a', 0)) ?? []).equals(NO_HASH)).toBe(true);
    expect(await log.hashAt('a', 3)).toBeUndefined();
    expect(Buffer.from((await log.since('a', 0, ALL)).hash ?? []).equals(h2)).toBe(true);
    expect((await log.since('a', 2, ALL)).hash).toBeUndefined();
  });

  test('reads in pages by number and by size, one entry at least', async () => {
    await log.append([1, 2, 3, 4].map((n) => by('d', update(n, { size: 1000 }))));
    const page = async (entries: number, bytes: number) =>
      (await log.since('a', 0, { entries, bytes })).entries.length;
    expect([await page(3, 1e6), await page(10, 1), await page(10, 2000)]).toEqual([3, 1, 2]);
  });

  test('reads several rooms with one look, each behind a number of its own', async () => {
    await log.append([by('d', update(1)), by('d', update(2)), by('d', update(1), { room: 'b' })]);
    const behind = new Map([
      ['b', 0],
      ['a', 1],
      ['nowhere', 0],
    ]);
    const pages = await log.sinceEach(behind, ALL);
    const read = (room: string) => pages.get(room)?.entries.map(({ seq }) => seq) ?? [];
    expect([read('a'), read('b'), read('nowhere')]).toEqual([[2], [1], []]);
    expect(Buffer.from(pages.get('a')?.hash ?? []).equals((await log.hashAt('a', 2)) ?? NO_HASH)).toBe(true);
    expect((await log.sinceEach(new Map([['a', 2]]), ALL)).get('a')?.entries).toEqual([]);
  });

  test('of two who ask for a new epoch one gets it, and what is of the old one is refused', async () => {
    const asked = await Promise.all([
      log.advanceEpoch('a', { from: 0, to: 1 }),
      log.advanceEpoch('a', { from: 0, to: 1 }),
    ]);
    // Whoever is first.
    expect(asked.sort((one, other) => Number(other?.granted) - Number(one?.granted))).toEqual([
      { granted: true, epoch: 1 },
      { granted: false, epoch: 1 },
    ]);
    expect(await log.append([by('d', update(1)), by('d', update(2), { epoch: 1 })])).toEqual([
      { kind: 'stale_epoch', epoch: 1 },
      expect.objectContaining({ kind: 'stored' }),
    ]);
    expect(await log.state('a')).toMatchObject({ epoch: 1, presentSince: 0 });
    // One that begins with what there is then alone says where.
    const present = epochAfter(1, { present: true, offset: 0 });
    await log.advanceEpoch('a', { from: 1, to: present });
    await log.append([by('d', update(3), { epoch: present })]);
    await log.advanceEpoch('a', { from: present, to: present + 1 });
    expect(await log.state('a')).toMatchObject({ head: 2, presentSince: 1 });
    expect(await log.advanceEpoch('nowhere', { from: 0, to: 1 })).toBeUndefined();
  });

  test('keeps the latest of the clears, also when they come late', async () => {
    const clear = (n: number, ms: number, counter: number): NewEntry => ({
      kind: 'clear',
      n,
      at: ms,
      clearedBefore: { ms, counter },
    });
    await log.append([by('d', clear(1, 50, 2)), by('d', clear(2, 50, 3)), by('d', clear(3, 40, 9))]);
    expect((await log.state('a'))?.clearedBefore).toEqual({ ms: 50, counter: 3 });
  });

  test('does not know a room that was never opened, nor one that is removed', async () => {
    await log.append([by('d', update(1))]);
    await log.open('a');
    expect((await log.state('a'))?.head).toBe(1);
    await log.remove('a');
    expect(await log.append([by('d', update(2)), by('d', update(2), { room: 'b' })])).toEqual([
      { kind: 'gone' },
      expect.objectContaining({ kind: 'stored' }),
    ]);
    expect(await log.state('a')).toBeUndefined();
    expect(await seqs('a')).toEqual([]);
    await log.open('a');
    expect(await seqs('a')).toEqual([]);
    expect((await log.append([by('d', update(1))]))[0]).toMatchObject({ kind: 'stored' });
  });

  const snapshot = (covers: number, more: Partial<StoredSnapshot> = {}): StoredSnapshot => {
    const body = new Uint8Array(50).fill(covers);
    return {
      type: 'snapshot',
      room: 'a',
      bucket: 1,
      epoch: 0,
      covers,
      enc: true,
      bodyHash: Uint8Array.from(bodyHash(body)),
      body,
      device: 'd',
      at: 100,
      ...more,
    };
  };
  const snapshots = async (behind: number) => {
    const all: StoredSnapshot[] = [];
    for await (const one of log.snapshotsSince('a', behind)) all.push(one);
    return all;
  };
  const confirm = (of: StoredSnapshot, device: string) => log.confirmSnapshot({ ...of, device });

  test('lets entries go only when another device confirmed the snapshot; numbers, hashes and duplicates stay known', async () => {
    await log.append([1, 2, 3, 4].map((n) => by('d', update(n, { bucket: n === 2 ? 2 : 1, size: 100 }))));
    const one = snapshot(3);
    const bytes = async () => (await log.state('a'))?.bytes;
    expect(await log.putSnapshot(one)).toBe(true);
    expect(await seqs('a')).toEqual([1, 2, 3, 4]);
    expect(await snapshots(0)).toEqual([]);
    expect(await bytes()).toBe(4 * 260 + 50);

    expect((await log.offered('a')).map(({ covers }) => covers)).toEqual([3]);

    expect(await confirm(one, 'd')).toBe(false);
    expect(await confirm({ ...one, bodyHash: new Uint8Array(32) }, 'e')).toBe(false);
    expect(await confirm({ ...one, covers: 2 }, 'e')).toBe(false);
    expect(await seqs('a')).toEqual([1, 2, 3, 4]);

    const before = await log.since('a', 0, ALL);
    expect(await confirm(one, 'e')).toBe(true);
    expect(await seqs('a')).toEqual([2, 4]);
    expect(await log.offered('a')).toEqual([]);
    // Where others may settle snapshots, whoever reads sees that it happened.
    const after = await log.since('a', 4, ALL);
    expect([after.settled, (await log.state('a'))?.settled]).toEqual(
      before.settled === undefined ? [undefined, undefined] : [before.settled + 1, before.settled + 1],
    );
    expect((await snapshots(2)).map(({ covers }) => covers)).toEqual([3]);
    expect(await snapshots(3)).toEqual([]);
    expect(await bytes()).toBe(2 * 260 + 2 * 160 + 50);
    expect(await log.hashAt('a', 1)).toBeDefined();
    expect(await log.append([by('d', update(1))])).toEqual([{ kind: 'known', seq: 1 }]);
  });

  test('of entries of an earlier epoch that were let go only the hash is left, and what that frees counts', async () => {
    await log.append([1, 2, 3, 4].map((n) => by('d', update(n, { bucket: n === 2 ? 2 : 1, size: 100 }))));
    const clear: NewEntry = { kind: 'clear', n: 5, at: 7, clearedBefore: { ms: 7, counter: 3 } };
    await log.append([by('d', clear), by('d', update(6, { bucket: 1, size: 100 }))]);
    const hashes = await Promise.all([1, 2, 3, 4, 5, 6].map((seq) => log.hashAt('a', seq)));
    const bytes = async () => (await log.state('a'))?.bytes;
    const of = { room: 'a', bucket: 1, covers: 6 };
    // The newest entry stays.
    expect([await log.covered(of), await log.covered({ ...of, covers: 1 })]).toEqual([300, 100]);
    expect(await log.covered({ ...of, room: 'nowhere' })).toBe(0);
    await log.putSnapshot(snapshot(6));
    await confirm(snapshot(6), 'e');
    expect(await log.covered(of)).toBe(0);
    // Those of this epoch are still told apart.
    expect(await log.compact()).toEqual([]);
    expect(await log.append([by('d', update(1))])).toEqual([{ kind: 'known', seq: 1 }]);
    const before = (await bytes()) ?? 0;

    await log.advanceEpoch('a', { from: 0, to: 1 });
    await log.append([by('d', update(7), { epoch: 1 })]);
    const more = ((await bytes()) ?? 0) - before;
    expect(await log.compact()).toEqual(['a']);
    expect(await log.compact()).toEqual([]);
    expect(await bytes()).toBe(before + more - 3 * (160 - 48));
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map((seq) => log.hashAt('a', seq)))).toEqual(hashes);
    expect(await seqs('a')).toEqual([2, 5, 6, 7]);
    expect(await log.append([by('d', update(1)), by('d', update(2))])).toEqual([
      { kind: 'stale_epoch', epoch: 1 },
      { kind: 'known', seq: 2 },
    ]);
    expect((await log.append([by('d', update(8), { epoch: 1 })]))[0]).toMatchObject({ kind: 'stored' });
    await log.remove('a');
    expect(await log.state('a')).toBeUndefined();
    await log.open('a');
    expect(await log.hashAt('a', 1)).toBeUndefined();
  });

  test('the newest entry stays, for its hash makes the next cursor', async () => {
    await log.append([by('d', update(1, { bucket: 1 })), by('d', update(2, { bucket: 1 }))]);
    await log.putSnapshot(snapshot(2));
    await confirm(snapshot(2), 'e');
    expect(await seqs('a')).toEqual([2]);
  });

  test('a confirmed snapshot stands until the next one is confirmed', async () => {
    await log.append([1, 2, 3, 4].map((n) => by('d', update(n, { bucket: 1 }))));
    const covers = async () => (await snapshots(0)).map((one) => one.covers);
    await log.putSnapshot(snapshot(1));
    await confirm(snapshot(1), 'e');
    await log.putSnapshot(snapshot(2));
    await log.putSnapshot(snapshot(3));
    expect(await covers()).toEqual([1]);
    expect(await confirm(snapshot(2), 'e')).toBe(false);
    expect(await confirm(snapshot(3), 'e')).toBe(true);
    expect(await covers()).toEqual([3]);
    expect(await seqs('a')).toEqual([4]);
  });

  test('reads a snapshot when it is asked for, as it stands then: all of them may be all of a room', async () => {
    await log.append([1, 2, 3, 4].map((n) => by('d', update(n, { bucket: 1 + (n % 2) }))));
    for (const bucket of [1, 2]) {
      await log.putSnapshot(snapshot(2, { bucket }));
      await confirm(snapshot(2, { bucket }), 'e');
    }
    const read: (readonly [number, number])[] = [];
    for await (const { bucket, covers } of log.snapshotsSince('a', 0)) {
      read.push([bucket, covers]);
      if (bucket !== 1) continue;
      await log.putSnapshot(snapshot(3, { bucket: 2 }));
      await confirm(snapshot(3, { bucket: 2 }), 'e');
    }
    expect(read).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  test('refuses snapshots of what is not there, and older ones; what nobody confirms is settled by time', async () => {
    await log.append([1, 2, 3].map((n) => by('d', update(n, { bucket: 1 }))));
    expect(await log.putSnapshot(snapshot(4))).toBe(false);
    expect(await log.putSnapshot(snapshot(0))).toBe(false);
    expect(await log.putSnapshot(snapshot(2))).toBe(true);
    expect(await log.putSnapshot(snapshot(2))).toBe(false);
    expect(await log.putSnapshot(snapshot(1))).toBe(false);
    expect(await log.settleSnapshots(100)).toEqual([]);
    expect(await log.settleSnapshots(101)).toEqual(['a']);
    expect(await log.settleSnapshots(101)).toEqual([]);
    expect(await seqs('a')).toEqual([3]);
  });
}
