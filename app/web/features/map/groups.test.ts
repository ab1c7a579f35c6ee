import type { GraphNode } from '@reverie/shared/contract/search/graph';
import { expect, test } from 'vitest';
import { calledAs, groupsOf } from './groups.ts';

const node = (key: string, tags: string[] = []): GraphNode => ({
  key,
  tags,
  title: key,
  excerpt: key,
  class: 'note',
  created_at: '2026-11-20T09:00:00.000Z',
});

test('folders and tags join memories, the largest first, and none that has one alone or all of them', () => {
  const nodes = [
    node('a/one', ['x', 'x']),
    node('a/two', ['all']),
    node('a/b/three', ['x', 'all']),
    node('four', ['x']),
  ];
  expect(groupsOf(nodes).map((group) => [calledAs(group), ...group.keys])).toEqual([
    ['#x', 'a/one', 'a/b/three', 'four'],
    ['a', 'a/one', 'a/two'],
    ['#all', 'a/two', 'a/b/three'],
  ]);
  expect(groupsOf([node('a/one', ['x']), node('a/two', ['x'])])).toEqual([]);
});
