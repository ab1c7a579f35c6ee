import { expect, it } from 'vitest';
import { withDatesWritten } from './expand.ts';

/** A Friday. */
const now = new Date('2026-11-20T12:00:00Z');

it.each([
  ['What did I do last Friday?', 'What did I do 13 November 2026?', 'What did I do 2026-11-13?'],
  ['¿Qué hice el viernes pasado?', '¿Qué hice el 13 November 2026?', '¿Qué hice el 2026-11-13?'],
  ['Wo war ich letzten Monat?', 'Wo war ich October 2026?', 'Wo war ich 2026-10?'],
  ['Where was I last year?', 'Where was I 2025?'],
])('%s is looked for as its date is written, too', (text, ...said) => {
  expect(withDatesWritten(text, now)).toEqual([text, ...said]);
});

it('a week has no other words', () => {
  const text = 'Wat deden we vorige week?';
  expect(withDatesWritten(text, now)).toEqual([text]);
});

it('a question of nothing but dates is not reworded without end', () => {
  expect(withDatesWritten('ieri '.repeat(200), now).length).toBeLessThan(10);
});
