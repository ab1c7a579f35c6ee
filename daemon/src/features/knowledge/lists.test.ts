import { expect, it } from 'vitest';
import { listed } from '../../language/word-lists.ts';
import { clausesOf } from './clauses.ts';
import { loadExtractor } from './extract.ts';

const extract = await loadExtractor();
const objectsIn = (value: string) =>
  extract({ key: 'billing-service', value, metadata: {}, observedAt: Date.UTC(2026, 0, 5) }).map(
    ({ object }) => object,
  );

it('reads a plain clause', () => {
  expect(clausesOf('Anna plays drums.')).toHaveLength(1);
});

it.each(listed('knowledge/asking-words'))('states nothing that begins with: %s', (word) => {
  expect(clausesOf(`${word} Anna plays drums.`)).toEqual([]);
});

it.each([
  ...listed('knowledge/supposing-words'),
  ...listed('knowledge/reporting-words'),
  ...listed('knowledge/hardly'),
])('states nothing that has: %s', (word) => {
  expect(clausesOf(`Anna ${word} plays drums.`)).toEqual([]);
});

it.each(listed('knowledge/foreign-words'))('leaves another language alone: %s', (word) => {
  expect(clausesOf(`Anna ${word} x ${word} drums.`)).toEqual([]);
});

it.each(listed('knowledge/traits'))('is a trait: %s', (word) => {
  expect([objectsIn(`Anna is ${word}.`), objectsIn('Anna is zxqvish.')]).toEqual([[word], []]);
});

it.each(listed('knowledge/labels'))('is a label and no attribute: %s', (word) => {
  expect([objectsIn(`${word}: 8080`), objectsIn('port: 8080')]).toEqual([[], ['8080']]);
});

it.each(listed('knowledge/no-attributes'))('is no attribute: %s', (word) => {
  expect([objectsIn(`My ${word} is Zxqvari.`), objectsIn('My dentist is Zxqvari.')]).toEqual([
    [],
    ['Zxqvari'],
  ]);
});

it.each(listed('knowledge/no-objects'))('is no object: %s', (words) => {
  expect([objectsIn(`My dentist is ${words}.`), objectsIn('My dentist is Zxqvari.')]).toEqual([
    [],
    ['Zxqvari'],
  ]);
});

// A sentence with one of the others states nothing at all.
const supposing = new Set(listed('knowledge/supposing-words'));
it.each(listed('knowledge/pauses').filter((word) => !supposing.has(word)))('ends an object: %s', (words) => {
  expect(objectsIn(`My dentist is Zxqvari ${words} drums.`)).toEqual(['Zxqvari']);
});
