import { expect, test } from 'vitest';
import { inverseOf } from './tagging.ts';

const memory = (key: string, tags: string[]) => ({ namespace: 'n', key, metadata: { tags } });

test('taking back leaves each memory the tags that it had', () => {
  const [a, b] = [memory('a', ['old']), memory('b', ['new'])];
  expect(inverseOf([a, b], { add: ['new'], remove: ['old'] })).toEqual([
    { of: [a], change: { add: [], remove: ['new'] } },
    { of: [a], change: { add: ['old'], remove: [] } },
  ]);
  expect(inverseOf([b], { add: ['new'], remove: ['old'] })).toEqual([]);
});
