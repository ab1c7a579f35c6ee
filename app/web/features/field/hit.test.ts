import { expect, test } from 'vitest';
import { type FieldHit, linesOf } from './hit.ts';

const hit = (title: string, text: string, marks: [number, number][] = []): FieldHit => ({
  namespace: 'n',
  key: 'k',
  title,
  updated_at: '',
  metadata: {},
  passage: { text, start: 0, end: text.length, marks },
});

test('a note that is its own sentence is said once, and a long one has a title and what fits', () => {
  expect(
    linesOf(hit('The key hangs behind the boiler', 'The key hangs behind the **boiler**.', [[25, 35]])),
  ).toEqual({
    text: { text: 'The key hangs behind the boiler.', marks: [[25, 31]] },
  });
  expect(linesOf(hit('The tea is in the cup…', 'The tea is in the cupboard. It is green.'))).toEqual({
    text: { text: 'The tea is in the cupboard. It is green.', marks: [] },
  });
  expect(linesOf(hit('Deploy days', 'We deploy on Thursdays.')).title).toBe('Deploy days');
});

test('a memory without a title is called by its key', () => {
  expect(linesOf({ ...hit('', ''), passage: undefined })).toEqual({ title: 'k' });
});
