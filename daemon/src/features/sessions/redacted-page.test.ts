import type { Caller } from '@reverie/shared/accounts/caller';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addEntries, LOOKED_THROUGH, NOT_LOOKED_THROUGH, redactedPage } from './entries.service.ts';
import { createSession } from './sessions.service.ts';
import { type BareSessions, bareSessions } from './testing/bare-sessions.ts';

const AWS = 'AKIAZ7QK4WJ2M5XN3RTB';

let bare: BareSessions;
let caller: Caller;
let id: string;
beforeEach(() => {
  bare = bareSessions();
  const key = { id: 'key', name: 'mine' } as Caller['key'];
  const { account, readable } = bare;
  caller = { account, publicId: 'acc', key, session: null, readable, within: null };
  ({ id } = createSession(bare.deps, caller, { agent: 'codex', namespace: 'default' }));
});
afterEach(() => bare.deps.store.close());

const write = (...texts: string[]) =>
  addEntries(bare.deps, caller, { id, entries: texts.map((text) => ({ kind: 'answer', text })) });
const page = (more: object = {}) => redactedPage(bare.deps, caller, { id, text: 'whole', limit: 9, ...more });

test('a page is without secrets, and begins at any entry', async () => {
  write('first', `export AWS_ACCESS_KEY_ID=${AWS}`, 'third');
  const { entries, total } = await page({ offset: 1 });
  expect(entries.map(({ text }) => text)).toEqual([expect.stringContaining('[REDACTED'), 'third']);
  expect([JSON.stringify(entries).includes(AWS), total]).toEqual([false, 3]);
  expect((await page({ offset: 3 })).entries).toEqual([]);
  await expect(page({ offset: 1, since: 0 })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('of a long text as much is read as is looked through, and no word is cut', async () => {
  write('word '.repeat(LOOKED_THROUGH / 4));
  const { entries } = await page();
  expect(entries[0]?.text.length).toBeLessThanOrEqual(LOOKED_THROUGH);
  expect(entries[0]?.text).toMatch(/^(?:word )+$/u);
  expect(entries[0]?.bytes).toBeGreaterThan(LOOKED_THROUGH);
});

test('an entry that cannot be looked through is not shown, and holds back no other', async () => {
  write('first', 'too slow', 'third');
  const { leaver } = bare.deps.world;
  bare.deps.world = {
    ...bare.deps.world,
    leaver: {
      ...leaver,
      texts: (session, texts) =>
        texts.includes('too slow') ? Promise.reject(new Error('too slow')) : leaver.texts(session, texts),
    },
  };
  expect((await page()).entries.map(({ text }) => text)).toEqual(['first', NOT_LOOKED_THROUGH, 'third']);
});
