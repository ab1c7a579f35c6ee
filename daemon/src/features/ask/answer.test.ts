import { describe, expect, it } from 'vitest';
import { quotedAnswer, quoteFrom } from './answer.ts';
import { answering, asking } from './testing/asking.ts';

const quoteOf = (question: string, value: string) =>
  quoteFrom(answering({ key: 'note', value }, asking(question)));

describe('a quote', () => {
  it.each([
    [
      'has the sentence that says what is asked for',
      'What is my passport number?',
      'My passport expires on 14 August 2029. The number is C01X00T47.',
      'My passport expires on 14 August 2029. The number is C01X00T47.',
    ],
    [
      'has the sentence before it that says who she is',
      'Is Miso afraid of the vacuum cleaner?',
      'The cat is called Miso. She is afraid of the vacuum cleaner. The food is in the cellar.',
      'The cat is called Miso. She is afraid of the vacuum cleaner.',
    ],
    [
      'is one sentence where that says it all',
      'How much is the rent of the flat?',
      'The flat is let until 30 June. The rent is 940 euro a month. It is paid on the third.',
      'The rent is 940 euro a month.',
    ],
    [
      'goes over no line',
      'What is my passport number?',
      'My passport expires on 14 August 2029.\nThe number is C01X00T47.',
      'My passport expires on 14 August 2029.',
    ],
    [
      'is of one sentence where two are long',
      'What is my passport number?',
      `My passport expires on 14 August 2029. The number ${'is of so many figures and letters '.repeat(12)}.`,
      'My passport expires on 14 August 2029.',
    ],
  ])('%s', (...[, question, value, quote]) => {
    expect(quoteOf(question, value)).toBe(quote);
  });
});

describe('a further sentence', () => {
  const lines = (text: string, ...values: string[]) => {
    const question = asking(text);
    const ranked = values.map((value, at) =>
      answering({ id: at + 1, key: `note-${at}`, value }, question, at === 0 ? 0.9 : 0.2),
    );
    return quotedAnswer(question, ranked).split('\n').length;
  };
  it('is quoted where several things are asked for, or where it is about as likely', () => {
    const values = ['Tomás is allergic to peanuts.', 'The dentist appointment is on 9 March.'];
    expect(lines('What is Tomás allergic to, and when is the dentist appointment?', ...values)).toBe(2);
  });

  it('is not where it has but a word of a question about one thing', () => {
    expect(
      lines(
        'Is Tomás allergic to cats?',
        'Tomás is allergic to peanuts.',
        'The cats are called Miso and Sushi.',
      ),
    ).toBe(1);
  });

  it('is not for a word that only builds the question', () => {
    expect(
      lines(
        'Does Tomás still go to the gym?',
        'Tomás cancelled the gym.',
        'We want to go to Oslo, and still do.',
      ),
    ).toBe(1);
  });
});

it('says of a date that it is that of storing, and takes the last one', () => {
  const note = {
    ...{ key: 'passport', value: 'My passport expires on 14 August 2029.' },
    ...{ created_at: '2026-01-01T10:00:00Z', updated_at: '2026-05-03T10:00:00Z' },
  };
  const question = asking('When does my passport expire?');
  expect(quotedAnswer(question, [answering(note, question)])).toBe(
    '"My passport expires on 14 August 2029." — passport, stored 3 May 2026',
  );
  const dated = { ...note, metadata: { timestamp: '2026-02-02T10:00:00Z' } };
  expect(quotedAnswer(question, [answering(dated, question)])).toMatch(/ — passport, 2 February 2026$/u);
});
