import type { Entry } from '@reverie/shared/protocol/messages';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
} from './testing/device.ts';
import { joinNotes, type NoteClient } from './testing/note-client.ts';
import { startPostgres, type TestPostgres } from './testing/postgres.ts';
import { startRelay, type TestRelay } from './testing/relay.ts';

let postgres: TestPostgres;
let nodes: TestRelay[];
let first: Linked;
let room: string;
let open: TestDevice[];
let clients: NoteClient[];

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());
beforeEach(async () => {
  open = [];
  clients = [];
  const env = { RELAY_DATABASE_URL: await postgres.database() };
  // Both at once: they bring the same empty database forward.
  nodes = await Promise.all([startRelay(env), startRelay(env)]);
  first = await signUp(at(0), 'a@example.org');
  room = await openRoom(at(0), first, 'default');
});
afterEach(async () => {
  for (const client of clients) client.leave();
  for (const device of open) device.socket.terminate();
  await Promise.all(nodes.map((node) => node.stop()));
});

const at = (node: number) => nodes[node]?.origin ?? '';

async function enter(node: number, linked: Linked, incarnation = 'inc'): Promise<TestDevice> {
  const device = await connect(at(node), linked, { incarnation });
  await device.next('welcome');
  open.push(device);
  return device;
}

async function read(device: TestDevice): Promise<void> {
  device.send({ type: 'subscribe', room, logId: '', cursor: 0, hash: new Uint8Array() });
  await device.next('subscribed');
}

const append = (device: TestDevice, numbers: readonly number[], incarnation = 'inc') =>
  device.send({
    type: 'append',
    room,
    epoch: 0,
    incarnation,
    entries: numbers.map((n) => updateEntry(n, 100)),
  });

function join(node: number, linked: Linked): NoteClient {
  const client = joinNotes(at(node), linked, { room });
  clients.push(client);
  return client;
}

const entriesOf = (device: TestDevice): Entry[] =>
  device.got.flatMap((message) => (message.type === 'entries' ? message.entries : []));

describe('two nodes on one Postgres', () => {
  test('what is written at one is told at the other, within a moment', async () => {
    const writer = await enter(0, first);
    const reader = await enter(1, await pair(at(1), first));
    await read(reader);
    append(writer, [1, 2]);
    await writer.next('ack');
    const { entries, hash } = await reader.next('entries');
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(Buffer.from(hash).equals((await nodes[0]?.updates.hashAt(room, 2)) ?? new Uint8Array())).toBe(
      true,
    );
  });

  test('16 writers in one room, at both nodes: every reader sees every entry once, in one order', async () => {
    const linked = [first];
    for (let n = 1; n < 16; n += 1) linked.push(await pair(at(n % 2), first, `writer ${n}`));
    const writers = await Promise.all(linked.map((one, n) => enter(n % 2, one, `inc${n}`)));
    const readers = await Promise.all(
      [0, 1, 0, 1].map((node, n) => enter(node, linked[n] ?? first, 'reads')),
    );
    for (const reader of readers) await read(reader);
    const rounds = 40;
    for (let round = 0; round < rounds; round += 1) {
      writers.forEach((writer, n) => append(writer, [round * 2 + 1, round * 2 + 2], `inc${n}`));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const total = 16 * rounds * 2;
    const seqs = Array.from({ length: total }, (_, n) => n + 1);
    for (const reader of readers)
      await expect.poll(() => entriesOf(reader).length, { interval: 20 }).toBe(total);
    const [one, ...others] = readers.map((reader) =>
      entriesOf(reader).map(({ device, incarnation, n }) => `${device} ${incarnation} ${n}`),
    );
    for (const reader of readers) expect(entriesOf(reader).map(({ seq }) => seq)).toEqual(seqs);
    for (const other of others) expect(other).toEqual(one);
    expect(new Set(one).size).toBe(total);
  });

  test('a member that is taken out at one node reads and writes nothing more at the other; a role counts there, too', async () => {
    const { body } = await call(at(0), {
      method: 'POST',
      path: `/rooms/${room}/invites`,
      key: first.key,
      body: { role: 'editor' },
    });
    const [invite = '', secret = ''] = String(body['invite']).split('#');
    const other = await signUp(at(1), 'b@example.org');
    const accepted = await call(at(1), {
      method: 'POST',
      path: `/invites/${invite.split('/').at(-1) ?? ''}/accept`,
      key: other.key,
      body: { secret, name: 'theirs' },
    });
    expect(accepted.status).toBe(200);
    const device = await enter(1, other);
    await read(device);
    append(device, [1]);
    await device.next('ack');
    const member = `/rooms/${room}/members/${other.account}`;
    await call(at(0), { method: 'PATCH', path: member, key: first.key, body: { role: 'viewer' } });
    expect((await device.next('role')).role).toBe('viewer');
    append(device, [2]);
    expect((await device.next('error')).code).toBe('forbidden');
    await call(at(0), { method: 'DELETE', path: member, key: first.key });
    expect((await device.next('error')).code).toBe('gone');
    append(device, [3]);
    expect((await device.next('error')).code).toBe('gone');
  });

  test('a device that is shut out at one node is cut off at the other; who is online is known at both', async () => {
    const second = await pair(at(0), first);
    const device = await enter(1, second);
    const online = async () => {
      const { body } = await call(at(0), { path: '/devices', key: first.key });
      return (body['devices'] as unknown as { id: string; online: boolean }[]).filter((one) => one.online);
    };
    await expect.poll(async () => (await online()).map(({ id }) => id)).toEqual([second.device]);
    await call(at(0), { method: 'DELETE', path: `/devices/${second.device}`, key: first.key });
    expect(await device.closed).toBe(4401);
    await expect.poll(online).toEqual([]);
  });

  test('devices are told of new rooms and devices by the other node', async () => {
    const device = await enter(1, first);
    await openRoom(at(0), first, 'another');
    await device.next('rooms');
    await pair(at(0), first, 'third');
    await device.next('rooms');
  });

  test('presence comes to who reads at the other node, and an epoch that begins, and a snapshot to look at', async () => {
    const writer = await enter(0, first);
    const reader = await enter(1, await pair(at(1), first));
    for (const one of [writer, reader]) await read(one);
    const body = new Uint8Array(4096).fill(7);
    writer.send({ type: 'presence', room, device: first.device, body });
    expect(await reader.next('presence')).toMatchObject({ room, device: first.device });
    append(writer, [64, 128]);
    await writer.next('ack');
    await reader.next('entries');
    const entry = updateEntry(64, 100);
    const whole = entry.kind === 'update' ? entry.body : new Uint8Array();
    const { bodyHash } = await import('@reverie/shared/protocol/entry-hash');
    const offered = { room, bucket: 0, epoch: 0, covers: 1, enc: false, body: whole };
    writer.send({ type: 'snapshot', ...offered, bodyHash: Uint8Array.from(bodyHash(whole)) });
    const { covers, bodyHash: hash } = await reader.next('snapshot');
    reader.send({ type: 'confirm', room, bucket: 0, covers, bodyHash: Uint8Array.from(hash) });
    await expect
      .poll(async () => (await nodes[0]?.updates.since(room, 0, { entries: 9, bytes: 1e6 }))?.entries.length)
      .toBe(1);
    writer.send({ type: 'epoch', room, from: 0, present: false });
    const { epoch, granted } = await writer.next('epochIs');
    expect(granted).toBe(true);
    expect(await reader.next('epochIs')).toMatchObject({ epoch, granted: false });
  });

  test('a shared document is open at one node at a time: who comes to the other one is passed on', async () => {
    const second = await pair(at(0), first);
    const [one, two] = [join(0, first), join(1, second)];
    one.write('one');
    await expect.poll(() => two.text()).toBe('one');
    two.write(', two');
    await expect.poll(() => one.text()).toBe('one, two');
    two.provider.awareness.setLocalStateField('name', 'two');
    await expect
      .poll(() => [...one.provider.awareness.getStates().values()].map((state): unknown => state['name']))
      .toContain('two');
    // Both came at once, and whichever node was first has it.
    const openAt = async (node: number) => {
      const metrics = await (await fetch(`${at(node)}/metrics`)).text();
      return /reverie_relay_notes (\d+)/.exec(metrics)?.[1];
    };
    expect([await openAt(0), await openAt(1)].sort()).toEqual(['0', '2']);
    expect([one.cuts(), two.cuts()]).toEqual([0, 0]);
  });

  test('what a node holds goes to the other one when it stops', async () => {
    const client = join(0, first);
    client.write('kept');
    await expect.poll(() => nodes[1]?.rows('SELECT room FROM note_updates')).toHaveLength(1);
    await nodes[0]?.stop();
    nodes.splice(0, 1);
    const again = join(0, first);
    await expect.poll(() => again.text()).toBe('kept');
  });

  test('tries of codes are counted together', async () => {
    const tries = 30;
    const claim = (node: number) =>
      call(at(node), {
        method: 'POST',
        path: '/pair/claim',
        body: { code: 'AAAA-AAAA-AAAA', name: 'x' },
      });
    const count = async (node: number, times: number) => {
      const statuses: number[] = [];
      for (let n = 0; n < times; n += 1) statuses.push((await claim(node)).status);
      return statuses;
    };
    // Signing up was counted, too, at the first node.
    expect(new Set(await count(0, tries - 2))).toEqual(new Set([410]));
    await expect.poll(async () => (await count(1, 1))[0], { interval: 250 }).toBe(429);
  });

  test('a device that goes on at the other node reads on, and an entry that it sends again is known', async () => {
    const device = await enter(0, first);
    append(device, [1, 2, 3]);
    await device.next('ack');
    device.close();
    const again = await enter(1, first);
    append(again, [2, 3, 4]);
    const { acks } = await again.next('ack');
    expect(acks).toEqual([
      { n: 2, seq: 2 },
      { n: 3, seq: 3 },
      { n: 4, seq: 4 },
    ]);
    expect((await readAll(again, room, 4)).map(({ n }) => n)).toEqual([1, 2, 3, 4]);
  });
});
