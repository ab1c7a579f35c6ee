import { expect, test } from 'vitest';
import { isWithin, places, roomAt, tabs, views } from './views.ts';

test('no two views share a letter or an address', () => {
  expect(new Set(views.map(({ letter }) => letter)).size).toBe(views.length);
  expect(new Set(views.map(({ to }) => to)).size).toBe(views.length);
});

test('the sidebar and a narrow window lead to views that every key may see', () => {
  expect([places.length, tabs.length]).toEqual([6, 3]);
  for (const place of places) expect(views.find(({ to }) => to === place.to)?.scope).toBe('read');
});

test('each view but the map and the settings is within one place', () => {
  for (const { to } of views) {
    const within = places.filter((place) => isWithin(place, to));
    expect([to, within.length]).toEqual([to, to === '/map' || roomAt(to) === 'settings' ? 0 : 1]);
  }
  expect(places.filter((place) => isWithin(place, '/sessions/ses_1')).map(({ label }) => label)).toEqual([
    'Sessions',
  ]);
});
