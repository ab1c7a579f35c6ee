import { expect, test } from 'vitest';
import { choicesFor } from './choices.ts';

const found = [
  { namespace: 'n', key: 'near', title: 'Tea is in the cupboard.' },
  { namespace: 'n', key: 'key', title: 'The spare key', passage: { text: 'It hangs behind the Böiler.' } },
];
const choices = (text: string, canWrite = true) =>
  choicesFor(text, { canWrite, found }).map((choice) => (choice.kind === 'open' ? choice.key : choice.kind));

test('what says each of the words is opened, and any other thought is kept', () => {
  expect(choices('boil')).toEqual(['key', 'keep', 'near', 'ask']);
  expect(choices('spare key')).toEqual(['key', 'keep', 'near', 'ask']);
  expect(choices('Buy a spare key')).toEqual(['keep', 'near', 'key', 'ask']);
});

test('a question is asked', () => {
  expect(choices('Where is the key?')).toEqual(['ask', 'keep', 'near', 'key']);
  expect(choices('? key')).toEqual(['ask', 'near', 'key']);
  expect(choicesFor('? key', { canWrite: true, found: [] })).toEqual([{ kind: 'ask', question: 'key' }]);
});

test('who may not write is not offered to', () =>
  expect(choices('boiler', false)).toEqual(['key', 'near', 'ask']));

test('of nothing nothing is offered', () => expect([choices(' '), choices('?')]).toEqual([[], []]));
