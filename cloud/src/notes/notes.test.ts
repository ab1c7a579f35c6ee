import * as encoding from 'lib0/encoding';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import * as Y from 'yjs';
import { createQuotas } from '../quotas.ts';
import { call, type Linked, openRoom, pair, signUp } from '../testing/device.ts';
import { joinNotes, type NoteClient } from '../testing/note-client.ts';
import { startRelay, type TestRelay } from '../testing/relay.ts';
import { createPresence } from './presence.ts';

let relay: TestRelay;
let first: Linked;
let room: string;
let clients: NoteClient[];

beforeEach(async () => {
  clients = [];
  relay = await startRelay();
  first = await signUp(relay.origin, 'a@example.org');
  room = await openRoom(relay.origin, first, 'session: notes');
});
afterEach(async () => {
  for (const client of clients) client.leave();
  await relay.stop();
});

function join(linked: Linked, options: { room?: string; doc?: Y.Doc } = {}): NoteClient {
  const client = joinNotes(relay.origin, linked, { room, ...options });
  clients.push(client);
  return client;
}

/** Somebody else who was invited. */
async function invite(role: 'viewer' | 'editor'): Promise<Linked> {
  const { body } = await call(relay.origin, {
    method: 'POST',
    path: `/rooms/${room}/invites`,
    key: first.key,
    body: { role },
  });
  const [path = '', secret = ''] = String(body['invite']).split('#');
  const other = await signUp(relay.origin, `${role}@example.org`);
  const id = path.split('/').at(-1) ?? '';
  await call(relay.origin, {
    method: 'POST',
    path: `/invites/${id}/accept`,
    key: other.key,
    body: { secret, name: 'theirs' },
  });
  return other;
}

const stored = () => relay.rows<{ body: Uint8Array }>('SELECT body FROM note_updates ORDER BY id');
const storedText = async () => {
  const doc = new Y.Doc();
  for (const { body } of await stored()) Y.applyUpdate(doc, body);
  return doc.getText('notes').toJSON();
};

/** A connection that says what stock clients do not; the code with which it is closed. */
async function say(frames: readonly Uint8Array[], key = first.key): Promise<number> {
  const socket = new WebSocket(`${relay.origin.replace('http', 'ws')}/y/${room}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  socket.on('open', () => frames.forEach((frame) => socket.send(frame)));
  return new Promise((resolve) => socket.on('close', resolve));
}
const syncFrame = (type: number, body: Uint8Array) => {
  const to = encoding.createEncoder();
  encoding.writeVarUint(to, 0);
  encoding.writeVarUint(to, type);
  encoding.writeVarUint8Array(to, body);
  return encoding.toUint8Array(to);
};

describe('two stock clients', () => {
  test('write one document, and what either reads is on disk', async () => {
    const one = join(first);
    const two = join(await pair(relay.origin, first));
    one.write('first');
    await expect.poll(() => two.text()).toBe('first');
    expect(await storedText()).toBe('first');
    two.write(', second');
    await expect.poll(() => one.text()).toBe('first, second');
    expect(await storedText()).toBe('first, second');
  });

  test('see each other come, move and go; a state comes back to who said it', async () => {
    const one = join(first);
    const two = join(await pair(relay.origin, first));
    const seen = () => [...two.provider.awareness.getStates().values()];
    one.provider.awareness.setLocalState({ file: 'a.ts' });
    await expect.poll(seen).toContainEqual({ file: 'a.ts' });
    one.provider.awareness.setLocalState({ file: 'b.ts' });
    await expect.poll(seen).toContainEqual({ file: 'b.ts' });
    const before = one.provider.wsLastMessageReceived;
    await expect
      .poll(() => {
        one.provider.awareness.setLocalState({ file: 'c.ts' });
        return one.provider.wsLastMessageReceived;
      })
      .toBeGreaterThan(before);
    one.leave();
    await expect.poll(seen).not.toContainEqual({ file: 'c.ts' });
    expect(two.cuts()).toBe(0);
  });

  test('the document leaves the memory with the last of them, in one piece on disk', async () => {
    const one = join(first);
    for (const word of ['one', ' two', ' three']) {
      one.write(word);
      await expect.poll(storedText).toContain(word);
    }
    expect((await stored()).length).toBe(3);
    one.leave();
    await expect.poll(async () => (await stored()).length).toBe(1);
    expect(await storedText()).toBe('one two three');
    const again = join(first);
    await expect.poll(() => again.text()).toBe('one two three');
  });
});

describe('who may', () => {
  test('a viewer reads; what it writes is dropped, as an update and as an answer', async () => {
    const viewer = await invite('viewer');
    const doc = new Y.Doc();
    doc.getText('notes').insert(0, 'written before it came');
    const one = join(first);
    const reader = join(viewer, { doc });
    one.write('of the owner');
    await expect.poll(() => reader.text()).toContain('of the owner');
    reader.write('while it was there');
    // What it says of itself comes after both, and is seen.
    reader.provider.awareness.setLocalState({ here: true });
    await expect.poll(() => [...one.provider.awareness.getStates().values()]).toContainEqual({ here: true });
    expect([one.text(), await storedText()]).toEqual(['of the owner', 'of the owner']);
    expect(reader.cuts()).toBe(0);
  });

  test('a wrong key, no member, a device that is shut out, a room that is gone: stock clients are told for good', async () => {
    const stranger = await signUp(relay.origin, 'stranger@example.org');
    expect(await join({ ...first, key: `${first.key.slice(0, -1)}x` }).closed).toBe(4401);
    expect(await join(stranger).closed).toBe(4404);
    const second = await pair(relay.origin, first);
    const [one, two] = [join(first), join(second)];
    one.write('before');
    await expect.poll(() => two.text()).toBe('before');
    await call(relay.origin, { method: 'DELETE', path: `/devices/${second.device}`, key: first.key });
    expect(await two.closed).toBe(4401);
    two.write(' not sent');
    one.write(' after');
    await expect.poll(storedText).toBe('before after');
    await call(relay.origin, { method: 'DELETE', path: `/rooms/${room}`, key: first.key });
    expect(await one.closed).toBe(4404);
    expect(await stored()).toEqual([]);
  });

  test('an editor writes, and becomes a viewer while it is there', async () => {
    const editor = await invite('editor');
    const [one, two] = [join(first), join(editor)];
    two.write('as an editor');
    await expect.poll(() => one.text()).toBe('as an editor');
    const path = `/rooms/${room}/members/${editor.account}`;
    await call(relay.origin, { method: 'PATCH', path, key: first.key, body: { role: 'viewer' } });
    two.write(', and no more');
    two.provider.awareness.setLocalState({ last: true });
    await expect.poll(() => [...one.provider.awareness.getStates().values()]).toContainEqual({ last: true });
    expect(one.text()).toBe('as an editor');
  });
});

describe('what is wrong', () => {
  test('a frame over the limit: a stock client stops, and does not come again for ever', async () => {
    const one = join(first);
    await expect.poll(() => one.provider.synced).toBe(true);
    one.write('x'.repeat(1024 * 1024));
    expect(await one.closed).toBe(4413);
    expect(one.cuts()).toBe(1);
    expect(await stored()).toEqual([]);
  });

  test('a corrupt update is refused, what is no message, too; the document goes on', async () => {
    const one = join(first);
    one.write('kept');
    await expect.poll(storedText).toBe('kept');
    const codes = await Promise.all(
      [
        syncFrame(2, new Uint8Array([1, 2, 3, 4, 5])),
        syncFrame(1, new Uint8Array([255, 255, 255])),
        syncFrame(0, new Uint8Array([200, 200])),
        new Uint8Array([9]),
        new Uint8Array([]),
        new Uint8Array([1, 3, 1, 1]),
      ].map((frame) => say([frame])),
    );
    expect(codes).toEqual([4422, 4422, 4400, 4400, 4400, 4400]);
    one.write(', and more');
    await expect.poll(storedText).toBe('kept, and more');
    expect(one.cuts()).toBe(0);
  });

  test('what a client says again takes no space: only what is stored counts for its owner', async () => {
    const doc = new Y.Doc();
    doc.getText('notes').insert(0, 'x'.repeat(500_000));
    const used = async () => {
      const { body } = await call(relay.origin, { path: '/account', key: first.key });
      return body['bytes'] as unknown as number;
    };
    expect(await used()).toBe(0);
    const again = syncFrame(2, Y.encodeStateAsUpdate(doc));
    expect(await say([...Array.from({ length: 8 }, () => again), new Uint8Array([9])])).toBe(4400);
    await expect.poll(async () => (await storedText()).length).toBe(500_000);
    expect(await used()).toBeGreaterThan(500_000);
    expect(await used()).toBeLessThan(510_000);
  });

  test('what is stored counts when the space of its owner is counted anew, as after a start', async () => {
    const note = join(first);
    note.write('x'.repeat(400_000));
    await expect.poll(async () => (await storedText()).length).toBe(400_000);
    const { space } = createQuotas({ RELAY_QUOTA_MB: 1, RELAY_PROVISIONAL_QUOTA_MB: 1 }, relay);
    expect(await space.used(first.account)).toBeGreaterThan(400_000);
    expect(await space.used(first.account)).toBeLessThan(410_000);
  });

  test('nobody speaks for somebody else, and nobody who left comes back by hearsay', () => {
    const update = (id: number, clock: number, state: string) => {
      const to = encoding.createEncoder();
      for (const number of [1, id, clock]) encoding.writeVarUint(to, number);
      encoding.writeVarString(to, state);
      return encoding.toUint8Array(to);
    };
    const presence = createPresence<string>();
    const [a, b] = [
      { connection: 'a', device: 'a' },
      { connection: 'b', device: 'b' },
    ];
    expect(presence.take(a, update(1, 1, '{"x":1}'))).toEqual(update(1, 1, '{"x":1}'));
    expect(presence.take(b, update(1, 2, '{"x":2}'))).toBeUndefined();
    expect(presence.take(a, update(1, 1, '{"x":3}'))).toBeUndefined();
    expect(presence.leave('a')).toEqual(update(1, 1, 'null'));
    expect(presence.take(b, update(1, 1, '{"x":1}'))).toBeUndefined();
    expect(presence.take(b, update(1, 5, '{"x":1}'))).toBeUndefined();
    expect(presence.all()).toEqual(new Uint8Array([0]));
    // The same device on a new connection, while the old one is not known to be dead.
    expect(presence.take({ connection: 'a2', device: 'a' }, update(1, 2, '{"x":4}'))).toBeDefined();
    expect(() => presence.take(a, update(2, 1, `"${'x'.repeat(5000)}"`))).toThrow('too long');
  });

  test('a connection speaks for eight clients at most, and for others once one of them has left', () => {
    const update = (id: number, clock = 1, state = '{"x":1}') => {
      const to = encoding.createEncoder();
      for (const number of [1, id, clock]) encoding.writeVarUint(to, number);
      encoding.writeVarString(to, state);
      return encoding.toUint8Array(to);
    };
    const presence = createPresence<string>();
    const a = { connection: 'a', device: 'd' };
    for (let id = 1; id <= 8; id += 1) expect(presence.take(a, update(id))).toBeDefined();
    expect(presence.take(a, update(9))).toBeUndefined();
    expect(presence.take({ connection: 'b', device: 'd' }, update(9))).toBeDefined();
    expect(presence.take(a, update(1, 2, 'null'))).toBeDefined();
    expect(presence.take(a, update(10))).toBeDefined();
  });

  test('who comes is seen, however many have come and gone before', () => {
    const update = (id: number) => {
      const to = encoding.createEncoder();
      for (const number of [1, id, 1]) encoding.writeVarUint(to, number);
      encoding.writeVarString(to, '{"x":1}');
      return encoding.toUint8Array(to);
    };
    const presence = createPresence<number>();
    presence.take({ connection: 0, device: 'stays' }, update(9999));
    for (let id = 1; id <= 1100; id += 1) {
      expect(presence.take({ connection: id, device: 'd' }, update(id))).toEqual(update(id));
      presence.leave(id);
    }
    expect(presence.all()).toEqual(update(9999));
    expect(presence.take({ connection: 5000, device: 'd' }, update(1100))).toBeUndefined();
  });

  test('the disk does not take it: nothing is told to others, everybody comes again, and it is there then', async () => {
    const [one, two] = [join(first), join(await pair(relay.origin, first))];
    one.write('stored');
    await expect.poll(() => two.text()).toBe('stored');
    await relay.fill('note_updates');
    one.write(', not yet');
    await expect.poll(() => two.cuts()).toBeGreaterThan(0);
    expect(two.text()).toBe('stored');
    await relay.unfill('note_updates');
    await expect.poll(() => two.text()).toBe('stored, not yet');
    expect(await storedText()).toBe('stored, not yet');
  });
});
