import { describe, expect, it } from 'vitest';
import { isSupported, withoutMarks } from './support.ts';
import { answering, asking } from './testing/asking.ts';

const LEASE = 'The flat is let until 30 June 2027. The rent is 1,307 euro a month.';
const isSaid = (text: string, value: string, question = 'How much is the rent of the flat?') =>
  isSupported(text, [answering({ key: 'note', value })], asking(question));

describe('a sentence is supported', () => {
  it.each([
    ['by the same words', 'The rent of the flat is 1,307 euro a month.', LEASE],
    ['by a figure that is written otherwise', 'The rent of the flat is 1307 euro.', LEASE],
    ['by the day of the note', 'On 1 May 2026 the rent was 1,307 euro a month.', LEASE],
    ['by a denial of the note', 'Pixel does not get chicken.', 'Pixel gets no chicken, she prefers tuna.'],
  ])('%s', (_, text, value) => {
    expect(isSaid(text, value)).toBe(true);
  });

  it.each([
    ['Does Lena eat fish?', 'No, Lena is a vegetarian.', 'Lena is a vegetarian since January.'],
    [
      'On which day does Sofie not work?',
      'Sofie does not work on Mondays.',
      'Sofie: free day is only Monday.',
    ],
    [
      'Why did Bettina quit?',
      'Bettina did not quit, she was promoted to principal.',
      'Bettina was promoted to principal in May.',
    ],
  ])('that denies what was asked: %s', (question, text, value) => {
    expect(isSaid(text, value, question)).toBe(true);
  });

  it.each([
    [
      'in the language of the question, of a note in another one',
      'Durch welchen Eingang darf der Hund ins Hospiz?',
      'Der Hund darf nur durch den Garteneingang hinein und nicht durch die Küche.',
      'At the hospice the dog is allowed in by the garden gate only, and by no other way.',
    ],
    [
      'with a month that is written otherwise there',
      'When is the appointment at the tax office?',
      'The appointment is on 3 March at the tax office.',
      'Der Termin beim Finanzamt ist am 3. März um 9 Uhr, und er ist nicht zu verschieben.',
    ],
    [
      'of a note in Chinese',
      '中文课每小时多少钱？',
      'The lesson is 25 euro an hour for you.',
      '学费不变，每小时25欧元，改成网上上课。',
    ],
  ])('%s', (...[, question, text, value]) => {
    expect(isSaid(text, value, question)).toBe(true);
  });
});

describe('a sentence is not supported', () => {
  it.each([
    ['with a figure of its own', 'The rent of the flat is 1,200 euro a month.', LEASE],
    ['with half of a figure', 'The ticket is 50 euro.', 'The ticket is 9.50 euro.'],
    ['with half of a figure with a comma', 'The ticket is 5 euro.', 'The ticket is 9,5 euro.'],
    ['of more than a thousand characters', `The rent ${'of the flat '.repeat(100)}is 1,307 euro.`, LEASE],
    ['with a name of its own', 'The rent of the flat is paid to Mr Uhlig.', LEASE],
    ['about something else', 'Most landlords ask for a deposit.', LEASE],
    ['that denies what the note says', 'The flat is not let until 30 June 2027.', LEASE],
    ['of no words at all', '…', LEASE],
    [
      'with a figure of its own, of a note in another language',
      'The appointment is on 5 March at the tax office.',
      'Der Termin beim Finanzamt ist am 3. März um 9 Uhr, und er ist nicht zu verschieben.',
    ],
  ])('%s', (_, text, value) => {
    expect(isSaid(text, value)).toBe(false);
  });
});

it('compares notes with long runs of blanks in no time', () => {
  const from = process.cpuUsage();
  expect(isSaid('The rent of the flat is 1,307 euro.', `${' '.repeat(60_000)}${LEASE}`)).toBe(true);
  expect(withoutMarks(`a${' '.repeat(60_000)}b`)).toHaveLength(60_002);
  expect(process.cpuUsage(from).user).toBeLessThan(1_000_000);
});

it.each([
  ['The ticket is 9.50 euro.', 'A ticket costs 9.50 euro now.'],
  ['The ticket is 9,50 euro.', 'A ticket costs 9.50 euro now.'],
  ['The ticket is 9 euro.', 'A ticket costs 9.00 euro now.'],
  ['The ticket is 9.50 euro.', 'A ticket costs 9.5 euro now.'],
  ['The meeting is at 9:30.', 'The meeting is at 9.30 p.m.'],
  ['The meeting is at 9.30.', 'The meeting is at 9:30.'],
  ['The meeting is on 3 May.', 'The meeting is on 3.5.2026, in May.'],
  ['It needs version 1.2 of the parser.', 'The parser has to be version 1.2.3 at least.'],
])('%s is supported by: %s', (text, value) => {
  expect(isSaid(text, value, 'What about the ticket, the meeting, the version?')).toBe(true);
});

it('marks of the model’s own are taken out', () => {
  expect(withoutMarks('The rent [1] is 940 euro [2, 3].')).toBe('The rent is 940 euro.');
});
