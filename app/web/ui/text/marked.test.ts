import { expect, test } from 'vitest';
import { piecesOf } from './marked.ts';

test('a text is cut at its marks, and nothing of it is lost', () => {
  const text = 'Deploy on Friday';
  expect(
    piecesOf({
      text,
      marks: [
        [0, 6],
        [10, 16],
      ],
    }),
  ).toEqual([
    { text: 'Deploy', hit: true },
    { text: ' on ', hit: false },
    { text: 'Friday', hit: true },
  ]);
  expect(piecesOf({ text, marks: [] })).toEqual([{ text, hit: false }]);
});

test('where there is little room a far mark is brought near, at a blank', () => {
  const text = `${'word '.repeat(40)}deploy now`;
  const at = text.indexOf('deploy');
  const marks: [number, number][] = [[at, at + 6]];
  const [dots, before, mark, after] = piecesOf({ text, marks }, true);
  expect([dots?.text, mark, after?.text]).toEqual(['…', { text: 'deploy', hit: true }, ' now']);
  expect(before?.text).toMatch(/^( word)+ $/);
  expect(piecesOf({ text, marks })[0]?.text).toHaveLength(at);
});
