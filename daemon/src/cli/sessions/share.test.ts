import { addEntries, createSession } from '@reverie/shared/contract/sessions/sessions';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startRelay, type TestRelay } from '../../../../cloud/src/testing/relay.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { has, like, run } from '../fake-terminal.ts';

let relay: TestRelay;
let ada: TestDaemon;
let ben: TestDaemon;
beforeAll(async () => {
  relay = await startRelay({});
  [ada, ben] = await Promise.all([startTestDaemon(), startTestDaemon()]);
  await ada.call(linkDevice, { body: { relay: relay.origin, email: 'ada@example.org', name: 'ada' } });
  await ben.call(linkDevice, { body: { relay: relay.origin, email: 'ben@example.org', name: 'ben' } });
});
afterAll(async () => {
  await Promise.all([ada.stop(), ben.stop()]);
  await relay.stop();
});

const sessions = (daemon: TestDaemon, ...args: string[]) =>
  run({ home: daemon.home.folder }, 'sessions', ...args);
const typing = (typed: string, ...args: string[]) =>
  run({ home: ada.home.folder, typed }, 'sessions', ...args);
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

test(
  'a session is shown before it leaves, shared, joined, noted in, left, revoked and taken back',
  async () => {
    const { id } = await ada.call(createSession, {
      body: { agent: 'codex', title: 'Rate limits', project: 'acme/api' },
    });
    await ada.call(addEntries, {
      params: { id },
      body: {
        entries: [
          { kind: 'prompt', text: `Use ${TOKEN}` },
          { kind: 'other', text: '{}' },
        ],
      },
    });
    const refused = await typing('show\nno\n', 'share', id);
    expect(refused).toMatchObject({ code: 1, out: '', err: has('Nothing left.') });
    expect(refused.err).toContain('Rate limits:\n  codex, acme/api\n  1 entry leaves');
    expect(refused.err).toMatch(
      / {2}1 secret is taken out of them\n {4}1 × [\w-]+ \(new: not shown before\)\n {2}1 entry stays here/,
    );
    expect(refused.err).toMatch(/prompt, .* 1 secret taken out\nUse \[REDACTED:[\w-]+\]\n/);
    expect(refused.err).not.toContain(TOKEN);
    expect((await sessions(ada, 'shared', id)).err).toBe('It is not shared.\n');

    const shared = await typing('share\n', 'share', id, '--role', 'editor', '--expires', '1d');
    expect(shared).toMatchObject({ code: 0, err: has('joins as editor') });
    const link = shared.out.trim();
    expect(link).toMatch(/^http\S+#\S+$/);

    const joined = await run(
      { home: ben.home.folder, stdin: `${link}\n` },
      'sessions',
      'join',
      '-n',
      'theirs',
    );
    expect(joined).toMatchObject({ code: 0, out: `${id}\n`, err: has('Joined as editor: Rate limits') });
    await vi.waitFor(async () => expect((await sessions(ben, 'show', id)).out).toContain('Use [REDACTED'), {
      timeout: seconds(20),
    });
    ben.clock.advance(1_000);
    expect((await sessions(ben, 'note', id, 'why this one?')).code).toBe(0);
    await vi.waitFor(async () => expect((await sessions(ada, 'show', id)).out).toContain('why this one?'), {
      timeout: seconds(20),
    });
    // Another kind of secret waits until it was shown; to let it go on makes no further link.
    const waits = `AKIA${'J4K7Q2M9'.repeat(2)}`;
    await ada.call(addEntries, {
      params: { id },
      body: { entries: [{ kind: 'prompt', text: `and ${waits}` }] },
    });
    await vi.waitFor(async () => expect((await sessions(ada, 'shared', id)).err).toContain('1 entry waits'), {
      timeout: seconds(20),
    });
    expect(await typing('share\n', 'share', id)).toMatchObject({
      code: 0,
      out: has('No link was made'),
      err: has('No link is made'),
    });
    await vi.waitFor(async () => expect((await sessions(ben, 'show', id)).out).toContain('and [REDACTED'), {
      timeout: seconds(20),
    });
    const rows = (await sessions(ada, 'shared', id)).out
      .trim()
      .split('\n')
      .map((row) => row.split('\t'));
    expect(rows.map(([what, , role]) => [what, role]).sort()).toEqual([
      ['link', 'editor'],
      ['participant', 'editor'],
      ['participant', 'owner'],
    ]);
    const invite = rows.find(([what]) => what === 'link')?.[1] ?? '';
    const other = rows.find(([what, , role]) => what === 'participant' && role === 'editor')?.[1] ?? '';
    expect(await sessions(ada, 'revoke', id, invite)).toMatchObject({ code: 0, out: has('lets nobody in') });
    expect(await sessions(ada, 'revoke', id, invite)).toMatchObject({ code: 1 });
    expect(await sessions(ada, 'delete', id, '--yes')).toMatchObject({
      code: 2,
      err: has(`reverie sessions unshare ${id}`),
    });
    expect(await sessions(ada, 'leave', id)).toMatchObject({ code: 1, err: has('owner cannot leave') });
    expect(await sessions(ada, 'remove', id, 'acc_none')).toMatchObject({
      code: 1,
      err: has('no participant'),
    });
    expect(await sessions(ada, 'remove', id, other)).toMatchObject({
      code: 0,
      out: has('reads nothing more of it.\n'),
    });
    // Who was removed is told so, in the list and at its head.
    await vi.waitFor(async () => expect((await sessions(ben, 'list')).out).toContain('not shared any more'), {
      timeout: seconds(20),
    });
    const shown = await sessions(ben, 'show', id);
    expect(shown.out).toContain('It is not shared with you any more');
    expect(await sessions(ada, 'unshare', id)).toMatchObject({ code: 2 });
    expect(await typing('unshare\n', 'unshare', id)).toMatchObject({
      code: 0,
      out: `${id} is not shared any more.\n`,
    });
  },
  seconds(60),
);

test(
  'a viewer leaves, and keeps what was read',
  async () => {
    const { id } = await ada.call(createSession, { body: { agent: 'codex', title: 'Tea' } });
    await ada.call(addEntries, {
      params: { id },
      body: { entries: [{ kind: 'prompt', text: 'Earl Grey' }] },
    });
    const shared = await sessions(ada, 'share', id, '--yes', '--json');
    expect(shared.err).toContain('1 entry leaves');
    const { invite } = JSON.parse(shared.out) as { invite: string };
    expect((await sessions(ben, 'join', invite)).code).toBe(0);
    await vi.waitFor(async () => expect((await sessions(ben, 'show', id)).out).toContain('Earl Grey'), {
      timeout: seconds(20),
    });
    expect(await sessions(ben, 'note', id, 'no')).toMatchObject({
      code: 1,
      err: has('read this session only'),
    });
    expect(await sessions(ben, 'share', id, '--yes')).toMatchObject({ code: 1 });
    expect(await sessions(ben, 'leave', id)).toMatchObject({ code: 0, out: like(/^Left cs_/) });
    expect((await sessions(ben, 'show', id)).out).toContain('Earl Grey');
  },
  seconds(60),
);
