import fs from 'node:fs';
import path from 'node:path';
import * as sharing from '@reverie/shared/contract/sessions/session-sharing';
import * as contract from '@reverie/shared/contract/sessions/sessions';
import { linkDevice, pauseSync } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startRelay, type TestRelay } from '../../../../../cloud/src/testing/relay.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { plantedIn, survivorOf } from '@reverie/redact/testing/planted';

let relay: TestRelay;
let ada: TestDaemon;
let ben: TestDaemon;

beforeEach(async () => {
  relay = await startRelay({});
  [ada, ben] = await Promise.all([startTestDaemon(), startTestDaemon()]);
  await ada.call(linkDevice, { body: { relay: relay.origin, email: 'ada@example.org', name: 'ada' } });
  await ben.call(linkDevice, { body: { relay: relay.origin, email: 'ben@example.org', name: 'ben' } });
});
afterEach(async () => {
  await Promise.all([ada.stop(), ben.stop()]);
  await relay.stop();
});

type Given = Parameters<typeof ada.call<typeof contract.addEntries>>[1]['body']['entries'][number];
const add = (daemon: TestDaemon, id: string, ...entries: Given[]) =>
  daemon.call(contract.addEntries, { params: { id }, body: { entries } });
const begin = async (...texts: string[]) => {
  const { id } = await ada.call(contract.createSession, {
    body: { agent: 'codex', title: 'Rate limits', project: 'acme/api', branch: 'limits' },
  });
  for (const text of texts) await add(ada, id, { kind: 'prompt', text });
  return id;
};
const preview = (id: string, from: 'start' | 'now' = 'start') =>
  ada.call(sharing.previewSession, { params: { id }, query: { from } });
const share = async (id: string, role: 'viewer' | 'editor' = 'viewer', from: 'start' | 'now' = 'start') => {
  const { token } = await preview(id, from);
  return ada.call(sharing.shareSession, { params: { id }, body: { from, role, token } });
};
const join = (daemon: TestDaemon, invite: string) => daemon.call(sharing.joinSession, { body: { invite } });
const texts = async (daemon: TestDaemon, id: string) =>
  (await daemon.call(contract.listEntries, { params: { id }, query: {} })).entries.map(({ text }) => text);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (cause: unknown) => (cause instanceof Error && 'code' in cause ? cause.code : cause),
  );
/** Who joined, once the relay has told the owner. */
const otherIn = (id: string) =>
  vi.waitFor(
    async () => {
      const { participants } = await ada.call(contract.getSession, { params: { id } });
      const other = participants.find(({ self }) => !self);
      if (!other) throw new Error('nobody else is known to be there yet');
      return other.id;
    },
    { timeout: seconds(20), interval: 20 },
  );
const says = (daemon: TestDaemon, id: string, expected: string[]) =>
  vi.waitFor(async () => expect(await texts(daemon, id)).toEqual(expected), {
    timeout: seconds(20),
    interval: 20,
  });

/** All that the relay's database holds, byte for byte. */
function storedByRelay(): string {
  const stored = ['', '-wal'].map((end) => {
    const file = path.join(relay.home, `relay.db${end}`);
    return fs.existsSync(file) ? fs.readFileSync(file, 'latin1') : '';
  });
  return stored.join('');
}

test('who joins reads what was said, in its order, and then what is said', async () => {
  const id = await begin('first', 'second');
  const { invite, role } = await share(id);
  expect(role).toBe('viewer');
  const joined = await join(ben, invite);
  expect(joined).toMatchObject({
    id,
    title: 'Rate limits',
    agent: 'codex',
    project: 'acme/api',
    branch: 'limits',
    role: 'viewer',
    namespace: 'project/acme/api',
    folder: null,
    shared: true,
  });
  expect(joined.participants.map(({ name, role: has, self }) => [name, has, self])).toEqual([
    ['ben@example.org', 'viewer', true],
    ['ada@example.org', 'owner', false],
  ]);
  await says(ben, id, ['first', 'second']);
  await add(ada, id, { kind: 'answer', text: 'third' });
  await says(ben, id, ['first', 'second', 'third']);
  expect(await code(add(ben, id, { kind: 'note', text: 'no' }))).toBe('forbidden_role');
  expect(await ada.call(contract.getSession, { params: { id } })).toMatchObject({
    shared: true,
    role: 'owner',
  });
});

test('from now on, what was before never leaves', async () => {
  const id = await begin('before');
  const { invite } = await share(id, 'viewer', 'now');
  await join(ben, invite);
  await add(ada, id, { kind: 'prompt', text: 'after' });
  await says(ben, id, ['after']);
});

test('editors write notes, which are theirs, and cannot change what others wrote', async () => {
  const id = await begin('first');
  const { invite } = await share(id, 'editor');
  await join(ben, invite);
  await says(ben, id, ['first']);
  expect(await code(add(ben, id, { kind: 'prompt', text: 'rm -rf' }))).toBe('forbidden_role');
  const page = await ben.call(contract.listEntries, { params: { id }, query: {} });
  const [first] = page.entries;
  ben.clock.advance(1000);
  await add(ben, id, { kind: 'note', text: 'why?', reply_to: first?.id ?? '' });
  await says(ada, id, ['first', 'why?']);
  const { entries } = await ada.call(contract.listEntries, { params: { id }, query: {} });
  expect(entries[1]).toMatchObject({ kind: 'note', reply_to: entries[0]?.id });
  expect(entries[1]?.author.agent).toBeNull();
  expect(entries[1]?.author.id).not.toBe('person');
  // The item of another's entry: here it is replaced for its writer alone, and nobody else takes it.
  const item = entries[0]?.source.item ?? '';
  await add(ben, id, { kind: 'note', text: 'forged', item });
  await add(ben, id, { kind: 'note', text: 'behind it', at: new Date(ben.clock.now() + 1000).toISOString() });
  await says(ada, id, ['first', 'why?', 'behind it']);
});

test('a secret never leaves, and another kind of it waits until it was shown', async () => {
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  const id = await begin(`The token is ${secret}`);
  const shown = await preview(id);
  expect(shown).toMatchObject({ entries: 1, approved: false });
  expect(shown.redactions).toBeGreaterThan(0);
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(
    await code(
      ada.call(sharing.shareSession, { params: { id }, body: { from: 'start', role: 'viewer', token: 'x' } }),
    ),
  ).toBe('conflict');
  const { invite } = await share(id);
  await join(ben, invite);
  await vi.waitFor(async () => expect(await texts(ben, id)).toHaveLength(1), { timeout: seconds(20) });
  expect((await texts(ben, id))[0]).toMatch(/^The token is \[REDACTED:[\w-]+\]$/);

  await add(ada, id, { kind: 'prompt', text: 'fine' });
  await says(ben, id, [(await texts(ben, id))[0] ?? '', 'fine']);
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA7bq3'.repeat(8)}\n-----END RSA PRIVATE KEY-----`;
  await add(ada, id, { kind: 'prompt', text: key });
  await add(ada, id, { kind: 'prompt', text: 'behind it' });
  const state = () => ada.call(sharing.getShare, { params: { id } });
  await vi.waitFor(async () => expect((await state()).waiting).toBe(2), { timeout: seconds(20) });
  expect(await texts(ben, id)).toHaveLength(2);
  const again = await preview(id);
  expect(again.by_rule.filter(({ is_new }) => is_new)).toHaveLength(1);
  const approve = (token: string) => ada.call(sharing.approveShare, { params: { id }, body: { token } });
  expect(await code(approve('another'))).toBe('conflict');
  await approve(again.token);
  await vi.waitFor(async () => expect(await texts(ben, id)).toHaveLength(4), { timeout: seconds(20) });
  expect((await state()).waiting).toBe(0);
  expect(storedByRelay()).toContain('behind it');
  for (const part of [secret, secret.slice(4, 24), 'MIIEpAIBAAKCAQEA7bq3'])
    expect(storedByRelay()).not.toContain(part);
});

test('the preview shows the session itself and all of each entry, just as it then leaves', async () => {
  const secret = 'AKIAQ3B5X7Z2M4N6P7RT';
  const id = await begin();
  await ada.call(contract.changeSession, { params: { id }, body: { title: `Rotate ${secret} now` } });
  const text = `${'word '.repeat(600)}the end`;
  await add(ada, id, { kind: 'tool_call', text, tool: { name: 'Bash' }, files: ['/srv/other/a.ts', 'b.ts'] });
  const shown = await preview(id);
  expect(shown.session).toEqual({
    title: 'Rotate [REDACTED:aws] now',
    project: 'acme/api',
    branch: 'limits',
    agent: 'codex',
    models: [],
  });
  expect(shown.by_rule).toMatchObject([{ rule: 'aws', count: 1, is_new: true }]);
  expect(shown.sample).toMatchObject([
    { text, tool: 'Bash', files: ['a.ts', 'b.ts'], author: { id: 'codex' } },
  ]);
  const { invite } = await share(id);
  expect(await join(ben, invite)).toMatchObject({ title: shown.session.title });
  await says(ben, id, [text]);
  expect(storedByRelay()).not.toContain(secret.slice(0, -1));
});

test('of 180 planted secrets of 60 kinds, in texts and in names of files, the relay and who joined have none', async () => {
  const planted = (['first', 'second', 'third'] as const).flatMap(plantedIn);
  const id = await begin();
  const entries = planted.map(({ secret, text }, at): Given => {
    // A password is told by what stands around it: alone, as the name of a file, it is a word like any other.
    const name = secret.length >= 20 ? (secret.split('\n')[0]?.replaceAll('/', '_') ?? '') : 'none';
    const kind = at % 2 === 0 ? 'tool_result' : 'answer';
    return {
      kind,
      text: `${text}\nharmless ${at}`,
      files: [`/home/ada/api/keys/${name}.txt`, `src/${at}.ts`],
    };
  });
  await add(ada, id, ...entries);
  await join(ben, (await share(id)).invite);
  const read = () =>
    ben.call(contract.listEntries, { params: { id }, query: { limit: 500 } }).then((page) => page.entries);
  await vi.waitFor(async () => expect(await read()).toHaveLength(planted.length), {
    timeout: seconds(30),
    interval: 100,
  });
  const left = `${storedByRelay()}\n${JSON.stringify(await read())}`;
  expect(left).toContain(`harmless ${planted.length - 1}`);
  expect(left).toContain(`src/${planted.length - 1}.ts`);
  const survivors = planted.flatMap(({ kind, place, secret }) => {
    const survivor = survivorOf(secret, left);
    return survivor === undefined ? [] : [{ kind, place, survivor }];
  });
  expect(survivors).toEqual([]);
});

test('only what a preview showed is shared: of this session, from there, with those kinds of secrets', async () => {
  const id = await begin('first');
  const other = await begin('another');
  const shared = (token: string) =>
    code(ada.call(sharing.shareSession, { params: { id }, body: { from: 'start', role: 'viewer', token } }));
  const before = (await preview(id)).token;
  expect(await shared((await preview(other)).token)).toBe('conflict');
  expect(await shared((await preview(id, 'now')).token)).toBe('conflict');
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  await add(ada, id, { kind: 'prompt', text: `The token is ${secret}` });
  expect(await shared(before)).toBe('conflict');
  expect(await ada.call(sharing.getShare, { params: { id } })).toMatchObject({ shared: false });
});

test('a participant who is removed reads nothing more, and a link that is revoked lets nobody in', async () => {
  const id = await begin('first');
  const { invite } = await share(id);
  await join(ben, invite);
  const other = await otherIn(id);
  const { invites } = await ada.call(sharing.getShare, { params: { id } });
  expect(invites).toHaveLength(1);
  await ada.call(sharing.removeParticipant, { params: { id, participant: other } });
  await vi.waitFor(
    async () =>
      expect(await ben.call(contract.getSession, { params: { id } })).toMatchObject({ shared: false }),
    { timeout: seconds(20) },
  );
  await add(ada, id, { kind: 'prompt', text: 'secret plans' });
  // Removal makes every open link void: the removed one knows it.
  expect(await code(join(ben, invite))).toBe('invite_invalid');
  expect(await texts(ben, id)).toEqual(['first']);
  const again = await share(id);
  const open = (await ada.call(sharing.getShare, { params: { id } })).invites;
  await ada.call(sharing.revokeSessionInvite, { params: { id, invite: open[0]?.id ?? '' } });
  expect(await code(join(ben, again.invite))).toBe('invite_invalid');
});

test('the owner ends sharing for all, and a participant leaves; both keep what they read', async () => {
  const id = await begin('first');
  await join(ben, (await share(id)).invite);
  expect(await code(ada.call(contract.deleteSession, { params: { id } }))).toBe('conflict');
  expect(await code(ben.call(sharing.unshareSession, { params: { id } }))).toBe('forbidden_role');
  await ben.call(sharing.removeParticipant, { params: { id, participant: 'me' } });
  expect(await ben.call(contract.getSession, { params: { id } })).toMatchObject({ shared: false });
  await join(ben, (await share(id)).invite);
  await ada.call(sharing.unshareSession, { params: { id } });
  await vi.waitFor(
    async () =>
      expect(await ben.call(contract.getSession, { params: { id } })).toMatchObject({ shared: false }),
    { timeout: seconds(20) },
  );
  expect(await texts(ben, id)).toEqual(['first']);
  await ada.call(contract.deleteSession, { params: { id } });
  expect(await code(ada.call(contract.getSession, { params: { id } }))).toBe('session_not_found');
});

test(
  'what waits while the relay is away arrives once, also across a restart',
  async () => {
    const id = await begin('first');
    await join(ben, (await share(id)).invite);
    await ada.call(pauseSync, { body: { paused: true } });
    await add(ada, id, { kind: 'prompt', text: 'while it was away' });
    await ada.restart();
    await add(ada, id, { kind: 'prompt', text: 'and after' });
    expect(await texts(ben, id)).toEqual(['first']);
    await ada.call(pauseSync, { body: { paused: false } });
    await says(ben, id, ['first', 'while it was away', 'and after']);
  },
  seconds(60),
);
