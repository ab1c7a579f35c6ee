import { afterEach, expect, test } from 'vitest';
import { draftId } from '../writing/drafts/draft.ts';
import { savers } from '../writing/drafts/unsaved.ts';
import { savedFirst } from './saved-first.ts';

afterEach(() => savers.clear());

const of = (key: string) => ({
  namespace: 'n',
  key,
  title: '',
  metadata: {},
  updated_at: '2026-11-20T09:00:00.000Z',
});

test('what is being written is saved before its memory goes, which is then told as it is', async () => {
  let at: string | undefined;
  savers.set(async () => void (at = '2026-11-20T09:00:01.000Z'), draftId('n', 'a'));
  const told = await savedFirst([of('a'), of('b')], ({ key }) => (key === 'a' ? at : undefined));
  expect(told?.map(({ updated_at }) => updated_at)).toEqual([
    '2026-11-20T09:00:01.000Z',
    '2026-11-20T09:00:00.000Z',
  ]);
});

test('nothing is waited for where nothing is written in it', () => {
  savers.set(async () => undefined, draftId('n', 'other'));
  expect(savedFirst([of('a')], () => undefined)).toBeUndefined();
});
