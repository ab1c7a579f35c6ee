import { isPresentBetween } from '@reverie/shared/protocol/epoch-number';
import { bodyHash, entryHash, NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Message, NewEntry } from '@reverie/shared/protocol/messages';
import { participantLimits } from '@reverie/shared/protocol/participant-limits';
import { RECORD_BUCKET } from '@reverie/shared/protocol/version';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SLOW_ABOVE } from './connection.ts';
import { createParticipants } from '../rooms/participants.ts';
import { countWritten } from '../rooms/participants.store.ts';
import {
  call,
  connect,
  type Linked,
  openRoom,
  pair,
  readAll,
  signUp,
  type TestDevice,
  updateEntry,
} from '../testing/device.ts';
import { startRelay, type TestRelay } from '../testing/relay.ts';

let relay: TestRelay;
let first: Linked;
let room: string;
let open: TestDevice[];

async function begin(env: Record<string, string> = {}): Promise<void> {
  relay = await startRelay(env);
  first = await signUp(relay.origin, 'a@example.org');
  room = await openRoom(relay.origin, first, 'default');
}
beforeEach(async () => {
  open = [];
  await begin();
});
afterEach(async () => {
  for (const device of open) device.socket.terminate();
  await relay.stop();
});

async function enter(linked: Linked, incarnation = 'inc'): Promise<TestDevice> {
  const device = await connect(relay.origin, linked, { incarnation });
  open.push(device);
  return device;
}
const append = (device: TestDevice, entries: NewEntry[], more: { epoch?: number; room?: string } = {}) =>
  device.send({
    type: 'append',
    room: more.room ?? room,
    epoch: more.epoch ?? 0,
    incarnation: 'inc',
    entries,
  });
const subscribe = (device: TestDevice, more: Partial<Extract<Message, { type: 'subscribe' }>> = {}) =>
  device.send({ type: 'subscribe', room, logId: '', cursor: 0, hash: new Uint8Array(), ...more });

describe('hello', () => {
  test('is answered with the log and the clock', async () => {
    const device = await enter(first);
    expect(await device.next('welcome')).toMatchObject({
      logId: relay.updates.logId,
      account: first.account,
      now: relay.clock.now(),
    });
  });

  test('of another device, of no version that is spoken, or not at all, ends the connection in so many words', async () => {
    const codes = async (options: { device?: string; version?: number }) =>
      (await connect(relay.origin, first, options)).closed;
    expect(await codes({ device: 'dev_other' })).toBe(4401);
    expect(await codes({ version: 99 })).toBe(4426);
    const rude = await enter(first);
    await rude.next('welcome');
    rude.socket.send(Uint8Array.of(0, 1, 2));
    expect(await rude.closed).toBe(4400);
    const wordy = await enter(first);
    await wordy.next('welcome');
    wordy.socket.send('text');
    expect(await wordy.closed).toBe(4400);
    const long = await enter(first);
    await long.next('welcome');
    long.socket.send(new Uint8Array(1024 * 1024 + 1));
    // What ws itself refuses: the frame is not even read.
    expect(await long.closed).toBe(1009);
  });
});

describe('the log of a room', () => {
  test('is read from the start, then live, by all devices, and acknowledged to the one', async () => {
    const second = await pair(relay.origin, first);
    const [writer, reader] = [await enter(first), await enter(second)];
    append(writer, [updateEntry(1), updateEntry(2)]);
    expect((await writer.next('ack')).acks).toEqual([
      { n: 1, seq: 1 },
      { n: 2, seq: 2 },
    ]);
    const past = await readAll(reader, room, 2);
    append(writer, [updateEntry(3)]);
    const { entries, hash, head } = await reader.next('entries');
    expect(head).toBe(3);
    let chained = NO_HASH;
    for (const entry of [...past, ...entries]) chained = entryHash(chained, room, entry);
    expect(Buffer.from(hash).equals(chained)).toBe(true);
    expect([...past, ...entries].map(({ n, device }) => [n, device])).toEqual(
      [1, 2, 3].map((n) => [n, first.device]),
    );
  });

  test('goes on where a device ended; another history is told and read from the start', async () => {
    const device = await enter(first);
    const { logId } = await device.next('welcome');
    append(
      device,
      [1, 2, 3].map((n) => updateEntry(n)),
    );
    await device.next('ack');
    const hash = (await relay.updates.hashAt(room, 2)) ?? NO_HASH;
    const outcome = async (more: Partial<Extract<Message, { type: 'subscribe' }>>) => {
      subscribe(device, more);
      const { outcome: told, from } = await device.next('subscribed');
      const { entries } = await device.next('entries');
      return [told, from, entries[0]?.seq];
    };
    expect(await outcome({ logId, cursor: 2, hash })).toEqual(['resume', 2, 3]);
    expect(await outcome({ logId: 'log_other', cursor: 2, hash })).toEqual(['resync', 0, 1]);
    expect(await outcome({ logId, cursor: 2, hash: new Uint8Array(32) })).toEqual(['resync', 0, 1]);
    expect(await outcome({ logId, cursor: 9, hash })).toEqual(['resync', 0, 1]);
  });

  test('has an entry once, however often it is sent, and always answers the same', async () => {
    const device = await enter(first);
    for (let times = 0; times < 3; times += 1) append(device, [updateEntry(7)]);
    append(device, [updateEntry(8)]);
    await device.next('ack', ({ acks }) => acks.some(({ n }) => n === 8));
    const acks = device.got.flatMap((message) => (message.type === 'ack' ? message.acks : []));
    expect(acks).toEqual([...Array.from({ length: 3 }, () => ({ n: 7, seq: 1 })), { n: 8, seq: 2 }]);
    expect((await relay.updates.state(room))?.head).toBe(2);
  });

  test('takes messages of many frames', async () => {
    const device = await enter(first);
    append(device, [updateEntry(1, 3 * 1024 * 1024)]);
    await device.next('ack');
    const [entry] = await readAll(device, room, 1);
    expect(entry?.kind === 'update' && entry.body.length).toBeGreaterThan(3 * 1024 * 1024);
  });

  test('refuses one by one what is no update, is from the future, of another epoch or too much, and takes the rest', async () => {
    const device = await enter(first);
    const future = relay.clock.now() + 600_001;
    append(device, [
      updateEntry(1),
      { kind: 'update', n: 2, at: 1, bucket: 0, enc: false, body: Uint8Array.of(9, 9, 9) },
      { kind: 'update', n: 3, at: 1, bucket: 0, enc: true, body: Uint8Array.of(9, 9, 9) },
      { ...updateEntry(4), at: future },
      { kind: 'clear', n: 5, at: 1, clearedBefore: { ms: future, counter: 0 } },
    ]);
    expect((await device.next('ack')).acks.map(({ n }) => n)).toEqual([1, 3]);
    const refused = [await device.next('error'), await device.next('error'), await device.next('error')];
    expect(refused.map(({ code, entry }) => [code, entry?.n])).toEqual([
      ['invalid', 2],
      ['clock_ahead', 4],
      ['clock_ahead', 5],
    ]);
    append(device, [updateEntry(6)], { epoch: 1 });
    expect(await device.next('error')).toMatchObject({ code: 'stale_epoch', entry: { n: 6 } });
  });

  test('takes objects in JSON for records, and refuses each thing else that says it is one', async () => {
    const device = await enter(first);
    const record = (n: number, text: string | Uint8Array): NewEntry => ({
      kind: 'update',
      n,
      at: 1,
      bucket: RECORD_BUCKET,
      enc: false,
      body: typeof text === 'string' ? new TextEncoder().encode(text) : text,
    });
    const update = updateEntry(6);
    append(device, [
      record(1, '{"v":1,"type":"gone","items":[]}'),
      record(2, 'no JSON'),
      record(3, '[]'),
      record(4, 'null'),
      record(5, '"text"'),
      // A part of a document is no record, though it can be read as one of those.
      record(6, update.kind === 'update' ? update.body : ''),
      record(7, Uint8Array.of(0x7b, 0xff, 0x7d)),
      record(8, '{}'),
    ]);
    expect((await device.next('ack')).acks.map(({ n }) => n)).toEqual([1, 8]);
    const refused = [];
    for (let n = 2; n <= 7; n += 1) refused.push(await device.next('error'));
    expect(refused.map(({ code, entry }) => [code, entry?.n])).toEqual(
      [2, 3, 4, 5, 6, 7].map((n) => ['invalid', n]),
    );
  });

  test('stops at the quota of its owner, and stays readable', async () => {
    await relay.stop();
    await begin({ RELAY_PROVISIONAL_QUOTA_MB: '1' });
    const device = await enter(first);
    append(device, [updateEntry(1, 900_000)]);
    await device.next('ack');
    append(device, [updateEntry(2, 200_000)]);
    expect(await device.next('error')).toMatchObject({ code: 'quota', entry: { n: 2 } });
    append(device, [updateEntry(3, 100)]);
    await device.next('ack');
    expect((await readAll(device, room, 2)).map(({ n }) => n)).toEqual([1, 3]);
  });

  /** Fills the space of the account but for 100 KB, and begins an epoch; what a snapshot of bucket 1 may stand in place of. */
  async function fill(): Promise<{ device: TestDevice; epoch: number }> {
    await relay.stop();
    await begin({ RELAY_PROVISIONAL_QUOTA_MB: '1' });
    const device = await enter(first);
    append(device, [updateEntry(1, 900_000), updateEntry(65)]);
    await device.next('ack');
    device.send({ type: 'epoch', room, from: 0, present: false });
    const { epoch, granted } = await device.next('epochIs');
    expect(granted).toBe(true);
    append(device, [updateEntry(2, 400_000)], { epoch });
    expect(await device.next('error')).toMatchObject({ code: 'quota', entry: { n: 2 } });
    return { device, epoch };
  }
  function offer({ device, epoch }: { device: TestDevice; epoch: number }, size: number): void {
    const entry = updateEntry(1, size);
    const body = entry.kind === 'update' ? entry.body : new Uint8Array();
    const bodyHashOf = bodyHash(body);
    device.send({
      type: 'snapshot',
      room,
      bucket: 1,
      epoch,
      covers: 2,
      enc: false,
      bodyHash: bodyHashOf,
      body,
    });
  }

  test('a log that is full takes a snapshot that makes room, and what it frees counts at once', async () => {
    const full = await fill();
    const { device: one, epoch } = full;
    const two = await enter(await pair(relay.origin, first));
    await readAll(two, room, 2);
    // It would take more than it lets go.
    offer(full, 950_000);
    expect(await one.next('error')).toMatchObject({ code: 'quota', room });
    offer(full, 300_000);
    const { bodyHash: hash } = await two.next('snapshot');
    two.send({ type: 'confirm', room, bucket: 1, covers: 2, bodyHash: hash });
    two.send({ type: 'epoch', room, from: 9, present: false });
    await two.next('epochIs');
    append(one, [updateEntry(2, 400_000)], { epoch });
    await one.next('ack', ({ acks }) => acks.some(({ n }) => n === 2));
  });

  test('what nobody confirms frees room, too, when its time is over; and what is left of old entries shrinks', async () => {
    const full = await fill();
    const { device, epoch } = full;
    append(device, [updateEntry(3, 10)], { epoch });
    await device.next('ack', ({ acks }) => acks.some(({ n }) => n === 3));
    offer(full, 300_000);
    // What follows on the same connection is handled after it.
    device.send({ type: 'epoch', room, from: 9, present: false });
    await device.next('epochIs', ({ granted }) => !granted);
    const used = async () =>
      Number((await call(relay.origin, { path: '/account', key: first.key })).body['bytes']);
    const before = await used();
    expect(before).toBeGreaterThan(1_200_000);
    await relay.rows('UPDATE log_snapshots SET at = 0');
    relay.clock.advance(60_000);
    await expect.poll(used).toBeLessThan(400_000);
    const rows = () =>
      Promise.all(
        ['log_entries', 'log_hashes'].map(
          async (table) => (await relay.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n,
        ),
      );
    await expect.poll(rows).toEqual([1, 2]);
    // A device that had read up to there goes on from there.
    const late = await enter(await pair(relay.origin, first, 'late'));
    const hash = (await relay.updates.hashAt(room, 2)) ?? new Uint8Array();
    subscribe(late, { logId: relay.updates.logId, cursor: 2, hash: Uint8Array.from(hash) });
    expect(await late.next('subscribed')).toMatchObject({ outcome: 'resume', from: 2, epoch });
    append(late, [updateEntry(2, 400_000)], { epoch });
    await late.next('ack');
  });

  test('begins an epoch for one of those who ask, and tells the others', async () => {
    const [one, two] = [await enter(first), await enter(await pair(relay.origin, first))];
    for (const device of [one, two]) {
      subscribe(device);
      await device.next('subscribed');
    }
    one.send({ type: 'epoch', room, from: 0, present: false });
    const { epoch, granted } = await one.next('epochIs');
    expect([granted, isPresentBetween(0, epoch)]).toEqual([true, false]);
    expect(await two.next('epochIs')).toMatchObject({ epoch, granted: false });
    two.send({ type: 'epoch', room, from: 0, present: false });
    expect(await two.next('epochIs')).toMatchObject({ epoch, granted: false });
    two.send({ type: 'epoch', room, from: epoch, present: true });
    const present = await two.next('epochIs', (told) => told.granted);
    expect(isPresentBetween(epoch, present.epoch)).toBe(true);
  });

  test('lets entries go for a snapshot that a second device confirmed, and gives it to who comes later', async () => {
    const [one, two] = [await enter(first), await enter(await pair(relay.origin, first))];
    append(
      one,
      [1, 65, 2].map((n) => updateEntry(n)),
    );
    await one.next('ack');
    await readAll(two, room, 3);
    const entry = updateEntry(1);
    const body = entry.kind === 'update' ? entry.body : new Uint8Array();
    const snapshot = { room, bucket: 1, epoch: 0, covers: 2, enc: false, bodyHash: bodyHash(body), body };
    // Nobody could read it, once it stood in the place of entries.
    const broken = new Uint8Array([9, 9, 9]);
    one.send({ type: 'snapshot', ...snapshot, body: broken, bodyHash: bodyHash(broken) });
    expect(await one.next('error')).toMatchObject({ code: 'invalid', room });
    one.send({ type: 'snapshot', ...snapshot });
    const offered = await two.next('snapshot');
    expect(offered).toMatchObject({ bucket: 1, covers: 2 });
    two.send({ type: 'confirm', room, bucket: 1, covers: 2, bodyHash: offered.bodyHash });
    // What follows on the same connection is handled after it.
    two.send({ type: 'epoch', room, from: 9, present: false });
    await two.next('epochIs');
    const late = await enter(await pair(relay.origin, first, 'late'));
    expect((await readAll(late, room, 3)).map(({ seq }) => seq)).toEqual([3]);
    expect(await late.next('snapshot')).toMatchObject({ bucket: 1, covers: 2 });
  });
});

describe('sharing', () => {
  const post = (path: string, body: unknown, key: string) =>
    call(relay.origin, { method: 'POST', path, body, key });

  /** Two entries, an epoch that begins with what there is then alone, and entries in it. */
  async function beginAnew(device: TestDevice, entries: NewEntry[]): Promise<number> {
    append(device, [updateEntry(1), updateEntry(65)]);
    await device.next('ack');
    device.send({ type: 'epoch', room, from: 0, present: true });
    const { epoch } = await device.next('epochIs');
    append(device, entries, { epoch });
    await device.next('ack');
    return epoch;
  }

  test('by an invite from where an epoch begins so, and from nowhere else; nobody lets others read more than they may themselves', async () => {
    const device = await enter(first);
    const invite = (since: number, by = first) =>
      post(`/rooms/${room}/invites`, { role: 'editor', since }, by.key);
    append(device, [updateEntry(7)]);
    await device.next('ack');
    // Nothing has begun yet, wherever that may be.
    expect((await invite(1)).status).toBe(409);
    await beginAnew(device, [updateEntry(3), updateEntry(4)]);
    for (const since of [1, 2, 4, 5, 6]) {
      const { status, body } = await invite(since);
      expect([status, body['code']]).toEqual([409, 'conflict']);
      expect(body['detail']).toContain(`since is ${since}, and it is 0, for the whole log, or 3,`);
    }
    const accept = async (made: Awaited<ReturnType<typeof invite>>, by: Linked) => {
      const { pathname, hash } = new URL(String(made.body['invite']));
      await post(
        `/invites/${pathname.split('/').at(-1)}/accept`,
        { secret: hash.slice(1), name: by.account },
        by.key,
      );
    };
    const [guest, next] = [
      await signUp(relay.origin, 'guest@example.org'),
      await signUp(relay.origin, 'next@example.org'),
    ];
    await accept(await invite(3), guest);
    // An editor invites nobody, from wherever.
    for (const since of [0, 3]) expect((await invite(since, guest)).status).toBe(403);
    for (const link of relay.links())
      await post('/auth/confirm', { token: new URL(link).searchParams.get('token') }, first.key);
    const handed = await call(relay.origin, {
      method: 'PUT',
      path: `/rooms/${room}/owner`,
      key: first.key,
      body: { member: guest.account },
    });
    expect(handed.status).toBe(200);
    // Whoever came by an invite gives the log from there on, when they ask for the whole of it, too.
    await accept(await invite(0, guest), next);
    const reader = await enter(next);
    subscribe(reader);
    expect(await reader.next('subscribed')).toMatchObject({ from: 3, head: 5 });
  });

  test('by an invite from an entry on: nothing before it is read, also by who says that they were further back', async () => {
    const device = await enter(first);
    await beginAnew(device, [updateEntry(3)]);
    const made = (await post(`/rooms/${room}/invites`, { role: 'viewer', since: 2 }, first.key)).body;
    const { pathname, hash } = new URL(String(made['invite']));
    const guest = await signUp(relay.origin, 'late@example.org');
    await post(
      `/invites/${pathname.split('/').at(-1)}/accept`,
      { secret: hash.slice(1), name: 'late' },
      guest.key,
    );
    const reader = await enter(guest);
    for (const cursor of [0, 1]) {
      const known = (await relay.updates.hashAt(room, cursor)) ?? new Uint8Array();
      const told = { logId: relay.updates.logId, cursor, hash: Uint8Array.from(cursor > 0 ? known : []) };
      subscribe(reader, told);
      expect(await reader.next('subscribed')).toMatchObject({ from: 2, head: 3 });
      const { entries } = await reader.next('entries');
      expect(entries.map(({ seq }) => seq)).toEqual([3]);
    }
  });

  test('gives who came by an invite no hash of before it, nor a snapshot of before it to look at', async () => {
    const device = await enter(first);
    const epoch = await beginAnew(device, [updateEntry(2)]);
    const made = (await post(`/rooms/${room}/invites`, { role: 'editor', since: 2 }, first.key)).body;
    const { pathname, hash } = new URL(String(made['invite']));
    const guest = await signUp(relay.origin, 'late@example.org');
    const accept = { secret: hash.slice(1), name: 'late' };
    await post(`/invites/${pathname.split('/').at(-1)}/accept`, accept, guest.key);
    const hashOf = async (seq: number, by: Linked) =>
      (await call(relay.origin, { path: `/rooms/${room}/entries/${seq}/hash`, key: by.key })).body['hash'];
    expect([await hashOf(1, guest), await hashOf(2, guest)]).toEqual([null, await hashOf(2, first)]);
    expect(await hashOf(1, first)).toMatch(/^[0-9a-f]{64}$/);

    const reader = await enter(guest);
    subscribe(reader);
    await reader.next('entries');
    const entry = updateEntry(1);
    const body = entry.kind === 'update' ? entry.body : new Uint8Array();
    const snapshot = { type: 'snapshot', room, bucket: 1, epoch, enc: false, body } as const;
    device.send({ ...snapshot, covers: 2, bodyHash: bodyHash(body) });
    device.send({ ...snapshot, covers: 3, bodyHash: bodyHash(body) });
    await reader.next('snapshot', ({ covers }) => covers === 3);
    expect(reader.got.filter(({ type }) => type === 'snapshot')).toMatchObject([{ covers: 3 }]);
    // Nor has it others begin anew with what there is now: that lets go of what they may want.
    reader.send({ type: 'epoch', room, from: epoch, present: true });
    expect(await reader.next('error')).toMatchObject({ code: 'forbidden', room });
    expect((await relay.updates.state(room))?.epoch).toBe(epoch);
  });

  test('by an invite: a viewer reads and may not write; an editor may; who is removed does neither', async () => {
    const guest = await signUp(relay.origin, 'guest@example.org');
    const made = (await post(`/rooms/${room}/invites`, { role: 'viewer' }, first.key)).body;
    const { pathname, hash } = new URL(String(made['invite']));
    const accept = { secret: hash.slice(1), name: 'theirs' };
    const path = `/invites/${pathname.split('/').at(-1)}/accept`;
    expect((await post(path, { ...accept, secret: 'wrong' }, guest.key)).status).toBe(410);
    expect((await post(path, accept, guest.key)).body).toMatchObject({
      id: room,
      role: 'viewer',
      name: 'theirs',
    });
    const third = await signUp(relay.origin, 'third@example.org');
    expect((await post(path, accept, third.key)).status).toBe(410);

    const [owner, viewer] = [await enter(first), await enter(guest)];
    append(owner, [updateEntry(1)]);
    expect(await readAll(viewer, room, 1)).toHaveLength(1);
    append(viewer, [updateEntry(2)]);
    expect(await viewer.next('error')).toMatchObject({ code: 'forbidden', room, entry: { n: 2 } });
    const member = `/rooms/${room}/members/${guest.account}`;
    expect(
      (await call(relay.origin, { method: 'PATCH', path: member, key: guest.key, body: { role: 'editor' } }))
        .status,
    ).toBe(403);
    await call(relay.origin, { method: 'PATCH', path: member, key: first.key, body: { role: 'editor' } });
    expect((await viewer.next('role', ({ role }) => role === 'editor')).room).toBe(room);
    append(viewer, [updateEntry(3)]);
    expect((await viewer.next('ack')).acks).toEqual([{ n: 3, seq: 2 }]);

    await call(relay.origin, { method: 'DELETE', path: member, key: first.key });
    expect(await viewer.next('error', ({ entry }) => !entry)).toMatchObject({ code: 'gone', room });
    append(viewer, [updateEntry(4)]);
    expect(await viewer.next('error')).toMatchObject({ code: 'gone', entry: { n: 4 } });
    append(owner, [updateEntry(5)]);
    await owner.next('ack', ({ acks }) => acks[0]?.n === 5);
    expect(
      viewer.got.flatMap((one) => (one.type === 'entries' ? one.entries : [])).map(({ n }) => n),
    ).toEqual([1, 3]);
  });

  test('who was removed, or may only read now, gets back nothing by an invite of several uses', async () => {
    const guest = await signUp(relay.origin, 'guest@example.org');
    const invited = async () => {
      const made = (await post(`/rooms/${room}/invites`, { role: 'editor', uses: 5 }, first.key)).body;
      const { pathname, hash } = new URL(String(made['invite']));
      return (key: string) =>
        post(`/invites/${pathname.split('/').at(-1)}/accept`, { secret: hash.slice(1), name: 'theirs' }, key);
    };
    const member = { path: `/rooms/${room}/members/${guest.account}`, key: first.key };
    const change = (role: string) => call(relay.origin, { ...member, method: 'PATCH', body: { role } });
    const accept = await invited();
    expect((await accept(guest.key)).body).toMatchObject({ role: 'editor' });
    // Who is raised has no reason to be kept from anything.
    await change('editor');
    expect((await accept(guest.key)).status).toBe(200);
    await change('viewer');
    expect((await accept(guest.key)).status).toBe(410);
    const again = await invited();
    expect((await again(guest.key)).body).toMatchObject({ role: 'editor' });
    await call(relay.origin, { ...member, method: 'DELETE' });
    const other = await signUp(relay.origin, 'guest-again@example.org');
    for (const { key } of [guest, other]) expect((await again(key)).status).toBe(410);
    expect((await (await invited())(guest.key)).body).toMatchObject({ role: 'editor' });
  });

  test('a guest writes so much of an hour into a room of records, while its owner and other guests write on', async () => {
    const record = (n: number, size = 2): NewEntry => ({
      kind: 'update',
      n,
      at: 1,
      bucket: RECORD_BUCKET,
      enc: false,
      body: new TextEncoder().encode('{}'.padEnd(size)),
    });
    const { hourly, noteBytes } = participantLimits;
    const owner = await enter(first);
    append(owner, [record(1)]);
    await owner.next('ack');
    const made = (await post(`/rooms/${room}/invites`, { role: 'editor', uses: 2 }, first.key)).body;
    const { pathname, hash } = new URL(String(made['invite']));
    const guests = await Promise.all(
      ['one', 'two'].map((name) => signUp(relay.origin, `${name}@example.org`)),
    );
    for (const { key } of guests)
      await post(`/invites/${pathname.split('/').at(-1)}/accept`, { secret: hash.slice(1), name: 'r' }, key);
    const [wild, calm] = [await enter(guests[0] ?? first), await enter(guests[1] ?? first)];
    const some = Array.from({ length: hourly - 10 }, (_, n) => record(n + 1));
    append(wild, [...some, record(901, 9 * noteBytes + 1), record(902), { ...updateEntry(903), n: 903 }]);
    const errors = [await wild.next('error'), await wild.next('error')];
    expect(errors.map(({ code, entry }) => [code, entry?.n])).toEqual([
      ['rate_limited', 902],
      ['rate_limited', 903],
    ]);
    expect(errors[0]?.retryAfterMs).toBeGreaterThanOrEqual(60_000);
    // Nor by another device.
    const second = await enter(await pair(relay.origin, guests[0] ?? first));
    append(second, [record(904)]);
    expect(await second.next('error')).toMatchObject({ code: 'rate_limited', entry: { n: 904 } });
    for (const device of [owner, calm]) {
      append(device, [record(905)]);
      await device.next('ack', ({ acks }) => acks[0]?.n === 905);
    }
    const written = await relay.records.read(() => countWritten(room, guests[0]?.account ?? ''));
    expect(written).toEqual({ ofRecords: true, notes: hourly });
    relay.clock.advance(3_600_000);
    append(wild, [record(906)]);
    await wild.next('ack', ({ acks }) => acks[0]?.n === 906);
  });

  test('a guest that wrote as much as one may is told so for good', async () => {
    const records = { read: async <T>() => ({ ofRecords: true, notes: participantLimits.total - 1 }) as T };
    const allowance = await createParticipants(records).of('room', 'account');
    const entry = { ...updateEntry(1), bucket: RECORD_BUCKET } as NewEntry;
    expect(allowance.take(entry, 0)).toBeUndefined();
    expect(allowance.take(entry, 86_400_000)).toMatchObject({ code: 'forbidden', retryAfterMs: 0 });
  });

  test('an account sees no room of another one', async () => {
    const stranger = await signUp(relay.origin, 'stranger@example.org');
    const device = await enter(stranger);
    subscribe(device);
    expect(await device.next('error')).toMatchObject({ code: 'gone', room });
    append(device, [updateEntry(1)]);
    expect(await device.next('error')).toMatchObject({ code: 'gone', entry: { n: 1 } });
    for (const path of [`/rooms/${room}/members`, `/rooms/${room}/invites`])
      expect((await call(relay.origin, { path, key: stranger.key })).status).toBe(404);
    expect((await relay.updates.state(room))?.head).toBe(0);
  });

  test('presence reaches the others in the room, named by the relay', async () => {
    const second = await pair(relay.origin, first);
    const [one, two] = [await enter(first), await enter(second)];
    for (const device of [one, two]) {
      subscribe(device);
      await device.next('subscribed');
    }
    one.send({ type: 'presence', room, device: second.device, body: Uint8Array.of(1) });
    expect(await two.next('presence')).toMatchObject({ device: first.device });
    expect(one.got.some(({ type }) => type === 'presence')).toBe(false);
  });
});

test('who takes too slowly reads the log instead: the relay keeps little for it, and it misses nothing', async () => {
  const second = await pair(relay.origin, first);
  const [writer, slow] = [await enter(first), await enter(second)];
  append(writer, [updateEntry(1)]);
  await readAll(slow, room, 1);
  slow.socket.pause();
  const size = 500_000;
  const count = 40;
  for (let n = 2; n <= count; n += 1) {
    append(writer, [updateEntry(n, size)]);
    await writer.next('ack', ({ acks }) => acks[0]?.n === n);
  }
  const metrics = await (await fetch(`${relay.origin}/metrics`)).text();
  expect(Number(/reverie_relay_slow_readers_total (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(0);
  // Far less went to it than was written: the system's buffers, what makes it slow, and a message.
  const sent = Number(/reverie_relay_sent_bytes_total (\d+)/.exec(metrics)?.[1]);
  expect(sent).toBeLessThan(count * size - 4 * SLOW_ABOVE);
  slow.socket.resume();
  const seen = [1];
  while ((seen.at(-1) ?? 0) < count) seen.push(...(await slow.next('entries')).entries.map(({ seq }) => seq));
  expect(seen).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});

test('when the disk takes nothing, nothing is acknowledged, and the device is told to come again', async () => {
  await relay.stop();
  let isFull = false;
  relay = await startRelay({}, (log) => ({
    ...log,
    append: async (batch) => {
      if (isFull) throw new Error('The disk is full');
      return log.append(batch);
    },
  }));
  first = await signUp(relay.origin, 'a@example.org');
  room = await openRoom(relay.origin, first, 'default');
  const device = await enter(first);
  append(device, [updateEntry(1)]);
  await device.next('ack');
  isFull = true;
  append(device, [updateEntry(2)]);
  expect(await device.next('error')).toMatchObject({ code: 'later', retryAfterMs: 5000 });
  expect(await device.closed).toBe(4503);
  isFull = false;
  const again = await enter(first);
  append(again, [updateEntry(2)]);
  expect((await again.next('ack')).acks).toEqual([{ n: 2, seq: 2 }]);
});

test('a room that is listed can be read from that moment on, however slow the disk is: a device that was told it is gone would leave it for good', async () => {
  await relay.stop();
  relay = await startRelay({}, (log) => ({
    ...log,
    async open(name) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await log.open(name);
    },
  }));
  first = await signUp(relay.origin, 'a@example.org');
  const device = await enter(await pair(relay.origin, first));
  await device.next('welcome');
  const opened = openRoom(relay.origin, first, 'team');
  const listed = async () => {
    const { body } = await call(relay.origin, { path: '/rooms', key: first.key });
    return (body['rooms'] as unknown as { id: string }[]).map(({ id }) => id);
  };
  await expect.poll(listed, { interval: 1 }).toHaveLength(1);
  [room = ''] = await listed();
  subscribe(device);
  const answer = await Promise.race([device.next('subscribed'), device.next('error')]);
  expect(answer).toMatchObject({ type: 'subscribed', room, head: 0 });
  expect(await opened).toBe(room);
});

test('a reader whose page cannot be read is told to come again, and the relay goes on', async () => {
  await relay.stop();
  let isAway = false;
  relay = await startRelay({}, (log) => ({
    ...log,
    async since(name, seq, most) {
      if (isAway) throw new Error('The database does not answer');
      return log.since(name, seq, most);
    },
  }));
  first = await signUp(relay.origin, 'a@example.org');
  room = await openRoom(relay.origin, first, 'default');
  const device = await enter(first);
  append(device, [updateEntry(1)]);
  await device.next('ack');
  isAway = true;
  subscribe(device);
  expect(await device.next('error')).toMatchObject({ code: 'later', retryAfterMs: 5000 });
  expect(await device.closed).toBe(4503);
  isAway = false;
  expect(await readAll(await enter(first), room, 1)).toHaveLength(1);
});

test('what a device adds beyond its rate is taken later, and is not lost', async () => {
  await relay.stop();
  await begin({ RELAY_ENTRIES_PER_SECOND: '20' });
  const device = await enter(first);
  const entries = Array.from({ length: 205 }, (_, n) => updateEntry(n + 1));
  append(device, entries);
  await device.next('ack');
  append(device, [updateEntry(300)]);
  await device.next('ack', ({ acks }) => acks[0]?.n === 300);
  expect((await relay.updates.state(room))?.head).toBe(206);
});

test('who is removed while they begin to read a room hears nothing more of it', async () => {
  await relay.stop();
  let meanwhile = async () => undefined as unknown;
  relay = await startRelay({}, (log) => ({
    ...log,
    async state(name) {
      const state = await log.state(name);
      const run = meanwhile;
      meanwhile = async () => undefined;
      await run();
      return state;
    },
  }));
  first = await signUp(relay.origin, 'a@example.org');
  room = await openRoom(relay.origin, first, 'default');
  const guest = await signUp(relay.origin, 'guest@example.org');
  const post = (path: string, body: unknown, key: string) =>
    call(relay.origin, { method: 'POST', path, body, key });
  const made = (await post(`/rooms/${room}/invites`, { role: 'viewer' }, first.key)).body;
  const { pathname, hash } = new URL(String(made['invite']));
  const accept = { secret: hash.slice(1), name: 'theirs' };
  await post(`/invites/${pathname.split('/').at(-1)}/accept`, accept, guest.key);
  const [owner, reader] = [await enter(first), await enter(guest)];
  const member = { path: `/rooms/${room}/members/${guest.account}`, key: first.key };
  meanwhile = () => call(relay.origin, { ...member, method: 'DELETE' });
  subscribe(reader);
  expect(await reader.next('error')).toMatchObject({ code: 'gone', room });
  append(owner, [updateEntry(1)]);
  await owner.next('ack');
  expect(reader.got.filter(({ type }) => type === 'entries')).toEqual([]);
});
