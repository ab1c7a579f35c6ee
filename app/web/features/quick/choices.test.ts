import { expect, test } from 'vitest';
import { choicesFor } from './choices.ts';

const found = [{ namespace: 'n', key: 'tea' }];
const kinds = (text: string, canWrite = true) =>
  choicesFor(text, { canWrite, found }).map(({ kind }) => kind);

test('a thought is kept first, a question asked first, and what is found can be opened', () => {
  expect(kinds('Buy bread')).toEqual(['keep', 'open', 'ask']);
  expect(kinds('Where is the key?')).toEqual(['ask', 'keep', 'open']);
  expect(kinds('? key')).toEqual(['ask', 'open']);
  expect(choicesFor('? key', { canWrite: true, found: [] })).toEqual([{ kind: 'ask', question: 'key' }]);
});

test('who may not write is not offered to', () => expect(kinds('Buy bread', false)).toEqual(['open', 'ask']));

test('of nothing nothing is offered', () => expect([kinds(' '), kinds('?')]).toEqual([[], []]));
