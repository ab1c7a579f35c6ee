import { understandQuery } from '@reverie/shared/contract/search/operators';
import { expect, test } from 'vitest';
import { countTags, tagOperator, tagsOf } from './tags.ts';

test('tags are a list of texts, and whatever else stands there is metadata', () => {
  expect(tagsOf({ tags: ['a', 'b'] })).toEqual(['a', 'b']);
  expect(tagsOf({ tags: 'a' })).toEqual([]);
  expect(tagsOf({ tags: ['a', 1] })).toEqual([]);
  expect(tagsOf({})).toEqual([]);
});

test.each(['adr', 'two words', 'q&a', 'c++', 'what?', '2026.'])(
  'a search reads %j as the tag it is',
  (tag) => {
    expect(understandQuery(tagOperator(tag), 'work').filters).toEqual([{ kind: 'tag', value: tag }]);
  },
);

test('the most frequent tag is the first, and of equal ones the first by name', () => {
  const rows = [{ metadata: { tags: ['b', 'a'] } }, { metadata: { tags: ['c', 'b'] } }, { metadata: {} }];
  expect(countTags(rows)).toEqual([
    ['b', 2],
    ['a', 1],
    ['c', 1],
  ]);
});
