import { expect, test } from 'vitest';
import { pointOf, spoken } from './phrasing.ts';

test.each([
  ['HOW MUCH DID THE BIKE COST?', 'how much did the bike cost?'],
  ['WHAT DOES ERR_QUEUE_STALLED MEAN IN V2?', 'what does ERR_QUEUE_STALLED mean in V2?'],
  ['How much did the BIKE cost?', 'How much did the BIKE cost?'],
  ['ERR_QUEUE_STALLED', 'ERR_QUEUE_STALLED'],
  ['API KEY', 'API KEY'],
  ['我们的WIFI密码是什么？', '我们的WIFI密码是什么？'],
])('%s is asked as %s', (asked, as) => {
  expect(spoken(asked)).toBe(as);
});

test('of a long question what is asked at its end is looked for, where that says enough', () => {
  const story = 'my sister is coming and she always asks for it '.repeat(5);
  const point = 'what was the password of the guest wifi again?';
  expect(pointOf(`I wonder, since ${story}: ${point}`)).toBe(point);
  expect(pointOf(point)).toBe(point);
  const unclear = `${story}. Where is it?`;
  expect(pointOf(unclear)).toBe(unclear);
  expect(pointOf(`${story}${point.slice(0, -1)}`)).toBe(`${story}${point.slice(0, -1)}`);
});
