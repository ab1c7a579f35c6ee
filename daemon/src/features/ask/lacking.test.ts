import { expect, test } from 'vitest';
import { lacksWhatIsAsked } from './lacking.ts';
import { answering, asking } from './testing/asking.ts';

const lacks = (question: string, ...values: string[]) => {
  const asked = asking(question);
  return lacksWhatIsAsked(
    asked,
    values.map((value, id) => ({ ...answering({ key: `k${id}`, value, id }, asked), score: 0.5 / (1 + id) })),
  );
};

test.each([
  ["What is the landlord's email address?", 'Our landlord is Mr Okafor, 0117 496 0142.'],
  ['What colour is my bike?', 'Bike serviced at Wheelwrights: 74 pounds.'],
  ['What is the phone number of Til?', 'Til would like a head torch.'],
])('%s is not answered by: %s', (question, value) => {
  expect(lacks(question, value)).toBe(true);
  // What an answer would not quote does not help.
  expect(lacks(question, value, value, value, 'Blue, a@b.example, 0117 496 0142, she is 70 years old.')).toBe(
    true,
  );
});

test.each([
  ["What is the landlord's email address?", 'Our landlord is okafor@homes.example.'],
  ['What colour is my bike?', 'The bike is green now.'],
  ['How old is Mum?', 'Mum has a new knee.'],
  ['What is the phone number of Til?', 'Til: 0117 496 0142'],
  ['biomed extension number', 'Biomed (ext. 6620) has one more.'],
  ['Why is Mum in hospital?', "Mum's knee went well."],
])('%s may be answered by: %s', (question, value) => {
  expect(lacks(question, value)).toBe(false);
});

test('a memory that an answer quotes beside the best one may have it', () => {
  expect(lacks('What colour is my bike?', 'The bike was serviced.', 'The new bike is green.')).toBe(false);
});
