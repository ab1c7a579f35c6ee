import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { getAttachment, listAttachments } from '@reverie/shared/contract/memories/attachments';
import { takeFolderAttachments } from '@reverie/shared/contract/memories/folders';
import { changeNamespace, setMemory } from '@reverie/shared/contract/memories/memories';
import { shareNamespace } from '@reverie/shared/contract/sync/sharing';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listSynced } from '../namespaces/namespaces.store.ts';
import { temporaryFolder, type TestDaemon } from '../../testing.ts';
import { type LinkedPair, startLinkedPair } from '../testing/linked-devices.ts';

let world: LinkedPair;
let temporary: { folder: string; remove: () => void };
beforeEach(async () => {
  world = await startLinkedPair();
  temporary = temporaryFolder();
}, seconds(30));
afterEach(async () => {
  await world.stop();
  temporary.remove();
});

const picture = (of: string) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(of)]);
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Takes files out of a folder of a device, as an import does, with a note that names them. */
async function take(device: TestDaemon, namespace: string, files: Record<string, Buffer>): Promise<void> {
  const root = fs.mkdtempSync(path.join(fs.realpathSync(temporary.folder), 'vault-'));
  for (const [name, bytes] of Object.entries(files)) fs.writeFileSync(path.join(root, name), bytes);
  await name(device, namespace, Object.keys(files));
  await device.call(takeFolderAttachments, { body: { path: root, namespace } });
}

const name = (device: TestDaemon, namespace: string, files: string[]) =>
  device.call(setMemory, {
    body: { namespace, key: 'note.md', value: files.map((file) => `![[${file}]]`).join(' ') },
  });

const hashesOf = async (device: TestDaemon, namespace: string) =>
  Object.fromEntries(
    (await device.call(listAttachments, { query: { namespace } })).attachments.map((one) => [
      one.path,
      one.hash,
    ]),
  );

/** Has the clocks of both devices go on until something holds. */
const until = (holds: () => unknown) =>
  vi.waitFor(
    async () => {
      for (const { clock } of world.devices) clock.advance(6_000);
      await holds();
    },
    { timeout: seconds(12), interval: 100 },
  );

/** The room of a namespace of a device. */
const roomOf = (device: TestDaemon, namespace: string) =>
  device.withStore((store) => store.read(listSynced).find((row) => row.name === namespace)?.room) ?? '';

/** Writes into a room what an editor, or the relay, says of a file. */
async function claim(room: string, file: { path: string; hash: string; size: number }): Promise<void> {
  const values = `'${room}', '${file.path}', '${file.hash}', ${file.size}`;
  await world.relay.rows(`INSERT INTO room_files (room, path, hash, size) VALUES (${values})`);
  await world.relay.rows(`UPDATE rooms SET files = files + 1 WHERE id = '${room}'`);
}

const stored = (hash: string) =>
  world.relay.rows<{ room: string }>(`SELECT room FROM room_blobs WHERE hash = '${hash}'`);

test(
  'whoever knows the hash of a file of another namespace gets neither the file, nor learns that it is here',
  async () => {
    const { a, b } = world;
    const [secret, other] = [picture('secret'), picture('other')];
    await take(b, 'private', { 'secret.png': secret });
    await take(a, 'shared', { 'other.png': other });
    await until(async () => expect(await hashesOf(b, 'shared')).toEqual({ 'other.png': hashOf(other) }));
    await until(async () => expect(await stored(hashOf(secret))).toHaveLength(1));
    const [shared, own] = [roomOf(b, 'shared'), roomOf(b, 'private')];
    await claim(shared, { path: 'x.png', hash: hashOf(secret), size: secret.length });
    await name(a, 'shared', ['other.png', 'x.png']);
    // A picture that comes later says that all of this was looked at.
    const later = picture('later');
    await take(a, 'shared', { 'other.png': other, 'x.png': later, 'later.png': later });
    await until(async () => expect(await hashesOf(b, 'shared')).toHaveProperty(['later.png']));
    expect(Object.values(await hashesOf(b, 'shared'))).not.toContain(hashOf(secret));
    expect(await stored(hashOf(secret))).toEqual([{ room: own }]);
    await expect(
      b.call(getAttachment, { params: { hash: hashOf(secret) }, query: { namespace: 'shared' } }),
    ).rejects.toMatchObject({ status: 404 });
  },
  seconds(60),
);

test(
  'a lie about the size of a file, before its bytes are there, keeps neither it nor others from coming',
  async () => {
    const { a, b } = world;
    const [first, second] = [picture('first'), picture('second')];
    await take(a, 'shared', { 'first.png': first });
    await until(async () => expect(await hashesOf(b, 'shared')).toEqual({ 'first.png': hashOf(first) }));
    await claim(roomOf(a, 'shared'), { path: 'lie.png', hash: hashOf(second), size: 7 });
    // One whose size this device has wrong: the relay has its bytes, and refuses it.
    a.withStore((store) =>
      store.write((db) => {
        db.prepare('UPDATE attachments SET size = 7').run();
        db.prepare(
          "INSERT INTO attachments (account, namespace, path, name, hash, size, type, source, stamp) SELECT account, namespace, 'wrong.png', 'wrong.png', hash, size, type, source, stamp FROM attachments",
        ).run();
      }),
    );
    await take(a, 'shared', { 'second.png': second });
    await until(async () =>
      expect(await hashesOf(b, 'shared')).toEqual({
        'first.png': hashOf(first),
        'second.png': hashOf(second),
      }),
    );
  },
  seconds(60),
);

test('pictures of a namespace that stays on this device never reach the relay, and come with it once it syncs', async () => {
  const { a, b } = world;
  const choose = (sync: boolean) =>
    a.call(changeNamespace, { params: { namespace: 'diary' }, body: { sync } });
  const atRelay = async () =>
    (await world.relay.rows<{ path: string }>('SELECT path FROM room_files'))
      .map(({ path: name }) => name)
      .sort();
  await choose(false);
  await take(a, 'diary', { 'therapist.png': picture('of the therapist') });
  await take(a, 'work', { 'plan.png': picture('of the plan') });
  await until(async () => expect(await atRelay()).toEqual(['plan.png']));

  await choose(true);
  await until(async () => expect(Object.keys(await hashesOf(b, 'diary'))).toEqual(['therapist.png']));
  await choose(false);
  await take(a, 'diary', { 'second.png': picture('of another') });
  await take(a, 'work', { 'next.png': picture('of the next plan') });
  await until(async () => expect(await atRelay()).toEqual(['next.png', 'plan.png', 'therapist.png']));
});

test(
  'pictures of notes in the trash are nothing that who is invited gets, and come back with the notes',
  async () => {
    const { a, b } = world;
    const [plan, therapist] = [picture('of the plan'), picture('of the therapist')];
    const hashes = (device: TestDaemon) => hashesOf(device, 'team');
    await take(a, 'team', { 'plan.png': plan, 'therapist.png': therapist });
    await until(async () => expect(Object.keys(await hashes(b))).toHaveLength(2));
    await name(a, 'team', ['plan.png']);
    await a.call(setMemory, { body: { namespace: 'team', key: 'private.md', value: '![[therapist.png]]' } });
    await a.call(trashMemories, { body: { items: [{ namespace: 'team', key: 'private.md' }] } });
    await a.call(shareNamespace, { body: { namespace: 'team' } });
    const atRelay = () => world.relay.rows<{ path: string }>('SELECT path FROM room_files ORDER BY path');
    expect(await atRelay()).toEqual([{ path: 'plan.png' }]);
    expect(await stored(hashOf(therapist))).toEqual([]);
    // Nor is it told of again, also where more comes.
    await take(a, 'team', { 'plan.png': plan, 'later.png': picture('later') });
    await until(async () => expect(await atRelay()).toHaveLength(2));
    expect(await atRelay()).toEqual([{ path: 'later.png' }, { path: 'plan.png' }]);

    await a.call(restoreTrash, { body: { items: [{ namespace: 'team', key: 'private.md' }] } });
    await until(async () => expect(await hashes(b)).toHaveProperty(['therapist.png'], hashOf(therapist)));
  },
  seconds(60),
);
