import { expect, test } from 'vitest';
import { createLeftOut } from './left-out.ts';

test('what a strategy leaves stands before what a model did, each once, and not without end', () => {
  const left = createLeftOut();
  expect([left.with(undefined), left.with('judged 1')]).toEqual([undefined, 'judged 1']);
  left.say('12 pairs look related; a model would tell');
  left.say('12 pairs look related; a model would tell');
  expect(left.with(undefined)).toBe('12 pairs look related; a model would tell');
  expect(left.with('judged 1')).toBe('12 pairs look related; a model would tell; judged 1');
  for (let n = 0; n < 9; n++) left.say(`${n}`);
  expect(left.pairs()).toBe(0);
  expect(left.with('end')).toBe('12 pairs look related; a model would tell; 0; 1; 2; 3; end');
});

test('pairs that are left are counted, each sentence once', () => {
  const left = createLeftOut();
  for (let times = 0; times < 2; times++) left.say('12 pairs look related; a model would tell', 12);
  left.say('1 pair differs in one word', 1);
  expect(left.pairs()).toBe(13);
});
