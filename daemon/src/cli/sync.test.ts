import type { SyncStatus } from '@reverie/shared/contract/sync/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { has, run } from './fake-terminal.ts';
import { joinCommand } from './share.ts';
import { statusLines } from './sync.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const reverie = (...args: string[]) => run({ home: daemon.home.folder }, ...args);

test('before any link, sync says where the memories are, and now exits 1', async () => {
  expect(await reverie('sync')).toMatchObject({ code: 0, out: has('Not linked') });
  expect(await reverie('sync', 'now')).toMatchObject({ code: 1, out: has('`reverie sync` says which') });
  const status = JSON.parse((await reverie('sync', 'status', '--json')).out) as { state: string };
  expect(status.state).toBe('dormant');
  expect((await reverie('sync', 'conflicts', '--json')).out).toContain('"total": 0');
});

test('what needs a link says how to make one', async () => {
  for (const command of [
    ['devices'],
    ['devices', 'pair'],
    ['share', 'work'],
    ['unlink', '--yes'],
    ['sync', 'pause'],
    ['sync', 'keep', 'work'],
  ])
    expect([command, await reverie(...command)]).toEqual([
      command,
      expect.objectContaining({ code: 1, err: has('reverie link') }),
    ]);
});

test('linking takes an e-mail or a code, and names the relay that does not answer', async () => {
  expect(await reverie('link', 'http://127.0.0.1:9')).toMatchObject({
    code: 2,
    err: has('--email or --code'),
  });
  const gone = await reverie('link', 'http://127.0.0.1:9', '--email', 'me@example.org');
  expect(gone).toMatchObject({ code: 1, err: has('http://127.0.0.1:9 does not answer') });
  expect(await reverie('unlink')).toMatchObject({ code: 2, err: has('--yes') });
});

test('a command to join holds the link, unless a shell would find something to run in it', () => {
  const link = 'https://relay.example.org/join/inv_01ABC#se-cr_et';
  expect(joinCommand(link)).toBe(`reverie join "${link}"`);
  for (const tail of ['$(id)', '`id`', '";id', "';id", ' id', '\n', '!id', '\\'])
    expect(joinCommand(link + tail)).toBe('reverie join');
});

test('as long as the e-mail is not confirmed, the status says what to do, and where the mail may be', () => {
  const linked: SyncStatus = {
    memories: 1,
    last_update: null,
    peers: [{ id: 'dev_1', name: 'laptop', last_seen: null, online: false }],
    daemon_live: true,
    state: 'live',
    pending: 0,
    last_sync_at: null,
    relay: 'https://relay.example.org',
    relay_key: null,
    paused: false,
    waiting_for: 'confirmation',
    device: null,
    email: 'me@example.org',
    oldest_pending_at: null,
    behind: 0,
    upload: null,
    download: null,
    quarantined: 0,
    conflicts: 0,
    conflicts_of_others: 0,
    namespaces: [],
    recovered: [],
    handed_over: [],
    sessions_ended: [],
    stays: [],
    new_namespaces: 'sync',
    lost: [],
  };
  const waiting = statusLines(linked);
  expect(waiting).toContainEqual(
    expect.stringMatching(/^Confirm +open the link in the mail to me@example\.org/),
  );
  expect(waiting).toContain('Device     laptop, not seen yet');
  expect(statusLines({ ...linked, waiting_for: null }).join('\n')).not.toContain('Confirm');
});
