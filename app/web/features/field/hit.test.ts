import { expect, test } from 'vitest';
import { anatomyOfHit, type FieldHit } from './hit.ts';

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
    anatomyOfHit(hit('The key hangs behind the boiler.', 'The key hangs behind the **boiler**.', [[25, 35]])),
  ).toEqual({
    title: undefined,
    text: { text: 'The key hangs behind the boiler.', marks: [[25, 31]] },
  });
  expect(anatomyOfHit(hit('Deploy days', 'We deploy on Thursdays.'))).toEqual({
    title: { text: 'Deploy days', marks: [] },
    text: { text: 'We deploy on Thursdays.', marks: [] },
  });
});

test('what is quoted of a memory stands below its title, and not twice', () => {
  const quoted = { ...hit('Deploy days', ''), passage: undefined, quote: 'Deploy days: Thursdays.' };
  expect(anatomyOfHit(quoted)).toEqual({
    title: { text: 'Deploy days', marks: [] },
    text: { text: 'Thursdays.', marks: [] },
  });
});

test('a memory without a title is called by its key', () => {
  expect(anatomyOfHit({ ...hit('', ''), passage: undefined })).toMatchObject({ text: { text: 'k' } });
});
