import type { AccountId } from '@reverie/shared/accounts/caller';
import { storeBatch } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { loadStaticTable } from '../../../models/static-table.ts';
import { startTestDaemon } from '../../../testing.ts';
import { nearestMemories, nearestOf } from './neighbours.ts';
import { isRecalled, withoutRecalled } from './recalled-text.ts';
import { sample } from './sampling.ts';
import { digestOf } from './digest.ts';
import { mostShown, readMemories, toDreamMemory } from './view.ts';
import { openReader } from './view.store.ts';

describe('a sample', () => {
  const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => ({ id: from + n }));

  test('is everything where that is not too much', () => {
    expect(sample(rows(0, 10), 10)).toEqual(rows(0, 10));
  });

  test('is the same each time, in order, and mostly the same after some came and went', () => {
    const first = sample(rows(0, 1000), 100);
    expect(first).toHaveLength(100);
    expect(sample(rows(0, 1000), 100)).toEqual(first);
    expect(first.map(({ id }) => id)).toEqual(first.map(({ id }) => id).sort((a, b) => a - b));
    const later = new Set(sample(rows(20, 1020), 100).map(({ id }) => id));
    expect(first.filter(({ id }) => later.has(id)).length).toBeGreaterThan(90);
  });

  test('is from everywhere', () => {
    const halves = sample(rows(0, 10_000), 1000).filter(({ id }) => id < 5000).length;
    expect(halves).toBeGreaterThan(400);
    expect(halves).toBeLessThan(600);
  });
});

test('long memories are cut where all together are too long, and short ones stay whole', () => {
  const shown = (bytes: readonly number[]) => mostShown(bytes, { each: 100, all: 1000 });
  expect(shown([])).toBe(100);
  expect(shown(Array.from({ length: 10 }, () => 5000))).toBe(100);
  expect(shown(Array.from({ length: 20 }, () => 5000))).toBe(50);
  const mixed = [...Array.from({ length: 50 }, () => 10), ...Array.from({ length: 10 }, () => 90)];
  const most = shown(mixed);
  expect(most).toBe(50);
  expect(mixed.reduce((sum, size) => sum + Math.min(size, most), 0)).toBeLessThanOrEqual(1000);
});

test('the nearest of each are those of a plain comparison of all', () => {
  const coordinate = fc.constantFrom(-1, -0.5, 0, 0.5, 1);
  const vectors = fc.array(fc.tuple(coordinate, coordinate, coordinate, coordinate), {
    minLength: 1,
    maxLength: 150,
  });
  fc.assert(
    fc.property(vectors, (given) => {
      const unit = given.map((vector) => {
        const length = Math.hypot(...vector);
        return length === 0 ? vector : vector.map((x) => x / length);
      });
      const found = nearestOf(Float32Array.from(unit.flat()), {
        dimensions: 4,
        keep: 5,
        isStopped: () => false,
      });
      const dot = (a: readonly number[], b: readonly number[]) =>
        a.reduce((sum, x, d) => sum + x * (b[d] ?? 0), 0);
      for (const [slot, vector] of unit.entries()) {
        const plain = unit
          .map((other, at) => ({ at, cosine: dot(vector, other), isZero: other.every((x) => x === 0) }))
          .filter(({ at, isZero }) => at !== slot && !isZero && vector.some((x) => x !== 0))
          .sort((a, b) => b.cosine - a.cosine)
          .slice(0, 5);
        const near = found.of(slot);
        expect(near.length).toBe(plain.length);
        for (const [rank, { cosine }] of near.entries())
          expect(cosine).toBeCloseTo(plain[rank]?.cosine ?? 9, 5);
        expect(near.every(({ slot: other }) => other !== slot)).toBe(true);
      }
    }),
    { numRuns: runs(12, 50) },
  );
});

test('recalled text is taken out, and what stands around it stays', () => {
  expect(withoutRecalled('a <recalled-memories n="2">x <b></recalled-memories> b')).toBe('a  b');
  expect(withoutRecalled('if a < b and c > d')).toBe('if a < b and c > d');
  expect(
    withoutRecalled('<memory-context>x</memory-context>\n<claude-mem-context>y</claude-mem-context>').trim(),
  ).toBe('');
  expect([
    isRecalled({ source: 'recall' }),
    isRecalled({ recalled: true }),
    isRecalled({ source: 'chat' }),
  ]).toEqual([true, true, false]);
});

test('a digest is of what is said, not of how it is spelled', () => {
  expect(digestOf('The  Code\nis 4711.')).toBe(digestOf('the code is 4711.'));
  expect(digestOf('the code is 4711.')).not.toBe(digestOf('the code is 4712.'));
});

test('a view has what a memory says, when, and what is near to it, page by page', async () => {
  const daemon = await startTestDaemon();
  try {
    const items = Array.from({ length: 1000 }, (_, n) => ({
      key: `k${n}`,
      value: n === 7 ? `Long. ${'word '.repeat(4000)}` : `The garden has ${n} kinds of apples.`,
      metadata: { timestamp: new Date(Date.UTC(2026, 0, 1) - n * 86_400_000).toISOString(), tags: ['t', 3] },
    }));
    await daemon.call(storeBatch, { body: { items } });
    // Who searches waits until all is indexed.
    await daemon.call(searchMemories, { body: { query: 'apples' } });
    const { db, close } = openReader(daemon.home.database);
    const account = db
      .prepare<[], { id: AccountId }>("SELECT id FROM accounts WHERE kind = 'machine'")
      .get()?.id;
    if (account === undefined) throw new Error('there is no machine account');
    const embedder = loadStaticTable().model;
    const isStopped = () => false;
    const { memories, of } = readMemories(db, { account, namespace: 'default', isStopped });
    expect([of, memories.length]).toEqual([1000, 1000]);
    expect(memories.map(({ time }) => time)).toEqual(memories.map(({ time }) => time).sort((a, b) => a - b));
    const long = memories.find(({ key }) => key === 'k7');
    expect([long?.isCut, long?.value.length, long?.tags]).toEqual([true, 8192, ['t']]);
    const near = nearestMemories(memories, { db, embedder, isStopped }).of(0);
    expect(near).toHaveLength(16);
    expect(near.every(({ slot, cosine }) => slot !== 0 && cosine > 0.5)).toBe(true);
    expect(() => db.prepare('DELETE FROM memories').run()).toThrow(/readonly/);
    close();
  } finally {
    await daemon.stop();
  }
});

test('a memory is of the day that it gives itself, and of its own moment on it', () => {
  const day = Date.UTC(2026, 8, 14);
  const stored = Date.UTC(2026, 10, 28, 9);
  const timeOf = (more: Partial<Parameters<typeof toDreamMemory>[0]>) =>
    toDreamMemory(
      {
        id: 1,
        key: 'k',
        value: 'v',
        metadata: '{}',
        class: 'note',
        session: null,
        session_time: null,
        created_at: stored,
        updated_at: stored,
        noted_at: null,
        was_recalled: 0,
        ...more,
      },
      100,
    )?.time;
  expect(timeOf({})).toBe(stored);
  expect(timeOf({ noted_at: day })).toBe(day);
  expect(timeOf({ noted_at: day, created_at: day + 5 })).toBe(day + 5);
  expect(timeOf({ noted_at: day, metadata: '{"timestamp":"2026-01-02T03:04:05Z"}' })).toBe(
    Date.UTC(2026, 0, 2, 3, 4, 5),
  );
});
