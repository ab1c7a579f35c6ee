import { describe, expect, test } from 'vitest';
import { changedSince, privateIn, worthKeeping } from './worth-keeping.ts';

const isPrivate = (namespace: string) => namespace === 'diary';
const row = (namespace: string, more: object = {}) => ({
  namespace,
  count: 1,
  bytes: 9,
  updated_at: '2026-11-29T09:00:00.000Z',
  ...more,
});

describe('what of an answer is kept for the next visit', () => {
  test.each([
    [['memories', 'work', 'page', 'all', '', 'updated', 0], 'work'],
    [['memories', 'work', 'one', 'plan'], 'work'],
    [['dreams', 'insights', '*', 'waiting', 'best', 7], '*'],
    [['inboxes', 'unread'], '*'],
    [['events', 'since-yesterday'], '*'],
  ])('of %j all', (key, namespace) => {
    const data = { memories: [{ namespace: 'work', value: 'The plan.' }] };
    expect(worthKeeping(key, data, isPrivate)).toEqual({ namespace, data });
  });

  test.each([
    [['memories', 'work', 'search', 'all', 'plan']],
    [['memories', 'work', 'history', 'plan']],
    [['memories', 'diary', 'one', 'plan']],
    [['settings']],
    [['keys', 'list']],
    [['webhooks', 'list']],
    [['events', 17]],
    [['sync', 'devices']],
    [['sessions', 'one', 'ses_1']],
  ])('of %j nothing', (key) => {
    expect(worthKeeping(key, {}, isPrivate)).toBeUndefined();
  });

  test('of what is of several namespaces nothing that is private; a list of memories is whole or not there', () => {
    const rows = [{ namespace: 'work' }, { namespace: 'diary', title: 'bergamot' }];
    expect(worthKeeping(['namespaces'], rows, isPrivate)?.data).toEqual([{ namespace: 'work' }]);
    expect(worthKeeping(['namespaces'], rows.slice(1), isPrivate)).toBeUndefined();
    const pages = { pages: [{ insights: rows, waiting: 2 }], pageParams: [null] };
    expect(worthKeeping(['dreams', 'insights', '*', 'waiting', 'all'], pages, isPrivate)?.data).toEqual({
      pages: [{ insights: [{ namespace: 'work' }], waiting: 2 }],
      pageParams: [null],
    });
    expect(
      worthKeeping(['memories', '*', 'page', 0], { memories: rows, total: 2 }, isPrivate),
    ).toBeUndefined();
  });
});

test('namespaces that are kept from all models are private; before they are known nothing is', () => {
  const rows = [row('work'), row('diary', { models: 'none' }), row('home', { models: 'local' })];
  expect(privateIn(rows)).toEqual(new Set(['diary']));
  expect(privateIn(undefined)).toBeUndefined();
});

test('a namespace that has other memories, or is gone or new, has changed', () => {
  const before = [row('same'), row('fewer'), row('gone'), row('hidden')];
  const now = [row('same'), row('fewer', { count: 0 }), row('new'), row('hidden', { models: 'none' })];
  expect(changedSince(before, now)).toEqual(new Set(['fewer', 'gone', 'hidden', 'new']));
  expect(changedSince(before, before)).toEqual(new Set());
  expect(changedSince(undefined, now)).toBeUndefined();
});
