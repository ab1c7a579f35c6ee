import { ApiError, type Client } from '@reverie/shared/client';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { expect, test } from 'vitest';
import { draftOf, emptyDraft } from './draft.ts';
import { changeMemory, createMemory } from './saving.ts';

const memory = (value: string, second: number): Memory => ({
  key: 'a',
  namespace: 'n',
  value,
  metadata: {},
  class: 'note',
  title: '',
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: `2026-11-20T09:00:0${second}.000Z`,
});

/** Answers as a daemon that holds at most the one memory `stored`. */
function daemon(stored: Memory | undefined) {
  const sent: { id: string; body: Record<string, unknown> }[] = [];
  const no = (code: 'conflict' | 'memory_not_found') => new ApiError({ status: 400, code, message: code });
  const call = async (route: { id: string }, { body }: { body: Record<string, unknown> }) => {
    sent.push({ id: route.id, body });
    if (route.id === 'memory_get' && !stored) throw no('memory_not_found');
    if (route.id === 'memory_get') return stored;
    const isThere = stored?.key === body['key'];
    if (body['if_updated_at'] === null ? isThere : body['if_updated_at'] !== stored?.updated_at)
      throw no('conflict');
    return { success: true, key: body['key'], findable: true };
  };
  return { call: call as unknown as Client, sent };
}

test('a change is stored only onto what it was made from', async () => {
  const base = memory('old', 1);
  const draft = { ...draftOf(base), value: 'new', parsed: {} };
  const same = daemon(base);
  expect(await changeMemory(same.call, draft)).toEqual({ kind: 'saved', key: 'a' });
  expect(same.sent[0]?.body).toMatchObject({ value: 'new', if_updated_at: base.updated_at });

  const theirs = memory('theirs', 2);
  expect(await changeMemory(daemon(theirs).call, draft)).toEqual({ kind: 'conflict', theirs });
  expect(await changeMemory(daemon(undefined).call, draft)).toEqual({ kind: 'conflict', theirs: undefined });
});

test('what expires goes on to expire at the same time', async () => {
  const base = { ...memory('old', 1), expires_at: '2027-01-01T00:00:00.000Z' };
  const { call, sent } = daemon(base);
  await changeMemory(call, { ...draftOf(base), value: 'new', parsed: {} });
  expect(sent[0]?.body['expires_at']).toBe(base.expires_at);
});

test('a new memory overwrites nothing, and without a key gets one of its first words', async () => {
  const draft = { ...emptyDraft('n'), key: 'a', value: 'x', parsed: {} };
  const taken = daemon(memory('old', 1));
  expect(await createMemory(taken.call, draft)).toEqual({ kind: 'taken' });
  expect(await createMemory(daemon(undefined).call, draft)).toEqual({ kind: 'saved', key: 'a' });
  const keyless = {
    ...draft,
    key: '',
    value: 'We deploy on Thursdays.',
    expires: '2027-01-01T00:00:00.000Z',
  };
  const free = daemon(undefined);
  expect(await createMemory(free.call, keyless)).toEqual({ kind: 'saved', key: 'we-deploy-on-thursdays' });
  expect(free.sent[0]?.body).toMatchObject({ if_updated_at: null, expires_at: keyless.expires });
  const other = daemon({ ...memory('x', 1), key: 'we-deploy-on-thursdays' });
  expect(await createMemory(other.call, keyless)).toEqual({ kind: 'saved', key: 'we-deploy-on-thursdays-2' });
});
