import { expect, it } from 'vitest';
import { relativeDates } from './relative-dates.ts';

/** A Friday. */
const NOW = new Date('2026-11-20T14:00:00Z');

function read(text: string): string[] {
  return relativeDates(text, NOW).map(({ start, end, from, to }) => {
    const day = (time: number) => new Date(time).toISOString().slice(0, 10);
    const [first, last] = [day(from), day(to - 1)];
    return `${text.slice(start, end)}: ${first === last ? first : `${first} – ${last}`}`;
  });
}

it.each([
  ['What did we do last Friday?', 'last Friday: 2026-11-13'],
  ['Who comes next Monday?', 'next Monday: 2026-11-23'],
  ['Who comes this Sunday?', 'this Sunday: 2026-11-22'],
  ['What is due by Friday next week?', 'Friday next week: 2026-11-27'],
  ['What is due the day after tomorrow?', 'day after tomorrow: 2026-11-22'],
  ['Was ist übermorgen?', 'übermorgen: 2026-11-22'],
  ['¿Qué hay pasado mañana?', 'pasado mañana: 2026-11-22'],
  ['Qu’y a-t-il après-demain ?', 'après-demain: 2026-11-22'],
  ['What did I cook yesterday?', 'yesterday: 2026-11-19'],
  ['What happened last week?', 'last week: 2026-11-09 – 2026-11-15'],
  ['Where was I last month?', 'last month: 2026-10-01 – 2026-10-31'],
  ['Where was I last year?', 'last year: 2025-01-01 – 2025-12-31'],
  ['¿Qué hicimos el viernes pasado?', 'viernes pasado: 2026-11-13'],
  ['¿Quién viene el lunes que viene?', 'lunes que viene: 2026-11-23'],
  ['¿Qué pasó la semana pasada?', 'semana pasada: 2026-11-09 – 2026-11-15'],
  ['¿Qué hice anteayer?', 'anteayer: 2026-11-18'],
  ['Was war am letzten Freitag?', 'letzten Freitag: 2026-11-13'],
  ['Was war letzte Woche Dienstag?', 'letzte Woche Dienstag: 2026-11-10'],
  ['Wer kommt nächsten Samstag?', 'nächsten Samstag: 2026-11-21'],
  ['Was war gestern?', 'gestern: 2026-11-19'],
  ['Wat was vorige week dinsdag?', 'vorige week dinsdag: 2026-11-10'],
  ['Wie komt er aanstaande maandag?', 'aanstaande maandag: 2026-11-23'],
  ['Wat at ik eergisteren?', 'eergisteren: 2026-11-18'],
  ['Che cosa ho fatto venerdì scorso?', 'venerdì scorso: 2026-11-13'],
  ['Chi viene lunedì prossimo?', 'lunedì prossimo: 2026-11-23'],
  ["Che cosa ho mangiato l'altro ieri?", 'altro ieri: 2026-11-18'],
  ['O que fiz na terça-feira passada?', 'terça-feira passada: 2026-11-17'],
  ['O que fiz na segunda-feira passada?', 'segunda-feira passada: 2026-11-16'],
  ['O que fiz no sábado passado?', 'sábado passado: 2026-11-14'],
  ['O que fiz ontem?', 'ontem: 2026-11-19'],
  ['Qu’ai-je fait vendredi dernier ?', 'vendredi dernier: 2026-11-13'],
  ['Où étais-je le mois dernier ?', 'mois dernier: 2026-10-01 – 2026-10-31'],
  ['Qu’ai-je mangé avant-hier ?', 'avant-hier: 2026-11-18'],
])('%s', (text, expected) => expect(read(text)).toEqual([expected]));

it.each([
  'Was steht hier?',
  'Was gibt es heute morgen?',
  '¿Qué tomo por la mañana?',
  'La segunda pasada fue mejor.',
  'On which Friday do we meet?',
  'Where did I live over the last year?',
  'Is this the last one?',
  'At last we met the coming man.',
])('finds none in: %s', (text) => expect(read(text)).toEqual([]));

it('lies in another month or year where it has to', () => {
  const at = (now: string, text: string) =>
    new Date(relativeDates(text, new Date(now))[0]?.from ?? NaN).toISOString();
  expect(at('2026-03-31T12:00:00Z', 'last month')).toBe('2026-02-01T00:00:00.000Z');
  expect(at('2027-01-01T00:00:00Z', 'gestern')).toBe('2026-12-31T00:00:00.000Z');
  expect(at('2028-02-29T12:00:00Z', 'último ano')).toBe('2027-01-01T00:00:00.000Z');
  expect(at('2026-11-22T12:00:00Z', 'last Sunday')).toBe('2026-11-15T00:00:00.000Z');
});
