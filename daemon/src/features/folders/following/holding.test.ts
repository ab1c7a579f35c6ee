import { expect, test } from 'vitest';
import { createHolding } from './holding.ts';

const names = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `${from + at}.md`);

/** A folder of so many files, that says how many memories go when files go. */
function folderOf(count: number) {
  const there = new Set(names(count));
  const known = new Set(there);
  let time = 0;
  const holding = createHolding(() => time, null);
  const look = () => {
    const missing = known.difference(there);
    const fresh = there.difference(known).size;
    const isThere = (name: string) => there.has(name);
    const absence = { missing, ripe: missing, known, fresh, isThere };
    const released = holding.release(absence);
    for (const name of released) known.delete(name);
    for (const name of there) known.add(name);
    return released.size;
  };
  look();
  return {
    wait: (ms: number) => (time += ms),
    remove: (gone: string[]) => {
      for (const name of gone) there.delete(name);
      return look();
    },
    write: (written: string[]) => {
      for (const name of written) there.add(name);
      return look();
    },
    replace: (gone: string[], written: string[]) => {
      for (const name of gone) there.delete(name);
      for (const name of written) there.add(name);
      return look();
    },
    approve: () => {
      holding.approve();
      return look();
    },
    /** Memories that are deleted here go with their files. */
    trash: (trashed: string[]) => {
      for (const name of trashed) {
        there.delete(name);
        known.delete(name);
      }
    },
    held: () => [...holding.held()],
  };
}

test.each([
  [20, 1, 1],
  [20, 10, 10],
  [20, 11, 0],
  [20, 20, 0],
  [8, 5, 5],
  [8, 6, 0],
  [5, 4, 4],
  [3, 3, 0],
  [2, 2, 2],
  [1, 1, 1],
  [1000, 501, 0],
])('of %i files %i are gone at once: %i memories go', (count, gone, released) => {
  expect(folderOf(count).remove(names(gone))).toBe(released);
});

test('what goes one after the other, as a sync takes it, is held back from the middle on', () => {
  const folder = folderOf(20);
  const going = names(20).map((name) => folder.remove([name]));
  expect(going.reduce((sum, count) => sum + count)).toBe(10);
});

test('a clearing that takes its time is none, and neither is a folder in which much is renamed', () => {
  const folder = folderOf(20);
  for (const name of names(20)) {
    expect(folder.remove([name])).toBe(1);
    folder.wait(11 * 60_000);
  }
  const busy = folderOf(8);
  for (let n = 0; n < 40; n += 1) expect(busy.replace([`${n}.md`], [`${n + 8}.md`])).toBe(1);
});

test('what is deleted here, and what is written meanwhile, is no loss', () => {
  const folder = folderOf(8);
  folder.trash(names(6));
  expect(folder.remove(['6.md'])).toBe(1);
  const growing = folderOf(5);
  growing.write(names(20, 5));
  expect(growing.remove(names(14))).toBe(0);
});

test('the files of another folder in the place of nearly all are held back, too', () => {
  expect(folderOf(12).replace(names(12), names(12, 100))).toBe(0);
  expect(folderOf(6).replace(names(6), names(6, 100))).toBe(6);
});

test('what is held stays so until it is there again or is approved, however few are left', () => {
  const folder = folderOf(20);
  expect(folder.remove(names(18))).toBe(0);
  expect(folder.write(names(14, 4))).toBe(0);
  expect(folder.held()).toEqual(names(4));
  // Another one is no part of it.
  expect(folder.remove(['10.md'])).toBe(1);
  expect(folder.approve()).toBe(4);
  expect(folder.held()).toEqual([]);
  expect(folder.remove(['11.md'])).toBe(1);
});

const known = new Set(names(8));
/** A look that sees these files missing, and those there. */
const lookBy =
  (holding: ReturnType<typeof createHolding>) => (missing: string[], ripe: string[], there: string[]) =>
    holding.release({
      missing,
      ripe: new Set(ripe),
      known,
      fresh: 0,
      isThere: (name) => there.includes(name),
    }).size;

test('what was missing already when an earlier run ended is no loss of this one', () => {
  const rows = new Set(names(16));
  const first = (lastCount: number | null) =>
    createHolding(() => 0, lastCount).release({
      missing: names(13),
      ripe: new Set(names(13)),
      known: rows,
      fresh: 1,
      isThere: () => false,
    }).size;
  expect(first(7)).toBe(13);
  expect(first(16)).toBe(0);
  expect(first(null)).toBe(0);
});

test('what was held from the start and approved does not count any more', () => {
  const holding = createHolding(() => 0, 20);
  const look = (missing: string[], rows: string[]) =>
    holding.release({
      missing,
      ripe: new Set(missing),
      known: new Set(rows),
      fresh: 0,
      isThere: (name) => !missing.includes(name),
    }).size;
  expect(look(names(18), names(20))).toBe(0);
  holding.approve();
  expect(look(names(18), names(20))).toBe(18);
  expect(look(['18.md'], names(2, 18))).toBe(1);
});

test('what was approved and is not ripe yet goes once it is; what comes back in between has to be approved again', () => {
  const holding = createHolding(() => 0, null);
  const look = lookBy(holding);
  expect(look(names(8), names(8), [])).toBe(0);
  holding.approve();
  expect(look(names(8), [], [])).toBe(0);
  expect(look(names(8), names(8), [])).toBe(8);
  expect(look([], [], names(8))).toBe(0);
  expect(look(names(8), names(8), [])).toBe(0);
});

test('a look at a part of the folder lets go of nothing that it does not see', () => {
  const holding = createHolding(() => 0, null);
  const look = lookBy(holding);
  look(names(8), [], []);
  look([], [], []);
  expect(holding.held().size).toBe(8);
  look([], [], names(5));
  expect([...holding.held()]).toEqual(names(3, 5));
});
