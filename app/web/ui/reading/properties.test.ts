import { describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { propertiesIn } from './properties.ts';

const read = (...lines: string[]) =>
  propertiesIn(['---', ...lines, '---', 'Text.'].join('\n')).map(({ name, values }) => [name, ...values]);

describe('the properties of a note', () => {
  test.each<[line: string, property: string[]]>([
    ['status: open', ['status', 'open']],
    ['"due on": "2026-12-01"', ['due on', '2026-12-01']],
    ['people: [Ann, "Lind, Nora", Bo]', ['people', 'Ann', 'Lind, Nora', 'Bo']],
    ['people: [Ann, "Nora]', ['people', 'Ann', '"Nora']],
    ['see: "[[beta]]"', ['see', '[[beta]]']],
    ['see: [[beta]]', ['see', '[[beta]]']],
  ])('%s', (line, property) => {
    expect(read(line)).toEqual([property]);
  });

  test('a list on lines of its own is one property, and what stands above a note is left out', () => {
    expect(read('title: T', 'tags: [a]', 'aliases:', '  - One', '  - "Two"', 'empty:')).toEqual([
      ['aliases', 'One', 'Two'],
    ]);
    expect(propertiesIn('No front matter: here')).toEqual([]);
  });

  test.each(['"', "'", ',', '",', '",a'])('many %j are read in time that grows with their number', (part) => {
    const from = performance.now();
    const [property] = read(`a: [${part.repeat(100_000)}x]`);
    expect(property?.[0]).toBe('a');
    expect(performance.now() - from).toBeLessThan(seconds(0.2));
  });
});
