import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { call, connect, type Linked, openRoom, signUp, updateEntry } from '../testing/device.ts';
import { startPostgres, type TestPostgres } from '../testing/postgres.ts';
import { type RelayProcess, spawnRelay, temporaryHome } from '../testing/process.ts';
import { admin } from './admin.ts';

const DISABLED = 'This account was disabled by who runs the relay';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

interface Account {
  account: string;
  email: string;
  status: string;
}

// The command in this process, the relay that it looks after in others: two nodes where it has Postgres.
describe.each([
  { name: 'SQLite', nodes: 1, url: async (): Promise<string | undefined> => undefined },
  { name: 'Postgres with two nodes', nodes: 2, url: () => postgres.database() },
])('the command of who runs a relay on $name', ({ nodes, url: urlOf }) => {
  let home: string;
  let remove: () => void;
  let env: Record<string, string>;
  let relays: RelayProcess[];
  let origins: string[];

  beforeEach(async () => {
    ({ home, remove } = temporaryHome());
    const url = await urlOf();
    env = { RELAY_LOG_LEVEL: 'warn', ...(url !== undefined && { RELAY_DATABASE_URL: url }) };
    relays = Array.from({ length: nodes }, () => spawnRelay(home, env));
    origins = await Promise.all(relays.map((relay) => relay.ready));
  });
  afterEach(async () => {
    for (const relay of relays) relay.child.kill();
    await Promise.all(relays.map((relay) => relay.ended));
    remove();
  });

  /** The last node, to which what another one did is news. */
  const at = () => origins.at(-1) ?? '';
  const run = (...args: string[]) => admin(readConfig({ RELAY_HOME: home, ...env }), args);
  const json = async (...args: string[]) => JSON.parse(await run(...args, '--json')) as never;
  const accounts = async () => ((await json('accounts')) as { accounts: Account[] }).accounts;

  /** A room of an owner with an entry in it, and a guest. */
  async function team(): Promise<{ owner: Linked; guest: Linked; room: string; invite: URL; open: string }> {
    const owner = await signUp(at(), 'anna@example.org');
    const guest = await signUp(at(), 'bob@example.org');
    const room = await openRoom(at(), owner, 'team');
    const invited = async () => {
      const { body } = await call(at(), {
        method: 'POST',
        path: `/rooms/${room}/invites`,
        key: owner.key,
        body: { role: 'viewer' },
      });
      return { id: String(body['id']), invite: new URL(String(body['invite'])) };
    };
    const { id, invite } = await invited();
    const joined = await accept(guest, id, invite);
    expect(joined.status).toBe(200);
    const further = await invited();
    const device = await connect(at(), owner);
    await device.next('welcome');
    device.send({ type: 'append', room, epoch: 0, incarnation: 'inc', entries: [updateEntry(1, 4000)] });
    await device.next('ack');
    device.close();
    return { owner, guest, room, invite: further.invite, open: further.id };
  }
  const accept = (guest: Linked, id: string, invite: URL) =>
    call(at(), {
      method: 'POST',
      path: `/invites/${id}/accept`,
      key: guest.key,
      body: { secret: invite.hash.slice(1), name: 'theirs' },
    });

  test('accounts, one of them, rooms, and storage with its quota', async () => {
    const { owner, guest, room } = await team();
    const list = await accounts();
    expect(list).toMatchObject([
      { email: 'anna@example.org', status: 'provisional', devices: 1, rooms: 1, memberships: 0 },
      { email: 'bob@example.org', devices: 1, rooms: 0, memberships: 1, limit: 50 * 1024 * 1024 },
    ]);
    const { body } = await call(at(), { path: '/account', key: owner.key });
    expect(list[0]).toMatchObject({ account: owner.account, bytes: body['bytes'] });
    expect(Number(body['bytes'])).toBeGreaterThan(4000);

    expect(await json('account', 'Bob@Example.org')).toMatchObject({
      accounts: [{ account: guest.account, member_of: [{ room, owner_email: 'anna@example.org' }] }],
    });
    expect(await json('rooms')).toMatchObject({ rooms: [{ room, members: 2, head: 1, file_bytes: 0 }] });
    expect(await json('storage')).toMatchObject({
      accounts: [{ email: 'anna@example.org', rooms: [{ room, bytes: body['bytes'] }] }, { bytes: 0 }],
    });
    const text = await Promise.all(['accounts', 'rooms', 'storage'].map((command) => run(command)));
    for (const table of text) expect(table).toContain('anna@example.org');
    expect(await run('account', 'anna@example.org')).toContain(room);
    expect(text.join()).not.toContain('team');
  });

  test('a disabled account is signed out within seconds, told why, and comes back whole', async () => {
    const { owner, guest, room, invite, open } = await team();
    const device = await connect(at(), owner);
    await device.next('welcome');
    expect(await run('disable', 'anna@example.org')).toContain(owner.account);
    expect(await device.next('error')).toMatchObject({ code: 'forbidden', detail: DISABLED });
    expect(await device.closed).toBe(4403);
    const again = await connect(at(), owner);
    expect(await again.next('error')).toMatchObject({ detail: DISABLED, retryAfterMs: 60_000 });
    const refused = { status: 403, body: { code: 'account_disabled', detail: DISABLED } };
    expect(await call(at(), { path: '/rooms', key: owner.key })).toMatchObject(refused);
    const link = { method: 'POST', path: '/link', body: { email: 'anna@example.org', name: 'other' } };
    expect(await call(at(), link)).toMatchObject(refused);
    expect((await accept(guest, open, invite)).status).toBe(410);
    expect((await fetch(invite)).status).toBe(404);
    // Who shares the room with it goes on.
    expect((await call(at(), { path: `/rooms/${room}/members`, key: guest.key })).status).toBe(200);

    await run('enable', 'anna@example.org');
    expect((await call(at(), { path: '/rooms', key: owner.key })).body).toMatchObject({
      rooms: [{ id: room, head: 1 }],
    });
    expect((await fetch(invite)).status).toBe(200);
    const back = await connect(at(), owner);
    await back.next('welcome');
    back.close();
  });

  test('deleting says first what goes with it', async () => {
    const { owner, guest, room } = await team();
    const [mine, theirs] = await Promise.all([connect(at(), owner), connect(at(), guest)]);
    await Promise.all([mine.next('welcome'), theirs.next('welcome')]);
    theirs.send({ type: 'subscribe', room, logId: '', cursor: 0, hash: new Uint8Array() });
    await theirs.next('subscribed');
    await expect(run('delete', 'anna@example.org')).rejects.toThrow(
      /takes 1 device and 1 room with \d+ bytes, 1 of which has other members.*: bob@example\.org.*--yes/,
    );
    expect(await accounts()).toHaveLength(2);
    await run('delete', 'anna@example.org', '--yes');
    expect(await accounts()).toMatchObject([{ email: 'bob@example.org', memberships: 0 }]);
    expect(await mine.closed).toBe(4401);
    expect(await theirs.next('error')).toMatchObject({ code: 'gone', room });
    expect((await call(at(), { path: '/rooms', key: guest.key })).body).toMatchObject({ rooms: [] });
    theirs.close();
    expect(await json('rooms')).toMatchObject({ rooms: [] });
    await expect(run('account', 'anna@example.org')).rejects.toThrow('There is no account anna@example.org');
  });

  test('the same over HTTP with an operator’s key, until it is revoked', async () => {
    const { owner } = await team();
    const device = await connect(at(), owner);
    await device.next('welcome');
    const { id, key } = (await json('key', '--name', 'ops')) as { id: string; key: string };
    const ask = (path: string, method = 'GET', body?: unknown) =>
      call(origins[0] ?? '', { path: `/admin${path}`, method, key, ...(body !== undefined && { body }) });
    expect((await ask('/accounts')).body).toMatchObject({ accounts: [{ email: 'anna@example.org' }, {}] });
    expect(await ask(`/accounts/${owner.account}`, 'PATCH', { disabled: true })).toMatchObject({
      status: 200,
      body: { status: 'disabled' },
    });
    expect(await device.closed).toBe(4403);
    expect(await ask(`/accounts/${owner.account}`, 'DELETE')).toMatchObject({
      status: 409,
      body: { code: 'consent_needed' },
    });
    expect((await ask(`/accounts/${owner.account}?yes=true`, 'DELETE')).status).toBe(200);
    expect((await ask('/rooms')).body).toMatchObject({ rooms: [] });
    expect((await ask('/storage')).body).toMatchObject({ bytes: 0 });
    expect((await ask('/audit?limit=2')).body).toMatchObject({
      entries: [{ kind: 'account.deleted', by: { operator: id } }, { kind: 'account.disabled' }],
    });
    expect(await ask('/audit?kind=nothing')).toMatchObject({ status: 400 });

    // A device's key is none, and no operator's key is a device's.
    const other = await signUp(at(), 'cleo@example.org');
    expect((await call(at(), { path: '/admin/accounts', key: other.key })).status).toBe(401);
    expect((await call(at(), { path: '/rooms', key })).status).toBe(401);
    expect(await run('key', '--list')).toContain('ops');
    await run('key', '--revoke', id);
    expect((await ask('/accounts')).status).toBe(401);
  });

  test('the audit log, by account and kind', async () => {
    const { owner } = await team();
    await run('disable', owner.account);
    expect(await json('audit', '--account', 'anna@example.org', '--limit', '2')).toMatchObject({
      entries: [
        { kind: 'account.disabled', by: { operator: 'command' }, email: 'anna@example.org' },
        { kind: 'invite.made', by: { email: 'anna@example.org', device: owner.device } },
      ],
    });
    const joined = await json('audit', '--kind', 'member.joined');
    expect(joined).toMatchObject({ entries: [{ email: 'bob@example.org', role: 'viewer' }] });
    const table = await run('audit');
    expect(table).toContain('account.signed_up');
    await expect(run('audit', '--limit', '0')).rejects.toThrow('--limit must be at least 1.');
    await expect(run('audit', '--kind', 'nothing')).rejects.toThrow(
      '--kind must be one of account.signed_up',
    );
  });

  test('a mail is handed on by its link, whole', async () => {
    const linked = await signUp(at(), 'anna@example.org');
    expect(await run('outbox')).toMatch(/^N +To .*\n1 +anna@example\.org/);
    const link = await run('outbox', 'link', '1');
    const confirmed = await fetch(link.split('?')[0] ?? '', {
      method: 'POST',
      body: new URL(link).searchParams,
    });
    expect(confirmed.status).toBe(200);
    expect(await accounts()).toMatchObject([{ account: linked.account, status: 'confirmed' }]);
    expect(await json('audit', '--limit', '2')).toMatchObject({
      entries: [{ kind: 'account.confirmed' }, { kind: 'operator.mail_read' }],
    });
    await expect(run('outbox', 'link', '7')).rejects.toThrow('There is no mail 7');
  });

  test('a code lets somebody in whose devices are all lost, and nobody into a disabled account', async () => {
    const { owner } = await team();
    for (const number of ['1', '2']) {
      const token = new URL((await run('outbox', 'link', number)).trim()).searchParams.get('token');
      await call(at(), { method: 'POST', path: '/auth/confirm', body: { token } });
    }
    const claim = (code: string) =>
      call(at(), {
        method: 'POST',
        path: '/recover/claim',
        body: { email: 'anna@example.org', secret: 'a'.repeat(43), code, name: 'new laptop' },
      });
    await run('disable', 'anna@example.org');
    await expect(run('recover', 'anna@example.org')).rejects.toThrow(DISABLED);
    await run('enable', 'anna@example.org');
    await expect(run('recover', 'nobody@example.org')).rejects.toThrow('No account here');
    const { code } = (await json('recover', 'anna@example.org')) as { code: string };
    expect((await claim(code)).body).toMatchObject({ status: 'linked', account: owner.account });
    expect((await claim(code)).status).toBe(410);
    await expect.poll(async () => (await call(at(), { path: '/rooms', key: owner.key })).status).toBe(401);
    expect(await run('audit', '--kind', 'account.recovered')).toContain('anna@example.org');
  });

  test('as a program of its own', () => {
    const main = path.join(import.meta.dirname, '../main.ts');
    const ran = (...args: string[]) => {
      const options = {
        env: { PATH: process.env['PATH'], RELAY_HOME: home, ...env },
        encoding: 'utf8' as const,
      };
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'admin', ...args], options);
      return { status, stdout, stderr };
    };
    expect(ran('accounts', '--json')).toEqual({ status: 0, stdout: '{\n  "accounts": []\n}\n', stderr: '' });
    const refused = ran('delete');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain('`admin delete` takes an e-mail address.');
  });
});

test.each([
  [['nothing'], 'There is no command nothing.'],
  [[], 'npm run relay -- admin COMMAND'],
  [['account'], '`admin account` takes an e-mail address.'],
  [['rooms', '--yes'], '`admin rooms` has no option --yes.'],
  [['rooms', '--wrong'], "Unknown option '--wrong'"],
])('of %j it says what is wrong, and how it is used', async (args, words) => {
  const refusal = admin(readConfig({ RELAY_HOME: '/nowhere' }), args);
  await expect(refusal).rejects.toThrow(words);
  await expect(refusal).rejects.toThrow('disable E-MAIL');
});

test('it makes no database where there is none', async () => {
  const { home, remove } = temporaryHome();
  await expect(admin(readConfig({ RELAY_HOME: home }), ['accounts'])).rejects.toThrow('There is no database');
  const url = await postgres.database();
  await expect(admin(readConfig({ RELAY_HOME: home, RELAY_DATABASE_URL: url }), ['rooms'])).rejects.toThrow(
    'The database is of an older relay',
  );
  remove();
});
