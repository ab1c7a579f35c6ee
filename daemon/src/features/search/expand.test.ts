import { expect, it } from 'vitest';
import { expandQuery } from './expand.ts';

/** A Friday. */
const now = '2026-11-20T12:00:00Z';

it.each([
  ['What did I do last Friday?', 'What did I do 13 November 2026?', 'What did I do 2026-11-13?'],
  ['¿Qué hice el viernes pasado?', '¿Qué hice el 13 November 2026?', '¿Qué hice el 2026-11-13?'],
  ['Wo war ich letzten Monat?', 'Wo war ich October 2026?', 'Wo war ich 2026-10?'],
  ['Where was I last year?', 'Where was I 2025?'],
])('%s is looked for as its date is written, too', (text, ...said) => {
  expect(expandQuery(text, { now }).queries).toEqual([text, ...said]);
});

it('a week has a window and no other words; without a now there is neither', () => {
  const text = 'Wat deden we vorige week?';
  expect(expandQuery(text, { now })).toMatchObject({
    queries: [text],
    window: { from: '2026-11-09T00:00:00.000Z', to: '2026-11-16T00:00:00.000Z' },
  });
  expect(expandQuery('What did I do last Friday?', { now: undefined })).toMatchObject({
    queries: ['What did I do last Friday?'],
    window: undefined,
  });
});

it('a question of nothing but dates is not reworded without end', () => {
  expect(expandQuery('ieri '.repeat(200), { now: '2026-11-22T09:00:00Z' }).queries.length).toBeLessThan(10);
});
