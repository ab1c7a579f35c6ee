import { expect, test } from 'vitest';
import { tabs, views } from './views.ts';

test('no two views share a letter or an address', () => {
  expect(new Set(views.map(({ letter }) => letter)).size).toBe(views.length);
  expect(new Set(views.map(({ to }) => to)).size).toBe(views.length);
});

test('a narrow window leads to views that every key may see', () => {
  for (const tab of tabs) expect(views.find(({ to }) => to === tab)?.scope).toBe('read');
});
