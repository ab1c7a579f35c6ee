import { expect, test } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { excerpt, readPaper } from './paper.ts';

test('tags within code stay, others, pictures and comments go', () => {
  const [, section] = readPaper(
    'a.md',
    '# A\n\n![logo](a.png) <b>Bold</b> `src/<noun>.ts` <!-- no\none --> and [a link](b.md).\n\n[b]: http://x.example\n',
  );
  expect(section?.blocks).toEqual(['Bold `src/<noun>.ts`  and [a link](b.md).']);
  expect(excerpt(section?.blocks ?? [], 100)).toBe('Bold `src/<noun>.ts` and a link.');
});

test('an excerpt has whole blocks; of one that is too long its first lines or sentences, and a fence that is closed', () => {
  expect(excerpt(['One two.\nThree.', 'Four.'], 20)).toBe('One two. Three.');
  expect(excerpt(['First said. Then more than fits is said.'], 20)).toBe('First said.');
  expect(excerpt(['```sh\nmake\nmake install\n```'], 16)).toBe('```sh\nmake\n…\n```');
  expect(excerpt(['Run it:', '```sh\nmake and much else\n```'], 20)).toBe('Run it:');
  expect(excerpt(['It is so.', 'For example:', '- a'.repeat(20)], 25)).toBe('It is so.');
});

test.each([':', '`', '![', '<!--', '<a ', '[', '> ', '- ', '=\n', '**', '.. ', 'x\n===\n', ':a:`'])(
  '%j again and again is read in linear time',
  async (piece) => {
    await expectLinear((length) => {
      const text = `# A\n\n${piece.repeat(length / piece.length)}\n\`${' '.repeat(length)}\n`;
      for (const path of ['a.md', 'a.rst'])
        excerpt(
          readPaper(path, text).flatMap(({ blocks }) => blocks),
          600,
        );
    }, 256 * 1024);
  },
);
