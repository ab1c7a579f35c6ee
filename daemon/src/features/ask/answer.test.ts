import { frameOf } from './frames.ts';
import { describe, expect, it } from 'vitest';
import { chosenFor, noAnswer, quotedAnswer } from './answer.ts';
import { answering, asking } from './testing/asking.ts';

describe('a further passage', () => {
  const keys = (text: string, ...values: string[]) => {
    const question = asking(text);
    const ranked = values.map((value, at) =>
      answering({ id: at + 1, key: `note-${at}`, value }, question, at === 0 ? 0.9 : 0.2),
    );
    return chosenFor(question, ranked).map(({ memory }) => memory.key);
  };
  it('is quoted where several things are asked for, or where it is about as likely', () => {
    const values = ['Tomás is allergic to peanuts.', 'The dentist appointment is on 9 March.'];
    expect(keys('What is Tomás allergic to, and when is the dentist appointment?', ...values)).toEqual([
      'note-0',
      'note-1',
    ]);
  });

  it('is not where it has but a word of a question about one thing', () => {
    expect(
      keys(
        'Is Tomás allergic to cats?',
        'Tomás is allergic to peanuts.',
        'The cats are called Miso and Sushi.',
      ),
    ).toEqual(['note-0']);
  });

  it('is not for a word that only builds the question', () => {
    expect(
      keys(
        'Does Tomás still go to the gym?',
        'Tomás cancelled the gym.',
        'We want to go to Oslo, and still do.',
      ),
    ).toEqual(['note-0']);
  });
});

describe('a quoted answer', () => {
  const note = {
    ...{ key: 'passport', value: 'My passport expires on 14 August 2029.' },
    ...{ created_at: '2026-01-01T10:00:00Z', updated_at: '2026-05-03T10:00:00Z' },
  };
  const question = asking('When does my passport expire?');

  it('says of a date that it is that of storing, and takes the last one', () => {
    expect(quotedAnswer(question, [{ from: answering(note, question) }], true)).toBe(
      '"My passport expires on 14 August 2029." — passport, stored 3 May 2026',
    );
    const dated = { ...note, metadata: { timestamp: '2026-02-02T10:00:00Z' } };
    expect(quotedAnswer(question, [{ from: answering(dated, question) }], true)).toMatch(
      / — passport, 2 February 2026$/u,
    );
  });

  it('asserts nothing where it is not sure', () => {
    expect(quotedAnswer(question, [{ from: answering(note, question) }], false).split('\n')).toEqual([
      'Not sure. The closest in memory:',
      '"My passport expires on 14 August 2029." — passport, stored 3 May 2026',
    ]);
  });

  it('has the day until which an older value held, and the dates of both', () => {
    const asked = asking('How many requests does the API allow?');
    const [older, newer] = [
      { id: 1, key: 'old', value: 'The API allows 100 requests.', metadata: { date: '2026-03-01' } },
      { id: 2, key: 'new', value: 'The API allows 250 requests.', metadata: { date: '2026-08-12' } },
    ].map((one) => answering(one, asked));
    if (!older || !newer) throw new Error('nothing was read');
    const quotes = [{ from: newer }, { from: older, until: Date.parse('2026-08-12') }];
    expect(quotedAnswer(asked, quotes, true).split('\n')).toEqual([
      '"The API allows 250 requests." — new, 12 August 2026',
      'Until 12 August 2026: "The API allows 100 requests." — old, 1 March 2026',
    ]);
  });

  it('tells a later change of a note first, then what stood before', () => {
    const from = answering(note, question);
    const quote = { text: 'Renewed until 2039.', start: 0, end: 19, places: [] };
    expect(
      quotedAnswer(
        question,
        [
          { from, quote },
          { from, isBefore: true },
        ],
        true,
      ).split('\n'),
    ).toEqual([
      '"Renewed until 2039." — passport, stored 3 May 2026',
      'Before that: "My passport expires on 14 August 2029." — passport, stored 3 May 2026',
    ]);
  });
});

it.each([
  [[], 'Nothing in memory answers this.'],
  [['Mongolia'], 'Nothing in memory answers this. No memory mentions “Mongolia”.'],
])('of %j it says that no memory has it', (missing, answer) => {
  expect(noAnswer(frameOf('en'), missing, undefined)).toBe(answer);
});
