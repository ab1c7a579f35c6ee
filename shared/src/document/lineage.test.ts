import { describe, expect, test } from 'vitest';
import { baseOf } from './base.ts';
import { openBucket } from './bucket-document.ts';
import { commonAncestor, type Descent, descendFrom, lineageText, readLineage } from './lineage.ts';
import type { Operation } from './register.ts';

const NONE = readLineage(undefined);

/** A version of a writer (a letter and a time), and those that it went on from, as another device reads it. */
function version(name: string, ...parents: Descent[]): Descent {
  return written(name, parents, false);
}

function written(name: string, parents: Descent[], isOpen: boolean): Descent {
  const mark = { by: `dev${name[0]}inc1`, at: 1_790_000_000_000 + Number(name.slice(1)) };
  return { mark, lineage: readLineage(lineageText(descendFrom(parents, mark, { isOpen }))) };
}

const root = (name: string): Descent => ({ ...version(name), lineage: NONE });
const nameOf = (mark: { by: string; at: number } | undefined) =>
  mark && `${mark.by[3]}${mark.at - 1_790_000_000_000}`;
const common = (a: Descent, b: Descent) => {
  expect(nameOf(commonAncestor(b, a))).toBe(nameOf(commonAncestor(a, b)));
  return nameOf(commonAncestor(a, b));
};

/** A version with the newest of many by one writer. */
function many(name: string, count: number, from: Descent): Descent {
  let last = from;
  for (let n = 0; n < count; n += 1) last = version(`${name[0]}${Number(name.slice(1)) + n}`, last);
  return last;
}

describe('the newest version that two go back to', () => {
  const x = root('x1');

  test('is the one that both were written over, however often each writer wrote', () => {
    expect(common(version('a2', x), version('b3', x))).toBe('x1');
    const seen = many('a10', 40, x);
    expect(common(many('a60', 40, seen), many('b60', 40, seen))).toBe('a49');
    // One in the middle of what another one wrote.
    expect(common(version('b60', many('a10', 20, x)), many('a10', 40, x))).toBe('a29');
  });

  test('is one of those that were merged, where the other goes on from it', () => {
    const [a, b, c] = [version('a2', x), version('b3', x), version('c4', x)];
    const merged = version('b5', b, a);
    expect(common(merged, c)).toBe('x1');
    expect(common(merged, version('a6', a))).toBe('a2');
    expect(common(version('d8', merged), version('a7', version('a6', a)))).toBe('a2');
  });

  test('is not told where there are two, or one may be that nobody named', () => {
    const [a, b] = [version('a2', x), version('b3', x)];
    expect(common(version('c4', a, b), version('d5', b, a))).toBeUndefined();
    expect(common(root('a2'), root('b3'))).toBeUndefined();
    // What had lost was taken out unread: who goes on from that is not merged with it.
    expect(common(written('c4', [a], true), version('b5', b))).toBeUndefined();
    expect(common(written('c4', [a], true), version('a5', a))).toBe('a2');
    // Too long ago to be named.
    let far = x;
    for (let n = 0; n < 9; n += 1) far = version(`${'abcdefghi'[n] ?? ''}${10 + n}`, far);
    expect(common(far, version('z50', x))).toBeUndefined();
  });

  test('is none of a writer that gave two versions one time', () => {
    const a = version('a5', x);
    const again = version('a5', a);
    expect(common(again, version('b6', a))).toBeUndefined();
    expect(common(version('a7', again), version('b8', again))).toBeUndefined();
  });
});

test('what no program of this kind wrote is no lineage, and does no harm', () => {
  const long = Array.from({ length: 60 }, () => 'devxinc1mk');
  for (const over of [
    7,
    {},
    [1],
    ['x'],
    ['>99~'],
    ['>0~'],
    ['devxinc1mk>0'],
    ['devxinc1mk>7777777777'],
    long,
  ])
    expect(
      commonAncestor({ ...root('a2'), lineage: readLineage(over) }, version('b3', root('x1'))),
    ).toBeUndefined();
});

const set = (value: string, hlc: number, before?: number): Operation => ({
  kind: 'set',
  key: 'k',
  hlc,
  content: {
    value,
    metadata: '{}',
    created_at: 1_790_000_000_000,
    updated_at: 1_790_000_000_000 + hlc,
    expires_at: null,
  },
  before: before === undefined ? undefined : 1_790_000_000_000 + before,
});
const writer = { device: 'dev_01M8GJ2Z6V0Q7YB4', incarnation: '9b2c5e0a-1d' };

test('a slot grows by some 50 bytes of one or two writers, and an invite lets go of all of it', () => {
  const document = openBucket({ clientId: 1, stored: [] });
  document.write([set('old password', 1)], writer);
  const [[, before] = ['', '']] = [...document.slots()];
  document.write([set('old passwork', 2, 1)], writer);
  document.write([set('new password', 3, 2)], { device: 'dev_01M8GJ2Z6V0Q7YB5', incarnation: '1a2c' });
  const [[, after] = ['', '']] = [...document.slots()];
  expect(after).toContain('"over":["');
  expect(Buffer.byteLength(after) - Buffer.byteLength(before)).toBeLessThan(50);
  const base = openBucket({
    clientId: 2,
    stored: [baseOf(document, { epoch: 1, clearedBefore: 0, present: true })],
  });
  expect([...base.slots()].map(([, text]) => text).join()).not.toContain('over');
});

test('what was written over a version that does not stand any more takes out nothing', () => {
  const document = openBucket({ clientId: 1, stored: [] });
  document.write([set('unseen', 5)], { ...writer, incarnation: 'other' });
  document.write([set('written over another', 9, 2)], writer);
  expect(document.versions('k', 0).map(({ content }) => content.value)).toEqual([
    'written over another',
    'unseen',
  ]);
});
