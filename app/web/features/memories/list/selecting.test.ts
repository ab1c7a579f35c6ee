import { expect, test } from 'vitest';
import { idOf } from '../address.ts';
import type { ListRow } from '../queries.ts';
import { added, MOST, toggled } from './selecting.ts';

const at = '2026-11-20T09:30:00.000Z';
const row = (key: string, namespace = 'n'): ListRow => ({
  key,
  namespace,
  title: key,
  class: 'note',
  metadata: {},
  created_at: at,
  updated_at: at,
});

test('a row is selected and no longer, and one of the same key elsewhere is another', () => {
  const one = toggled(toggled(new Map(), row('a')), row('a', 'm'));
  expect([...one.keys()]).toEqual([idOf(row('a')), idOf(row('a', 'm'))]);
  expect([...toggled(one, row('a')).keys()]).toEqual([idOf(row('a', 'm'))]);
});

test('no more are selected than can be acted on at once', () => {
  const many = Array.from({ length: MOST + 5 }, (_, n) => row(String(n)));
  const full = added(new Map([[idOf(row('first')), row('first')]]), many);
  expect(full.size).toBe(MOST);
  expect(full.has(idOf(row('first')))).toBe(true);
  expect(toggled(full, row('one more')).size).toBe(MOST);
});
