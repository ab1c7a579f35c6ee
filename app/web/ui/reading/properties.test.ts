import { describe, expect, test } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { everyPropertyIn, propertiesIn } from './properties.ts';

const read = (...lines: string[]) =>
  propertiesIn(['---', ...lines, '---', 'Text.'].join('\n'), ['a', 'b']).map(({ name, values }) => [
    name,
    ...values,
  ]);

describe('the properties of a note', () => {
  test.each<[line: string, property: string[]]>([
    ['status: open', ['status', 'open']],
    ['"due on": "2026-12-01"', ['due on', '2026-12-01']],
    ['people: [Ann, "Lind, Nora", Bo]', ['people', 'Ann', 'Lind, Nora', 'Bo']],
    ['people: [Ann, "Nora]', ['people', 'Ann', '"Nora']],
    ['see: "[[beta]]"', ['see', '[[beta]]']],
    ['see: [[beta]]', ['see', '[[beta]]']],
    ['status: open  # for now', ['status', 'open']],
    ['say: "a \\"b\\" # c" # d', ['say', 'a "b" # c']],
    ["say: 'it''s'", ['say', "it's"]],
    ['people: [Ann, "B # c"] # d', ['people', 'Ann', 'B # c']],
  ])('%s', (line, property) => {
    expect(read(line)).toEqual([property]);
  });

  test('a list on lines of its own is one property, and what stands above a note is left out', () => {
    expect(read('title: T', 'tags: [a]', 'aliases:', '  - One', '  - "Two"', 'empty:')).toEqual([
      ['aliases', 'One', 'Two'],
    ]);
    expect(propertiesIn('No front matter: here', [])).toEqual([]);
  });

  test('tags are left out where the note has all of them', () => {
    expect(read('tags: [a, "#b"]')).toEqual([]);
    expect(read('tag: a b')).toEqual([]);
    expect(read('tags:', '  - a', '  - c')).toEqual([['tags', 'a', 'c']]);
  });

  test.each([
    ['status: open', 'text'],
    ['status:', 'text'],
    ['n: -1.50', 'number'],
    ['n: "3"', 'text'],
    ['due: 2026-12-01 # soon', 'date'],
    ['due: 2026-12-01T10:00', 'text'],
    ['done: true', 'checkbox'],
    ['people: [Ann, "Lind, Nora"]', 'list'],
    ['people: []', 'list'],
    ['people:\n  - Ann\n  - "[[Bo]]" # x', 'list'],
    ['people:\n  - name: Ann', 'other'],
    ['deep:\n  x: 1', 'other'],
    ['deep: { x: 1 }', 'other'],
    ['deep: [[a], [b]]', 'other'],
    ['text: |\n  one\n  two', 'other'],
    ['folded: one\n  two', 'other'],
    ['see: [[beta]]', 'other'],
    ['see: "[[beta]]"', 'text'],
  ])('%j is a %s', (lines, kind) => {
    const [property] = everyPropertyIn(`---\n${lines}\n---\n`, []);
    expect(property?.kind).toBe(kind);
  });

  test.each(['"', "'", ',', '",', '",a'])('many %j are read in time that grows with their number', (part) =>
    expectLinear((length) => {
      const [property] = read(`a: [${part.repeat(length)}x]`);
      expect(property?.[0]).toBe('a');
    }, 200_000),
  );
});
