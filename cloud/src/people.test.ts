import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endAccount } from './accounts/accounts.store.ts';
import { createQuotas } from './quotas.ts';
import { handOver as handOverRoom, leaveRoom } from './sharing.service.ts';
import {
  call,
  connect,
  type Linked,
  openRoom,
  pair,
  signUp,
  type TestDevice,
  updateEntry,
} from './testing/device.ts';
import { joinNotes, type NoteClient } from './testing/note-client.ts';
import { startRelay, type TestRelay } from './testing/relay.ts';

const DAY = 86_400_000;

let relay: TestRelay;
let owner: Linked;
let guest: Linked;
let room: string;
let devices: TestDevice[];
let clients: NoteClient[];

beforeEach(async () => {
  devices = [];
  clients = [];
  relay = await startRelay({ RELAY_QUOTA_MB: '2', RELAY_PROVISIONAL_QUOTA_MB: '1' });
  owner = await signUp(relay.origin, 'owner@example.org');
  guest = await signUp(relay.origin, 'guest@example.org');
  room = await openRoom(relay.origin, owner, 'team');
});
afterEach(async () => {
  for (const device of devices) device.socket.terminate();
  for (const client of clients) client.leave();
  await relay.stop();
});

/** Asks as somebody, `what` being a method and a path. */
function ask(by: Linked, what: string, body?: unknown) {
  const [method = '', path = ''] = what.split(' ');
  return call(relay.origin, { method, path, key: by.key, body });
}

/** Makes an invite; `use` joins by it. */
async function invite(wanted: { role: 'viewer' | 'editor'; uses?: number; email?: string }, by = owner) {
  const { body } = await ask(by, `POST /rooms/${room}/invites`, wanted);
  const { pathname, hash } = new URL(String(body['invite']));
  const id = pathname.split('/').at(-1) ?? '';
  return {
    id,
    use: (who: Linked) =>
      ask(who, `POST /invites/${id}/accept`, { secret: hash.slice(1), name: `theirs of ${who.account}` }),
  };
}

const letIn = async (role: 'viewer' | 'editor', who = guest) => (await invite({ role })).use(who);
const openInvites = async (by = owner) =>
  ((await ask(by, `GET /rooms/${room}/invites`)).body['invites'] as unknown as { id: string }[]).map(
    ({ id }) => id,
  );
const rolesOf = async (by: Linked) =>
  (
    (await ask(by, `GET /rooms/${room}/members`)).body['members'] as unknown as {
      email: string;
      role: string;
    }[]
  )
    .map(({ email, role }) => `${email.split('@')[0]} ${role}`)
    .sort();

/** Presses the button in the mail of an account. */
async function confirm(): Promise<void> {
  for (const link of relay.links())
    await ask(owner, 'POST /auth/confirm', { token: new URL(link).searchParams.get('token') });
}

async function enter(who: Linked): Promise<TestDevice> {
  const device = await connect(relay.origin, who);
  devices.push(device);
  device.send({ type: 'subscribe', room, logId: '', cursor: 0, hash: new Uint8Array() });
  await device.next('subscribed');
  return device;
}
function joined(who: Linked): NoteClient {
  const client = joinNotes(relay.origin, who, { room });
  clients.push(client);
  return client;
}
const append = (device: TestDevice, n: number, size?: number) =>
  device.send({ type: 'append', room, epoch: 0, incarnation: 'inc', entries: [updateEntry(n, size)] });
/** What the relay itself does all this with. */
const depsOf = () => ({
  records: relay.records,
  log: relay.updates,
  now: () => relay.clock.now(),
  quotas: createQuotas({ RELAY_QUOTA_MB: 1, RELAY_PROVISIONAL_QUOTA_MB: 1 }, relay),
  changed: async () => undefined,
});
const bytesOf = async (who: Linked) => Number((await ask(who, 'GET /account')).body['bytes']);

describe('a role that changes', () => {
  const change = (role: string) => ask(owner, `PATCH /rooms/${room}/members/${guest.account}`, { role });

  test('voids the invites that would give it back, and says how many; those to read go on', async () => {
    await letIn('editor');
    const read = await invite({ role: 'viewer' });
    await invite({ role: 'editor' });
    await invite({ role: 'editor' });
    expect((await change('editor')).body).toMatchObject({ invites_ended: 0 });
    expect((await change('viewer')).body).toMatchObject({ invites_ended: 2 });
    expect(await openInvites()).toEqual([read.id]);
    expect((await change('viewer')).body).toMatchObject({ invites_ended: 0 });
    expect((await change('editor')).body).toMatchObject({ invites_ended: 0 });
    expect(await openInvites()).toEqual([read.id]);
    const removed = await ask(owner, `DELETE /rooms/${room}/members/${guest.account}`);
    expect(removed.body).toMatchObject({ invites_ended: 1 });
    expect((await read.use(guest)).status).toBe(410);
  });

  test('is told to who has the shared document open: what was dropped is said again, and what is written later is dropped', async () => {
    await letIn('viewer');
    const [mine, theirs] = [joined(owner), joined(guest)];
    mine.write('mine');
    await expect.poll(() => theirs.text()).toBe('mine');
    theirs.write(', dropped');
    mine.write('!');
    await expect.poll(() => theirs.text()).toContain('!');
    expect(mine.text()).toBe('mine!');
    await change('editor');
    await expect.poll(() => mine.text()).toContain('dropped');
    const denied = new Promise((resolve) => {
      theirs.provider.messageHandlers[2] = () => resolve('told');
    });
    await change('viewer');
    expect(await denied).toBe('told');
    theirs.write(' and more');
    mine.write('?');
    await expect.poll(() => theirs.text()).toContain('?');
    expect(mine.text()).not.toContain('and more');
    expect(theirs.cuts() + mine.cuts()).toBe(0);
  });
});

describe('an invite', () => {
  test('that is bound to an address lets in the account that confirmed it, and nobody else', async () => {
    const { id, use } = await invite({ role: 'editor', email: ' Guest@Example.org ' });
    const other = await signUp(relay.origin, 'other@example.org');
    const refused = await use(other);
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden_scope' } });
    expect(JSON.stringify(refused.body)).not.toContain('guest');
    expect(await use(guest)).toMatchObject({ status: 403, body: { code: 'forbidden_scope' } });
    const { body } = await ask(owner, `GET /rooms/${room}/invites`);
    expect(body['invites']).toMatchObject([{ id, role: 'editor', uses_left: 1, email: 'guest@example.org' }]);
    await confirm();
    expect((await use(other)).status).toBe(403);
    expect(await use(guest)).toMatchObject({ status: 200, body: { role: 'editor' } });
    expect(await openInvites()).toEqual([]);
    const wrong = await ask(owner, `POST /rooms/${room}/invites`, { role: 'viewer', email: 'nobody' });
    expect(wrong.status).toBe(400);
  });

  test('of an owner who may not enter any more lets nobody in', async () => {
    const { use } = await invite({ role: 'viewer' });
    // Nobody confirmed the owner: its devices are shut out, its rooms go a week later.
    relay.clock.advance(7 * DAY);
    const late = await signUp(relay.origin, 'late@example.org');
    expect((await use(late)).status).toBe(410);
  });
});

describe('a room that is handed over', () => {
  const handOver = (to: Linked, then?: 'leave', by = owner) =>
    ask(by, `PUT /rooms/${room}/owner`, { member: to.account, ...(then && { then }) });

  test('is the new owner’s at once: roles, space, invites, also on what is open', async () => {
    await confirm();
    await letIn('viewer');
    const before = await invite({ role: 'editor', uses: 5 });
    const [mine, theirs] = [await enter(owner), await enter(guest)];
    const [note] = [joined(owner)];
    append(mine, 1, 300_000);
    await mine.next('ack');
    note.write('x'.repeat(200_000));
    await expect.poll(() => bytesOf(owner)).toBeGreaterThan(500_000);
    expect((await handOver(guest, undefined, guest)).status).toBe(403);
    expect(await handOver(guest)).toMatchObject({ status: 200, body: { invites_ended: 1 } });
    expect((await mine.next('role')).role).toBe('editor');
    expect((await theirs.next('role')).role).toBe('owner');
    expect(await rolesOf(guest)).toEqual(['guest owner', 'owner editor']);
    expect(await bytesOf(owner)).toBe(0);
    expect(await bytesOf(guest)).toBeGreaterThan(500_000);
    // What is written on, on the connections that were open, takes the space of who owns it now.
    append(mine, 2, 300_000);
    await mine.next('ack');
    note.write('y'.repeat(200_000));
    await expect.poll(() => bytesOf(guest)).toBeGreaterThan(1_000_000);
    expect(await bytesOf(owner)).toBe(0);
    const quotas = createQuotas({ RELAY_QUOTA_MB: 1, RELAY_PROVISIONAL_QUOTA_MB: 1 }, relay);
    expect(await quotas.space.used(guest.account)).toBe(await bytesOf(guest));

    expect((await before.use(await signUp(relay.origin, 'third@example.org'))).status).toBe(410);
    expect((await ask(owner, `POST /rooms/${room}/invites`, { role: 'viewer' })).status).toBe(403);
    const own = await invite({ role: 'viewer' }, guest);
    expect((await own.use(await signUp(relay.origin, 'fourth@example.org'))).status).toBe(200);
    // And back.
    expect((await handOver(owner, undefined, guest)).status).toBe(200);
    expect(await bytesOf(guest)).toBe(0);
  });

  test('goes to members only, who confirmed their address and have the space for it', async () => {
    expect((await handOver(guest)).status).toBe(404);
    await letIn('editor');
    expect((await handOver(guest)).body).toMatchObject({ status: 409 });
    await confirm();
    const full = await openRoom(relay.origin, guest, 'full');
    const device = await connect(relay.origin, guest);
    devices.push(device);
    for (const n of [1, 2, 3]) {
      device.send({
        type: 'append',
        room: full,
        epoch: 0,
        incarnation: 'inc',
        entries: [updateEntry(n, 600_000)],
      });
      await device.next('ack');
    }
    const mine = await enter(owner);
    append(mine, 1, 500_000);
    await mine.next('ack');
    expect(await handOver(guest)).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } });
    expect(await rolesOf(owner)).toEqual(['guest editor', 'owner owner']);
    await ask(guest, `DELETE /rooms/${full}`);
    expect((await handOver(guest, 'leave')).status).toBe(200);
    expect(await rolesOf(guest)).toEqual(['guest owner']);
    expect(await mine.next('error')).toMatchObject({ code: 'gone', room });
  });

  test('has one owner, whoever hands it to whom at the same time, or leaves', async () => {
    await confirm();
    await letIn('editor');
    const other = await signUp(relay.origin, 'other@example.org');
    await letIn('editor', other);
    await confirm();
    for (let round = 0; round < 6; round += 1) {
      const [by] = await ownersOf();
      const others = [owner, guest, other].filter(({ account }) => account !== by?.account);
      await Promise.all(others.map((to) => handOver(to, undefined, by)));
      expect(await ownersOf()).toHaveLength(1);
    }
    const [by] = await ownersOf();
    const [to] = [owner, guest, other].filter(({ account }) => account !== by?.account);
    await Promise.all([
      handOver(to ?? guest, 'leave', by),
      ask(by ?? owner, `DELETE /rooms/${room}/members/${to?.account}`),
    ]);
    expect(await ownersOf()).toHaveLength(1);
    const rows = await relay.rows<{ owner: string }>('SELECT owner FROM rooms');
    expect(rows.map((row) => row.owner)).toEqual((await ownersOf()).map(({ account }) => account));

    async function ownersOf(): Promise<Linked[]> {
      const found = await relay.rows<{ account: string }>("SELECT account FROM members WHERE role = 'owner'");
      return [owner, guest, other].filter(({ account }) => found.some((row) => row.account === account));
    }
  });

  test('is not ended by who leaves it as a member, and owns it by now', async () => {
    await confirm();
    await letIn('editor');
    expect((await handOver(guest)).status).toBe(200);
    const refused = await ask(guest, `DELETE /rooms/${room}?as=member`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await rolesOf(owner)).toEqual(['guest owner', 'owner editor']);
    const left = await ask(owner, `DELETE /rooms/${room}?as=member`);
    expect(left).toMatchObject({ status: 200, body: { deleted: false } });
  });

  test('is nobody’s to take, or to join, while its owner ends it', async () => {
    await confirm();
    await letIn('editor');
    const late = await signUp(relay.origin, 'late@example.org');
    const { use } = await invite({ role: 'viewer', uses: 5 });
    const statuses: number[] = [];
    const log = {
      ...relay.updates,
      async remove(name: string) {
        statuses.push((await handOver(guest, 'leave')).status, (await use(late)).status);
        await relay.updates.remove(name);
      },
    };
    expect(await leaveRoom({ ...depsOf(), log }, { id: room }, owner)).toBe(true);
    expect(statuses).toEqual([404, 410]);
    expect(await relay.rows('SELECT room FROM members')).toEqual([]);
  });

  test('is handed to nobody by an account that has ended', async () => {
    await confirm();
    await letIn('editor');
    await relay.records.write(() => endAccount(owner.account));
    const { account: by, device } = owner;
    const handing = handOverRoom(depsOf(), { room, by, device, to: guest.account }, 'stay');
    await expect(handing).rejects.toMatchObject({ code: 'gone' });
    expect(await rolesOf(guest)).toEqual(['guest editor', 'owner owner']);
  });

  test('an account that owns rooms of others is deleted only where that was said', async () => {
    await letIn('viewer');
    const device = await enter(guest);
    const refused = await ask(owner, 'DELETE /account');
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(String(refused.body['detail'])).toContain('"team"');
    expect((await ask(owner, 'DELETE /account?shared=end')).status).toBe(200);
    expect(await device.next('error')).toMatchObject({ code: 'gone', room });
    expect((await ask(guest, 'DELETE /account')).status).toBe(200);
  });
});

test('with a device that is shut out go the links that it may know, those for an e-mail address stay, and nothing goes where one leaves by itself', async () => {
  const lost = await pair(relay.origin, owner, 'lost');
  const left = await pair(relay.origin, owner, 'left');
  const link = await invite({ role: 'editor', uses: 2 }, lost);
  const bound = await invite({ role: 'viewer', email: 'guest@example.org' }, lost);
  // Of a room of somebody else nothing goes, though this account is in it.
  const theirs = await openRoom(relay.origin, guest, 'theirs');
  await ask(guest, `POST /rooms/${theirs}/invites`, { role: 'viewer' });

  const gone = await ask(left, `DELETE /devices/${left.device}`);
  expect(gone.body).toMatchObject({ success: true, invites_ended: 0 });
  expect(await openInvites()).toHaveLength(2);

  const cut = await ask(owner, `DELETE /devices/${lost.device}`);
  expect([cut.status, cut.body['invites_ended']]).toEqual([200, 1]);
  expect(await openInvites()).toEqual([bound.id]);
  expect((await link.use(guest)).status).toBe(410);
  const { body } = await ask(guest, `GET /rooms/${theirs}/invites`);
  expect(body['invites']).toHaveLength(1);
});
