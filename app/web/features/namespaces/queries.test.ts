import { expect, test } from 'vitest';
import { allOf, firstNamespace, withChosen } from './queries.ts';

const row = (namespace: string, updated_at: string) => ({ namespace, count: 1, bytes: 1, updated_at });
const rows = [row('work', '2026-11-19T00:00:00.000Z'), row('home', '2026-11-20T00:00:00.000Z')];

test('the page begins with what changed last, and in an empty home with default', () => {
  expect(firstNamespace(rows)).toBe('home');
  expect(firstNamespace([])).toBe('default');
});

test('the chosen namespace is listed even while it is empty', () => {
  expect(withChosen(rows, 'new').map(({ namespace, count }) => [namespace, count])).toEqual([
    ['home', 1],
    ['new', 0],
    ['work', 1],
  ]);
  expect(withChosen(rows, 'work')).toHaveLength(2);
});

test('every namespace is a row of its own, once there are two', () => {
  expect(allOf(rows)).toEqual([{ namespace: '*', count: 2, bytes: 2, updated_at: '' }]);
  expect(allOf(rows.slice(1))).toEqual([]);
  expect(withChosen(rows, '*')).toHaveLength(2);
});
