import { expect, test } from 'vitest';
import {
  checkDraft,
  dayOfEnd,
  draftOf,
  emptyDraft,
  endOfDay,
  isChanged,
  tagsOfDraft,
  withTags,
} from './draft.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');

const stored = {
  key: 'note:a',
  namespace: 'default',
  value: 'one',
  metadata: { tags: ['x'] },
  class: 'note' as const,
  title: 'one',
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
};

test('a fresh draft of a memory changes nothing; each edit does', () => {
  const draft = draftOf(stored);
  expect(isChanged(draft)).toBe(false);
  expect(isChanged({ ...draft, value: 'two' })).toBe(true);
  expect(isChanged({ ...draft, metadata: '' })).toBe(true);
  expect(isChanged({ ...draft, expires: '2026-12-24T23:59:59.000Z' })).toBe(true);
});

test('metadata that is typed is checked as JSON, as an object, and by the limits', () => {
  const withMetadata = (metadata: string) => checkDraft({ ...draftOf(stored), metadata }, NOW);
  const complaint = (metadata: string) => {
    const checked = withMetadata(metadata);
    return checked.ok ? undefined : checked.errors.metadata;
  };
  expect(withMetadata('')).toEqual({ ok: true, metadata: {} });
  expect(withMetadata('{"a": 1}')).toEqual({ ok: true, metadata: { a: 1 } });
  expect(complaint('{"a": }')).toMatch(/not valid JSON/);
  expect(complaint('[1]')).toMatch(/must be a JSON object/);
  expect(complaint(JSON.stringify({ a: 'x'.repeat(70_000) }))).toMatch(/65536/);
});

test('a new memory needs a value and may leave its key out', () => {
  expect(checkDraft(emptyDraft('default'), NOW)).toEqual({
    ok: false,
    errors: { value: 'Write something to remember.' },
  });
  expect(checkDraft({ ...emptyDraft('default'), value: 'hello' }, NOW)).toEqual({ ok: true, metadata: {} });
});

test('every wrong field is named', () => {
  const checked = checkDraft(
    {
      key: 'a\tb',
      namespace: '..',
      value: 'x'.repeat(1024 * 1024 + 1),
      metadata: 'no',
      expires: '2026-11-20T12:00:00.000Z',
      base: undefined,
    },
    NOW,
  );
  expect(checked.ok ? [] : Object.keys(checked.errors).sort()).toEqual([
    'expires',
    'key',
    'metadata',
    'namespace',
    'value',
  ]);
});

test('tags stand in the metadata that is typed, and nothing else of it is touched', () => {
  const typed = withTags('{"sure": true, "tags": ["a"]}', ['a', 'b']) ?? '';
  expect(JSON.parse(typed)).toEqual({ sure: true, tags: ['a', 'b'] });
  expect(tagsOfDraft(typed)).toEqual(['a', 'b']);
  expect(withTags('{"tags": ["a"]}', [])).toBe('');
  expect(withTags('{"sure": }', ['a'])).toBeUndefined();
  expect(tagsOfDraft('{"sure": }')).toBeUndefined();
});

test('what ends on a day ends with that day, where the reader is', () => {
  expect(dayOfEnd(endOfDay('2026-12-24'))).toBe('2026-12-24');
  expect(new Date(endOfDay('2026-12-24')).getHours()).toBe(23);
  expect([dayOfEnd(''), endOfDay('')]).toEqual(['', '']);
});
