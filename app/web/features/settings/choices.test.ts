import { expect, test } from 'vitest';
import { browsersSample, regionChoices, zoneName } from './choices.ts';

test('each way to write a date is offered once, and the chosen one is among them', () => {
  const labels = regionChoices(null).map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels).toContain('17 May 2026, 14:30');
  expect(labels.some((label) => label.startsWith('May 17, 2026'))).toBe(true);
  expect(regionChoices('en-IE')[0]).toEqual({ value: 'en-IE', label: '17 May 2026, 14:30' });
});

test('a browser of another language is shown English', () => {
  expect(browsersSample('de-DE')).toBe('17 May 2026, 14:30');
});

test.each([
  ['America/Los_Angeles', 'Los Angeles (America)'],
  ['America/Argentina/Ushuaia', 'Ushuaia, Argentina (America)'],
  ['UTC', 'UTC'],
])('%s is called %s', (zone, name) => {
  expect(zoneName(zone)).toBe(name);
});
