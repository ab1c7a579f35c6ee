import { expect, it } from 'vitest';
import { writesDateWithin } from './written-dates.ts';

const day = { from: Date.UTC(2026, 10, 13), to: Date.UTC(2026, 10, 14) };
const month = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 11, 1) };

it.each([
  'paid on 2026-11-13',
  'bezahlt am 13.11.2026',
  'bezahlt am 13. November',
  'paid on 13 November 2026',
  'paid on November 13th, 2026',
  'pagado el 13 de noviembre de 2026',
  'payé le 13 novembre',
  'pagato il 13 novembre 2026',
  'betaald op 13 november',
  'pago em 13 de novembro',
])('%s is of that day, and of that month', (text) => {
  expect([writesDateWithin(text, day), writesDateWithin(text, month)]).toEqual([true, true]);
});

it.each(['in November it rained', 'im November 2026', '2026-11'])('%s is of that month only', (text) => {
  expect([writesDateWithin(text, day), writesDateWithin(text, month)]).toEqual([false, true]);
});

it.each([
  'paid on 2026-11-12',
  '13 November 2025',
  '13.10.2026',
  'el mar 13',
  'version 13.11',
  '99.99.2026',
  'no date',
])('%s is of neither', (text) => {
  expect(writesDateWithin(text, day)).toBe(false);
});
