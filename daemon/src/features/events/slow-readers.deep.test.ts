import fs from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { createClient } from '@reverie/shared/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type DaemonProcess, spawnDaemon, startTestDaemon, temporaryFolder } from '../../testing.ts';

const opened = new Set<WebSocket>();
/** A deaf client would hold up a stop for as long as it may be told to go. */
function hangUp(): void {
  for (const socket of opened) socket.terminate();
  opened.clear();
}

/** A client that connects and never reads; answers the status of its handshake. */
async function deafClient(host: string, key: string): Promise<{ status: number; socket: WebSocket }> {
  const socket = new WebSocket(`ws://${host}/v1/stream`, { headers: { Authorization: `Bearer ${key}` } });
  socket.on('error', () => undefined);
  opened.add(socket);
  const status = await new Promise<number>((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0);
      response.resume();
    });
  });
  if (status === 101) socket.pause();
  return { status, socket };
}

const statusesOf = (clients: readonly { status: number }[]) =>
  Object.fromEntries(
    Map.groupBy(clients, ({ status }) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  );

/** A value of 1 MB in one word: indexing it takes no time. */
const large = (n: number) => `${n} ${'x'.repeat(1_000_000)}`;

describe('one account with many streams that never read', () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let daemon: DaemonProcess;
  beforeEach(() => {
    temporary = temporaryFolder();
    daemon = spawnDaemon(path.join(temporary.folder, 'home'));
  });
  afterEach(async () => {
    daemon.kill('SIGKILL');
    await daemon.ended;
    temporary.remove();
  });

  test('gets eight of them, and three overwrites of 1 MB do not double the memory of the daemon', async () => {
    const origin = await daemon.ready;
    const ownerKey = fs.readFileSync(path.join(temporary.folder, 'home/owner-key'), 'utf8').trim();
    const resident = async () => {
      const metrics = await fetch(`${origin}/metrics`, { headers: { Authorization: `Bearer ${ownerKey}` } });
      return Number(/^process_resident_memory_bytes (\d\S*)$/m.exec(await metrics.text())?.[1]);
    };
    const signed = await fetch(`${origin}/v1/auth/bot-signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'bot@example.org' }),
    });
    const { api_key: key } = (await signed.json()) as { api_key: string };
    const call = createClient({ origin, key: () => key });
    // The first writing loads what it needs.
    await call(setMemory, { body: { key: 'k', value: large(0) } });
    const clients: { status: number; socket: WebSocket }[] = [];
    for (let n = 0; n < 700; n += 1) clients.push(await deafClient(new URL(origin).host, key));
    const before = await resident();
    for (let n = 1; n <= 3; n += 1) await call(setMemory, { body: { key: 'k', value: large(n) } });
    const grown = (await resident()) / before;
    expect(statusesOf(clients)).toEqual({ 101: 8, 429: 692 });
    expect(grown).toBeLessThan(2);
    hangUp();
  });
});

test('what is not taken is dropped some seconds after a stream was told to go, and its place is free again', async () => {
  const daemon = await startTestDaemon();
  const { key } = daemon.addAccount('write');
  const call = daemon.as(key);
  const clients = [];
  for (let n = 0; n < 8; n += 1) clients.push(await deafClient(daemon.host, key));
  expect((await deafClient(daemon.host, key)).status).toBe(429);
  // Each event holds the value before and the one after; the kernel takes some of it, too.
  for (let n = 0; n < 9; n += 1) await call(setMemory, { body: { key: 'k', value: large(n) } });
  expect((await deafClient(daemon.host, key)).status).toBe(429);
  daemon.clock.advance(5000);
  await expect.poll(async () => (await deafClient(daemon.host, key)).status).toBe(101);
  // The account of the machine has more of them, and is in nobody's way.
  const mine = [];
  for (let n = 0; n < 20; n += 1) mine.push(await deafClient(daemon.host, daemon.ownerKey));
  expect(statusesOf(mine)).toEqual({ 101: 20 });
  hangUp();
  await daemon.stop();
});

test('a client that reads is told why it goes, and one that only sends signs of life is not taken for alive', async () => {
  const daemon = await startTestDaemon();
  const { key } = daemon.addAccount('write');
  const late = await deafClient(daemon.host, key);
  for (let n = 0; n < 9; n += 1) await daemon.as(key)(setMemory, { body: { key: 'k', value: large(n) } });
  const closed = once(late.socket, 'close') as Promise<[number]>;
  late.socket.resume();
  expect((await closed)[0]).toBe(1013);

  const { key: other } = daemon.addAccount('write');
  const quiet = await deafClient(daemon.host, other);
  const ended = new Promise<boolean>((resolve) => quiet.socket.on('close', () => resolve(true)));
  for (let n = 0; n < 3; n += 1) {
    quiet.socket.pong('I am alive');
    await daemon.as(other)(setMemory, { body: { key: 'k', value: `${n}` } });
    daemon.clock.advance(30_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  quiet.socket.resume();
  expect(await ended).toBe(true);
  hangUp();
  await daemon.stop();
});
