import { describe, expect, test } from 'vitest';
import { withTagLine } from './tag-lines.ts';

const added = (text: string, ...add: string[]) => withTagLine(text, { add, remove: [] });
const taken = (text: string, ...remove: string[]) => withTagLine(text, { add: [], remove });

describe('a tag in front matter', () => {
  test.each([
    [
      'a list on one line',
      '---\ntags: [a, "b c"]  # mine\nx: 1\n---\nT',
      '---\ntags: [a, "b c", new]  # mine\nx: 1\n---\nT',
    ],
    ['an empty list', '---\ntags: []\n---\nT', '---\ntags: [new]\n---\nT'],
    [
      'lines',
      '---\ntags:\n  - a\n  - b # why\nx: 1\n---\nT',
      '---\ntags:\n  - a\n  - b # why\n  - new\nx: 1\n---\nT',
    ],
    [
      'lines that end as in Windows',
      '---\r\ntags:\r\n- a\r\n---\r\nT\r\n',
      '---\r\ntags:\r\n- a\r\n- new\r\n---\r\nT\r\n',
    ],
    ['words with commas', '---\ntags: a, b\n---\nT', '---\ntags: [a, b, new]\n---\nT'],
    ['nothing behind the colon', '---\ntags:\nx: 1\n---\nT', '---\ntags: [new]\nx: 1\n---\nT'],
    ['no line of tags', '---\nx:  1 # odd\n---\n\nT', '---\nx:  1 # odd\ntags: [new]\n---\n\nT'],
    ['front matter that is empty', '---\n---\nT', '---\ntags: [new]\n---\nT'],
    ['the name `tag`', '---\ntag: [a]\n---\nT', '---\ntag: [a, new]\n---\nT'],
    ['no front matter', 'T\r\nU', '---\r\ntags: [new]\r\n---\r\nT\r\nU'],
    ['a byte order mark', '\uFEFFT\n', '\uFEFF---\ntags: [new]\n---\nT\n'],
  ])('is written where there is %s, and nothing else changes', (_, before, after) => {
    expect(added(before, 'new')).toBe(after);
  });

  test.each([
    ['---\ntags: [a, b, c]\n---\nT', 'a', '---\ntags: [b, c]\n---\nT'],
    ['---\ntags: [a, b, c]\n---\nT', 'c', '---\ntags: [a, b]\n---\nT'],
    ['---\ntags: [a]\n---\nT', 'a', '---\ntags: []\n---\nT'],
    ['---\ntags:\n  - a\n  - b\n---\nT', 'a', '---\ntags:\n  - b\n---\nT'],
  ])('is taken out of %j: %s', (before, tag, after) => {
    expect(taken(before, tag)).toBe(after);
  });

  test.each(['2024', 'true', 'a: b', '- x', 'a, b', '"', "it's", 'x]', '💡'])(
    '%s is read as it is',
    (tag) => {
      expect(added('---\ntags: [a]\n---\nT', tag)).toBe(`---\ntags: [a, ${JSON.stringify(tag)}]\n---\nT`);
      expect(added('---\ntags:\n- a\n---\nT', tag)).toBe(`---\ntags:\n- a\n- ${JSON.stringify(tag)}\n---\nT`);
    },
  );

  test('one goes as another comes', () => {
    const text = '---\ntags: [a, b]\n---\nT';
    expect(withTagLine(text, { add: ['c'], remove: ['b'] })).toBe('---\ntags: [a, c]\n---\nT');
    expect(withTagLine(text, { add: ['c'], remove: ['a', 'b'] })).toBe('---\ntags: [c]\n---\nT');
  });

  test.each([
    ['is damaged', '---\ntags: [a\n---\nT'],
    ['does not end', '---\ntags: [a]\nT'],
    ['is a map on one line', '---\n{tags: [a]}\n---\nT'],
    ['has tags of an anchor', '---\nx: &t [a]\ntags: *t\n---\nT'],
    ['has tags with names', '---\ntags: {a: 1}\n---\nT'],
    ['has one name twice', '---\ntags: [a]\ntags: [b]\n---\nT'],
  ])('is not written into front matter that %s', (_, text) => {
    expect(added(text, 'new')).toBeUndefined();
  });
});
