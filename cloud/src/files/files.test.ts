import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { call, type Linked, openRoom, pair, signUp } from '../testing/device.ts';
import { startRelay, type TestRelay } from '../testing/relay.ts';

const MB = 1024 * 1024;

let relay: TestRelay;
let ada: Linked;
let room = '';
beforeEach(async () => {
  relay = await startRelay({ RELAY_PROVISIONAL_QUOTA_MB: '6' });
  ada = await signUp(relay.origin, 'ada@example.org');
  room = await openRoom(relay.origin, ada, 'notes');
});
afterEach(() => {
  for (const request of trickling.splice(0)) request.destroy();
  return relay.stop();
});

/** Requests that may still be open. */
const trickling: http.ClientRequest[] = [];

const fileOf = (path: string, bytes: Buffer) => ({
  path,
  hash: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
});
const at = (rest: string) => `/rooms/${room}/${rest}`;
const name = (by: Linked, body: object) =>
  call(relay.origin, { method: 'POST', path: at('files'), key: by.key, body });
const list = (by: Linked) => call(relay.origin, { path: at('files'), key: by.key });

/** Sends bytes, or a text that says it is JSON; answers the status, and the code of what refuses it. */
async function send(by: Linked, hash: string, bytes: Buffer | string) {
  const type = typeof bytes === 'string' ? 'application/json' : 'application/octet-stream';
  const response = await fetch(`${relay.origin}/v1${at(`blobs/${hash}`)}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${by.key}`, 'Content-Type': type },
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
  });
  const { code } = (await response.json()) as { code?: string };
  return [response.status, code];
}

async function get(by: Linked, hash: string): Promise<Buffer | number> {
  const headers = { Authorization: `Bearer ${by.key}` };
  const response = await fetch(`${relay.origin}/v1${at(`blobs/${hash}`)}`, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.ok ? bytes : response.status;
}

async function join(email: string, role: 'viewer' | 'editor'): Promise<Linked> {
  const other = await signUp(relay.origin, email);
  const path = at('invites');
  const { body } = await call(relay.origin, { method: 'POST', path, key: ada.key, body: { role } });
  const [, secret] = String(body['invite']).split('#');
  const accept = { method: 'POST', path: `/invites/${body.id}/accept`, key: other.key };
  const joined = await call(relay.origin, { ...accept, body: { secret, name: 'theirs' } });
  expect(joined.status).toBe(200);
  return other;
}

/** Begins to send a file, and sends no more of it; answers what it is refused with. */
function trickle(by: Linked, hash: string, size: number): Promise<string> {
  const request = http.request(`${relay.origin}/v1${at(`blobs/${hash}`)}`, {
    method: 'PUT',
    agent: false,
    headers: {
      Authorization: `Bearer ${by.key}`,
      'Content-Type': 'application/octet-stream',
      'Content-Length': size,
    },
  });
  const refused = once(request, 'response').then(async ([reply]: http.IncomingMessage[]) => {
    const pieces = (await reply?.toArray()) as Buffer[];
    return (JSON.parse(Buffer.concat(pieces).toString()) as { code: string }).code;
  });
  trickling.push(request);
  request.write('x');
  return refused;
}

/** What a path takes of its owner's space. */
const taken = (...paths: string[]) => paths.reduce((bytes, path) => bytes + Buffer.byteLength(path) + 150, 0);

const left = () => relay.rows<{ hash: string }>('SELECT hash FROM room_blob_pieces');

describe('files of a room', () => {
  test('that one device names and sends, another one gets to the byte', async () => {
    const other = await pair(relay.origin, ada);
    const bytes = randomBytes(2.5 * MB);
    const file = fileOf('assets/a b.png', bytes);
    const named = await name(ada, { set: [file, { ...file, path: 'copy.png' }] });
    expect(named).toMatchObject({
      status: 200,
      body: { missing: [file.hash], space: 6 * MB - taken('assets/a b.png', 'copy.png') },
    });
    expect((await list(other)).body).toEqual({
      version: 1,
      files: [
        { ...file, stored: false },
        { ...file, path: 'copy.png', stored: false },
      ],
    });
    expect(await get(other, file.hash)).toBe(404);
    expect(await send(ada, file.hash, bytes)).toEqual([200, undefined]);
    expect(await get(other, file.hash)).toEqual(bytes);
    expect((await list(other)).body).toMatchObject({
      version: 2,
      files: [{ stored: true }, { stored: true }],
    });
    const rooms = await call(relay.origin, { path: '/rooms', key: other.key });
    expect(rooms.body).toMatchObject({ rooms: [{ id: room, files: 2 }] });
    // Sent again it is there, and nothing new.
    expect(await send(other, file.hash, bytes)).toEqual([200, undefined]);
    expect((await name(ada, { set: [file] })).body).toEqual({
      missing: [],
      space: 6 * MB - bytes.length - taken('assets/a b.png', 'copy.png'),
    });
  });

  test('are deleted with the last path that names them, and with their room', async () => {
    const bytes = randomBytes(1.5 * MB);
    const file = fileOf('a.png', bytes);
    await name(ada, { set: [file, { ...file, path: 'b.png' }] });
    await send(ada, file.hash, bytes);
    await name(ada, { remove: [{ path: 'a.png', hash: file.hash }] });
    expect(await get(ada, file.hash)).toEqual(bytes);
    const newer = fileOf('b.png', randomBytes(10));
    await name(ada, { set: [newer] });
    expect(await get(ada, file.hash)).toBe(404);
    expect(await left()).toEqual([]);
    // Who removes what it saw before does not remove what came since.
    await name(ada, { remove: [{ path: 'b.png', hash: file.hash }] });
    const { body } = await name(ada, { set: [file] });
    expect(body).toEqual({ missing: [file.hash], space: 6 * MB - taken('a.png', 'b.png') });
    await send(ada, file.hash, bytes);
    expect(await left()).toHaveLength(2);
    await call(relay.origin, { method: 'DELETE', path: `/rooms/${room}`, key: ada.key });
    for (const table of ['room_files', 'room_blobs', 'room_blob_pieces'])
      expect(await relay.rows(`SELECT room FROM ${table}`)).toEqual([]);
  });

  test('take the space of the owner of the room, whoever sends them, and give it back', async () => {
    const editor = await join('eve@example.org', 'editor');
    const [one, two] = [randomBytes(4 * MB), randomBytes(3 * MB)];
    const [first, second] = [fileOf('one.png', one), fileOf('two.png', two)];
    await name(editor, { set: [first, second] });
    expect(await send(editor, first.hash, one)).toEqual([200, undefined]);
    expect((await name(editor, { set: [second] })).body).toMatchObject({
      space: 2 * MB - taken('one.png', 'two.png'),
    });
    expect(await send(editor, second.hash, two)).toEqual([429, 'quota_exceeded']);
    await name(editor, { remove: [first].map(({ path, hash }) => ({ path, hash })) });
    expect(await send(editor, second.hash, two)).toEqual([200, undefined]);
  });
});

describe('a member who means harm', () => {
  test('sends no other bytes than those of the hash, and not more of them', async () => {
    const bytes = randomBytes(1000);
    const file = fileOf('a.png', bytes);
    await name(ada, { set: [file] });
    expect(await send(ada, file.hash, randomBytes(1000))).toEqual([400, 'invalid_request']);
    expect(await send(ada, file.hash, bytes.subarray(1))).toEqual([400, 'invalid_request']);
    expect(await send(ada, file.hash, Buffer.concat([bytes, bytes]))).toEqual([413, 'too_large']);
    expect(await send(ada, file.hash, '{}')).toEqual([415, 'unsupported_media_type']);
    expect(await send(ada, 'f'.repeat(64), bytes)).toEqual([404, 'not_found']);
    expect(await send(ada, 'x'.repeat(64), bytes)).toEqual([400, 'invalid_request']);
    expect(await left()).toEqual([]);
    expect(await get(ada, file.hash)).toBe(404);
    expect(await send(ada, file.hash, bytes)).toEqual([200, undefined]);
  });

  test('names nothing that is too large, has two sizes, or no name', async () => {
    const file = fileOf('a.png', randomBytes(10));
    for (const wrong of [
      { ...file, size: 25 * MB + 1 },
      { ...file, size: 0 },
      { ...file, hash: 'A'.repeat(64) },
      { ...file, path: 'a\u0000b' },
      { ...file, path: '' },
      { ...file, path: 'x'.repeat(1025) },
    ])
      expect(await name(ada, { set: [wrong] })).toMatchObject({ status: 400 });
    const twice = [file, { ...file, path: 'b.png', size: 11 }];
    expect(await name(ada, { set: twice })).toMatchObject({ status: 400 });
    expect((await list(ada)).body).toEqual({ version: 0, files: [] });
  });

  test('of another room sees and changes nothing; a viewer sees, and changes nothing', async () => {
    const bytes = randomBytes(100);
    const file = fileOf('a.png', bytes);
    await name(ada, { set: [file] });
    await send(ada, file.hash, bytes);
    const viewer = await join('vic@example.org', 'viewer');
    const stranger = await signUp(relay.origin, 'mallory@example.org');
    const other = fileOf('b.png', randomBytes(10));
    for (const [by, status] of [
      [stranger, 404],
      [viewer, 403],
    ] as const) {
      expect((await name(by, { set: [other] })).status).toBe(status);
      expect((await name(by, { remove: [{ path: 'a.png', hash: file.hash }] })).status).toBe(status);
      expect((await send(by, file.hash, bytes))[0]).toBe(status);
    }
    expect((await list(stranger)).status).toBe(404);
    expect(await get(stranger, file.hash)).toBe(404);
    expect((await list(viewer)).body).toEqual({ version: 2, files: [{ ...file, stored: true }] });
    expect(await get(viewer, file.hash)).toEqual(bytes);
  });

  test('fills no memory: of an account two come at once', async () => {
    const files = Array.from({ length: 5 }, (_, n) => {
      const bytes = randomBytes(MB / 2);
      return { bytes, ...fileOf(`${n}.png`, bytes) };
    });
    await name(ada, { set: files.map(({ bytes: _, ...file }) => file) });
    const replies = await Promise.all(files.map(({ hash, bytes }) => send(ada, hash, bytes)));
    expect(replies.filter(([status]) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(replies.filter(([status]) => status !== 200).every(([, code]) => code === 'rate_limited')).toBe(
      true,
    );
    for (const { hash, bytes } of files) expect(await send(ada, hash, bytes)).toEqual([200, undefined]);
  });

  test('that sends slowly gives its place back, once its time is over', async () => {
    await relay.rows('UPDATE accounts SET confirmed_at = 1');
    const bytes = randomBytes(1000);
    const quick = fileOf('a.png', bytes);
    const slow = { path: 'b.png', hash: 'e'.repeat(64), size: MB };
    const large = { path: 'c.png', hash: 'f'.repeat(64), size: 15 * MB };
    await name(ada, { set: [quick, slow, large] });
    const begun = vi.spyOn(relay.clock, 'every');
    const refused = trickle(ada, slow.hash, slow.size);
    const later = trickle(ada, large.hash, large.size);
    await expect.poll(() => begun.mock.calls.filter(([ms]) => ms === 1000).length).toBe(2);
    relay.clock.advance(119_000);
    expect(await send(ada, quick.hash, bytes)).toEqual([429, 'rate_limited']);
    relay.clock.advance(2000);
    expect(await refused).toBe('rate_limited');
    expect(await send(ada, quick.hash, bytes)).toEqual([200, undefined]);
    // One that is longer than 64 KiB a second bring in two minutes has its time: four minutes here.
    let isOver = false;
    void later.then(() => (isOver = true));
    relay.clock.advance(110_000);
    expect(await get(ada, quick.hash)).toEqual(bytes);
    expect(isOver).toBe(false);
    relay.clock.advance(10_000);
    expect(await later).toBe('rate_limited');
    expect(await left()).toHaveLength(1);
  });

  test('names a file with a size that it does not have, and keeps nobody from sending it', async () => {
    const bytes = randomBytes(1000);
    const file = fileOf('a.png', bytes);
    const editor = await join('eve@example.org', 'editor');
    const lie = { ...file, path: 'lie.png', size: 7 };
    expect((await name(editor, { set: [lie] })).status).toBe(200);
    expect(await send(ada, file.hash, bytes)).toEqual([413, 'too_large']);
    const other = fileOf('b.png', randomBytes(10));
    expect((await name(ada, { set: [file, other] })).body).toMatchObject({
      missing: [file.hash, other.hash],
    });
    expect((await list(ada)).body).toMatchObject({
      files: [{ size: 1000 }, { path: 'b.png' }, { path: 'lie.png', size: 1000 }],
    });
    expect(await send(ada, file.hash, bytes)).toEqual([200, undefined]);
    // What the bytes say is not up to anybody any more.
    expect((await name(editor, { set: [{ ...lie, path: 'more.png' }] })).status).toBe(400);
    expect(await get(ada, file.hash)).toEqual(bytes);
  });

  test('fills the space of the owner with names of files as with their bytes', async () => {
    const editor = await join('eve@example.org', 'editor');
    const named = (from: number) =>
      Array.from({ length: 500 }, (_, n) => ({
        ...fileOf(`${from}`, randomBytes(9)),
        path: `${from + n} `.padEnd(1024, 'e'),
      }));
    const bytes = randomBytes(5 * MB);
    const large = fileOf('large.png', bytes);
    await name(ada, { set: [large] });
    expect(await send(ada, large.hash, bytes)).toEqual([200, undefined]);
    const replies = [];
    for (let from = 0; from < 2000; from += 500) replies.push(await name(editor, { set: named(from) }));
    const full = replies.findIndex(({ status }) => status !== 200);
    // 1 MiB, of which each path takes at least its 1,024 characters.
    expect(full).toBeGreaterThan(0);
    expect(replies.slice(full).every(({ body }) => body['code'] === 'quota_exceeded')).toBe(true);
    const { files } = (await list(ada)).body as unknown as { files: { path: string; hash: string }[] };
    expect(files).toHaveLength(full * 500 + 1);
    expect(taken(...files.map(({ path }) => path))).toBeLessThanOrEqual(MB);
    // What is named no more gives its space back.
    const remove = files.slice(0, 100).map(({ path, hash }) => ({ path, hash }));
    expect((await name(editor, { remove })).status).toBe(200);
    expect((await name(editor, { set: named(10_000).slice(0, 100) })).status).toBe(200);
  });
});
