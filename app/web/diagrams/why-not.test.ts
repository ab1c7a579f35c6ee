import { expect, test } from 'vitest';
import { whyNot } from './why-not.ts';

test.each<[unknown, string]>([
  [new Error('Parse error on line 3:\n...B --> ]\n---'), 'its line 3 cannot be read'],
  [new Error('Parsing failed: unexpected character at line: 2, column: 4'), 'its line 2 cannot be read'],
  [
    new Error('Edge limit exceeded. 300 edges found, but the limit is 300.'),
    'it has more than 300 connections',
  ],
  [new Error('No diagram type detected'), 'it cannot be read as a diagram'],
  ['anything', 'it cannot be read as a diagram'],
])('%s', (error, why) => {
  expect(whyNot(error, 300)).toBe(why);
});
