import { describe, expect, test } from 'vitest';
import { differing, titleMarks } from './differing.ts';

const marked = ({ text, marks }: ReturnType<typeof titleMarks>) =>
  marks.map(([start, end]) => text.slice(start, end));

describe('the words in which two notes differ', () => {
  const older = 'The payments API listens on port 8443.';
  const newer = 'The payments API listens on port 9443.';

  test('are marked in both, and in the title', () => {
    const both = differing(older, newer);
    expect(both.map(marked)).toEqual([['8443'], ['9443']]);
    expect(marked(titleMarks('The payments API: port 8443 or 9443?', both))).toEqual(['8443', '9443']);
  });

  test('nothing is marked in texts that have little in common, nor twice in a title', () => {
    expect(differing(older, 'Anna likes tea.').map(marked)).toEqual([[], []]);
    const same = differing('ab cd ef gh', 'ab cd ef 8443');
    expect(marked(titleMarks('8443', [...same, ...same]))).toEqual(['8443']);
  });
});
