import { createKey } from '@reverie/shared/contract/accounts/keys';
import { grepMemory } from '@reverie/shared/contract/search/grep';
import { setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { addEntries, createSession } from '@reverie/shared/contract/sessions/sessions';
import { trashMemories } from '@reverie/shared/contract/memories/trash';
import type { Sent } from '@reverie/shared/contract/route';
import { seconds } from '@reverie/shared/testing/patience';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { LONGEST_TURN, turnsOf } from '../../testing/turns.ts';

const AWS = 'AKIAZ7QK4WJ2M5XN3RTB';

let daemon: TestDaemon;
let session = '';
let narrow = '';

const set = (namespace: string, key: string, value: string) => {
  daemon.clock.advance(1_000);
  return daemon.call(setMemory, { body: { namespace, key, value } });
};
const grep = (query: Sent<typeof grepMemory>['query'], key = daemon.ownerKey) =>
  daemon.as(key)(grepMemory, { query });
const told = ({ lines }: Awaited<ReturnType<typeof grep>>) =>
  lines.map(({ key, entry, line, text }) => `${key ?? entry}:${line}: ${text}`);

beforeAll(async () => {
  daemon = await startTestDaemon();
  await set('project/shop', 'adr/0001', 'Use SQLite.\nWhy: E_LOCKED came up in CI.');
  await set('project/shop', 'adr/0002', 'Retry on E_LOCKED.');
  await set('project/shop', 'gone', 'E_LOCKED is in the trash');
  await set('project/web', 'note', 'E_LOCKED in the page');
  await set('project', 'shop/readme', 'E_LOCKED of a shorter namespace');
  await daemon.call(trashMemories, { body: { items: [{ namespace: 'project/shop', key: 'gone' }] } });
  const { id } = await daemon.call(createSession, {
    body: { agent: 'codex', title: 'Locks', namespace: 'project/shop' },
  });
  session = id;
  const texts = ['Why E_LOCKED?', `export AWS_ACCESS_KEY_ID=${AWS}\nE_LOCKED is gone`, 'Good.'];
  await daemon.call(addEntries, {
    params: { id },
    body: {
      entries: texts.map((text, at) => ({
        kind: at === 1 ? ('tool_result' as const) : ('prompt' as const),
        text,
        at: new Date(daemon.clock.now() + at * 1_000).toISOString(),
      })),
    },
  });
  narrow = (
    await daemon.call(createKey, { body: { name: 'narrow', scope: 'read', namespaces: ['project/web'] } })
  ).key;
});
afterAll(() => daemon.stop());

test('lines are found letter by letter, those of what changed last first, without what is hidden', async () => {
  const found = await grep({ pattern: 'E_LOCKED', namespace: 'project/shop' });
  expect(told(found)).toEqual(['adr/0002:1: Retry on E_LOCKED.', 'adr/0001:2: Why: E_LOCKED came up in CI.']);
  expect(found).toMatchObject({ left_out: 0, looked_at: 2, withheld: 0, stopped: false });
  expect(told(await grep({ pattern: 'e_locked', namespace: 'project/shop' }))).toEqual([]);
  expect(
    (await grep({ pattern: 'e_locked', ignore_case: 'true', namespace: '*' })).lines.map(
      ({ namespace, key }) => `${namespace} ${key}`,
    ),
  ).toEqual(['project shop/readme', 'project/web note', 'project/shop adr/0002', 'project/shop adr/0001']);
});

test('a folder or a key narrows it, whichever namespaces have a part of the path', async () => {
  expect(told(await grep({ pattern: 'LOCKED', namespace: '*', under: '/project/shop/adr/0001' }))).toEqual([
    'adr/0001:2: Why: E_LOCKED came up in CI.',
  ]);
  expect((await grep({ pattern: 'LOCKED', namespace: '*', under: '/project/shop/' })).lines).toHaveLength(3);
  expect((await grep({ pattern: 'LOCKED', namespace: '*', under: '/project/sh' })).lines).toHaveLength(3);
  expect(told(await grep({ pattern: 'LOCKED', namespace: 'project/web', key: 'note' }))).toHaveLength(1);
  expect(await grep({ pattern: 'LOCKED', namespace: 'project/shop', key: 'gone' })).toMatchObject({
    looked_at: 0,
  });
});

test('what is beyond the limit is counted, and context comes with its lines', async () => {
  const found = await grep({ pattern: 'E_LOCKED', namespace: 'project/shop', limit: 1 });
  expect(found).toMatchObject({ left_out: 1, lines: [{ key: 'adr/0002' }] });
  const { lines } = await grep({ pattern: 'came up', namespace: 'project/shop', context: 3 });
  expect(lines).toMatchObject([{ before: ['Use SQLite.'], after: [] }]);
});

test('sessions are looked through for secrets, which no pattern finds', async () => {
  const inSessions = { source: 'sessions', namespace: 'project/shop' } as const;
  const found = await vi.waitFor(
    async () => {
      const reply = await grep({ ...inSessions, pattern: 'E_LOCKED', context: 1 });
      // Its thread may not have begun yet.
      expect(reply.withheld).toBe(0);
      return reply;
    },
    { timeout: seconds(60) },
  );
  expect(told(found)).toEqual(['2:2: E_LOCKED is gone', '1:1: Why E_LOCKED?']);
  expect(found.lines[0]).toMatchObject({ session, namespace: 'project/shop' });
  expect(JSON.stringify(found)).not.toContain(AWS);
  expect(found.lines[0]?.before.join('')).toContain('[REDACTED');
  expect(await grep({ ...inSessions, pattern: AWS.slice(0, 12) })).toMatchObject({ lines: [], left_out: 0 });
  // Nor do its numbers tell whether one is there.
  const counted = async (guess: string) => {
    const reply = await grep({ ...inSessions, pattern: `Good|${guess}`, regex: 'true', limit: 1 });
    return { ...reply, lines: told(reply) };
  };
  expect(await counted(AWS.slice(0, 8))).toEqual(await counted('AKIAWRONG'));
  expect(await counted('x')).toMatchObject({ lines: ['3:1: Good.'], more: true, left_out: 0 });
  expect(told(await grep({ ...inSessions, pattern: 'LOCKED', session, entry: 1 }))).toEqual([
    '1:1: Why E_LOCKED?',
  ]);
});

test('a narrower key finds the lines that it may read, and of other places what is not there', async () => {
  expect((await grep({ pattern: 'LOCKED', namespace: '*' }, narrow)).lines).toMatchObject([
    { namespace: 'project/web' },
  ]);
  expect(await grep({ pattern: 'LOCKED', namespace: 'project/shop' }, narrow)).toMatchObject({
    lines: [],
    looked_at: 0,
  });
  expect((await grep({ pattern: 'LOCKED', namespace: '*', under: '/project/shop/' }, narrow)).lines).toEqual(
    [],
  );
  expect((await grep({ pattern: 'LOCKED', namespace: '*', source: 'sessions' }, narrow)).looked_at).toBe(0);
  await expect(
    grep({ pattern: 'LOCKED', namespace: '*', source: 'sessions', session }, narrow),
  ).rejects.toMatchObject({ code: 'session_not_found' });
});

test('a pattern that is none is refused by its name, and says what else to do', async () => {
  const wrong = (query: Parameters<typeof grep>[0]) => expect(grep(query)).rejects;
  await wrong({ pattern: '(', regex: 'true' }).toMatchObject({
    code: 'invalid_request',
    errors: [{ path: 'pattern', message: expect.stringContaining('without `regex`') as string }],
  });
  await wrong({ pattern: 'a\nb' }).toMatchObject({
    errors: [{ message: expect.stringContaining('line break') as string }],
  });
  await wrong({ pattern: 'x'.repeat(1_001) }).toMatchObject({ code: 'invalid_request' });
  await wrong({ pattern: '' }).toMatchObject({ code: 'invalid_request' });
});

test('hostile patterns and texts hold nobody up', async () => {
  const line = `${'a'.repeat(60)}!`;
  await daemon.call(storeBatch, {
    body: {
      items: [
        { namespace: 'hostile', key: 'slow', value: line },
        { namespace: 'hostile', key: 'long', value: 'b'.repeat(1_000_000) },
        { namespace: 'hostile', key: 'nul', value: 'a\u0000z' },
        { namespace: 'hostile', key: 'many', value: 'hit\n'.repeat(100_000) },
      ],
    },
  });
  const turns = await turnsOf(async () => {
    const slow = grep({ pattern: '(a+)+$', regex: 'true', namespace: 'hostile', key: 'slow' });
    const others = await Promise.all([
      grep({ pattern: 'a\u0000z', namespace: 'hostile' }),
      grep({ pattern: 'hit', namespace: 'hostile', limit: 3 }),
      grep({ pattern: 'b{9}$', regex: 'true', namespace: 'hostile' }),
    ]);
    expect(others.map(told)).toEqual([
      ['nul:1: a\u0000z'],
      ['many:1: hit', 'many:2: hit', 'many:3: hit'],
      [`long:1: …${'b'.repeat(298)}`],
    ]);
    expect(others[1]).toMatchObject({ left_out: 99_997 });
    expect(await slow).toMatchObject({ lines: [], stopped: true });
  });
  expect(turns.longest).toBeLessThan(LONGEST_TURN);
});
