import { describe, expect, test } from 'vitest';
import { openBucket } from './bucket-document.ts';
import { type HidingRows, isHiddenBehind, keysAround } from './hidden.ts';
import { type Content, type Operation, readSlot, slotText } from './register.ts';
import { randomOf } from './testing/simulation.ts';

/** Rows by key: when they were made, and what they say they are hidden behind, made at 1 unless said otherwise. */
function rowsOf(rows: Record<string, { behind?: string; meant?: number; made?: number }>): HidingRows {
  return {
    at(key) {
      const row = rows[key];
      if (!row) return undefined;
      const { behind, meant = 1, made = 1 } = row;
      return {
        created_at: made,
        behind: behind === undefined ? undefined : { as: 'merged', key: behind, created_at: meant },
      };
    },
    behind: (key) => Object.keys(rows).filter((one) => rows[one]?.behind === key),
  };
}
const hiddenOf = (rows: HidingRows) => 'abcd'.split('').filter((key) => isHiddenBehind(rows, key));

describe('a memory is hidden behind another one', () => {
  test.each([
    ['that is there', { a: { behind: 'b' }, b: {} }, ['a']],
    ['never one that is not there', { a: { behind: 'b' } }, []],
    ['never another one of that key', { a: { behind: 'b' }, b: { made: 2 } }, []],
    ['never itself', { a: { behind: 'a' } }, []],
    ['that is hidden itself', { a: { behind: 'b' }, b: { behind: 'c' }, c: {} }, ['a', 'b']],
    ['never one that is hidden behind it', { a: { behind: 'b' }, b: { behind: 'a' } }, []],
    [
      'never in a circle of three',
      { a: { behind: 'b' }, b: { behind: 'c' }, c: { behind: 'a' }, d: { behind: 'a' } },
      ['d'],
    ],
    ['where a circle is broken', { a: { behind: 'b' }, b: { behind: 'a', meant: 7 } }, ['a']],
  ])('%s', (_, rows, hidden) => {
    expect(hiddenOf(rowsOf(rows))).toEqual(hidden);
  });

  test('and asks anew of all that a change of one may concern', () => {
    const rows = rowsOf({ a: { behind: 'b' }, b: { behind: 'c' }, c: { behind: 'a' }, d: { behind: 'a' } });
    expect([...keysAround(rows, 'a')].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect([...keysAround(rows, 'd')].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect([...keysAround(rowsOf({}), 'a')]).toEqual(['a']);
  });
});

test('asked anew around each change, what is hidden is what it would be if all were asked', () => {
  const random = randomOf(1);
  const pick = () => 'abcde'[Math.floor(random() * 5)] ?? 'a';
  const stored: Record<string, { behind?: string; meant?: number; made?: number }> = {};
  const rows = rowsOf(stored);
  const hidden = new Set<string>();
  let circles = 0;
  for (let step = 0; step < 5000; step += 1) {
    const key = pick();
    const before = keysAround(rows, key);
    if (random() < 0.1) Reflect.deleteProperty(stored, key);
    else stored[key] = { made: random() < 0.1 ? 2 : 1, ...(random() < 0.8 && { behind: pick() }) };
    for (const one of [...before, ...keysAround(rows, key)])
      if (isHiddenBehind(rows, one)) hidden.add(one);
      else hidden.delete(one);
    const all = Object.keys(stored);
    expect([step, [...hidden].sort()]).toEqual([step, all.filter((one) => isHiddenBehind(rows, one)).sort()]);
    if (all.length > 2 && all.every((one) => stored[one]?.behind) && hidden.size < all.length) circles += 1;
  }
  expect(circles).toBeGreaterThan(100);
});

const plain: Content = { value: 'v', metadata: '{}', created_at: 1, updated_at: 1, expires_at: null };
const behind = { as: 'superseded', key: 'x', created_at: 5 } as const;

describe('the text of a slot', () => {
  const slot = 'k\0device\0incarnation';
  const read = (text: unknown) => readSlot(slot, text)?.content;

  test.each([
    ['nothing', {}],
    ['when it was archived', { archived: 7 }],
    ['what it is hidden behind', { behind }],
    ['that it is in the trash, too', { trashed: 8, behind }],
  ])('says %s, and an earlier program reads the rest of it', (_, where) => {
    const text = slotText(3, { ...plain, ...where });
    expect(read(text)).toEqual({ ...plain, ...where });
    expect((JSON.parse(text) as unknown[]).slice(0, 6)).toEqual([3, 'v', '{}', 1, 1, null]);
  });

  test.each([
    [{ archived: -1 }],
    [{ archived: 'yes' }],
    [{ behind: 'x' }],
    [{ behind: null }],
    [{ behind: { ...behind, as: 'vanished' } }],
    [{ behind: { ...behind, key: '' } }],
    [{ behind: { ...behind, created_at: 0.5 } }],
  ])('hides nothing by %j, which no program wrote', (more) => {
    expect(read(JSON.stringify([3, 'v', '{}', 1, 1, null, more]))).toEqual(plain);
  });

  test('says one of the two', () => {
    expect(read(JSON.stringify([3, 'v', '{}', 1, 1, null, { archived: 7, behind }]))).toEqual({
      ...plain,
      behind,
    });
  });
});

/** What two devices do to `k` without knowing of each other: the first at 20, the other at 30 by its clock. */
function atOnce(first: Act, second: Act): (string | undefined)[] {
  const [a, b] = [openBucket({ clientId: 1, stored: [] }), openBucket({ clientId: 2, stored: [] })];
  const writer = (device: string) => ({ device, incarnation: '1' });
  const begin = a.write([{ kind: 'set', key: 'k', hlc: 10, content: plain }], writer('a'));
  if (begin) b.merge(begin);
  const fromA = a.write([operation(first, 20)], writer('a'));
  const fromB = b.write([operation(second, 30)], writer('b'));
  if (fromB) a.merge(fromB);
  if (fromA) b.merge(fromA);
  return [a, b].map((document) => {
    const [winner] = document.versions('k', 0);
    return winner && whatIs(winner.content);
  });
}

type Act = 'write' | 'show' | 'hide' | 'archive' | 'trash' | 'delete';

function operation(act: Act, hlc: number): Operation {
  if (act === 'delete') return { kind: 'delete', key: 'k', hlc };
  const says: Record<Exclude<Act, 'delete'>, Partial<Content>> = {
    write: { value: 'written' },
    show: {},
    hide: { behind },
    archive: { archived: hlc },
    trash: { trashed: hlc },
  };
  return { kind: 'set', key: 'k', hlc, content: { ...plain, ...says[act] } };
}

function whatIs({ value, trashed, archived, behind: hiding }: Content): string {
  if (value === 'written') return 'written';
  if (trashed !== undefined) return 'trashed';
  return hiding ? 'hidden' : archived === undefined ? 'shown' : 'archived';
}

// The table of decision 34: both orders of the clocks.
test.each<[Act, Act, string, string]>([
  ['write', 'show', 'shown', 'written'],
  ['write', 'hide', 'written', 'written'],
  ['write', 'archive', 'written', 'written'],
  ['write', 'trash', 'written', 'written'],
  ['write', 'delete', 'written', 'written'],
  ['show', 'hide', 'shown', 'shown'],
  ['show', 'archive', 'shown', 'shown'],
  ['show', 'trash', 'shown', 'shown'],
  ['show', 'delete', 'shown', 'shown'],
  ['hide', 'archive', 'archived', 'hidden'],
  ['hide', 'trash', 'hidden', 'hidden'],
  ['archive', 'trash', 'archived', 'archived'],
  ['hide', 'delete', 'hidden', 'hidden'],
  ['archive', 'delete', 'archived', 'archived'],
  ['trash', 'delete', 'trashed', 'trashed'],
])('%s and %s at once, the second later: %s; the first later: %s', (one, other, ...outcomes) => {
  const [after, before] = outcomes;
  expect(atOnce(one, other)).toEqual([after, after]);
  expect(atOnce(other, one)).toEqual([before, before]);
});
