import { once } from 'node:events';
import type { Event } from '@reverie/shared/contract/events/events';
import { createKey, revokeKey } from '@reverie/shared/contract/accounts/keys';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

interface Listening {
  socket: WebSocket;
  /** The next message that was not asked for yet. */
  next(): Promise<Record<string, unknown>>;
}

async function connect(
  query = '',
  headers: Record<string, string> = {},
  protocols: string[] = [],
): Promise<Listening> {
  const authorization = protocols.length > 0 ? {} : { Authorization: `Bearer ${daemon.ownerKey}` };
  const socket = new WebSocket(`ws://${daemon.host}/v1/stream${query}`, protocols, {
    headers: { ...authorization, ...headers },
  });
  const messages: Record<string, unknown>[] = [];
  const waiting: ((message: Record<string, unknown>) => void)[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as Record<string, unknown>;
    const taker = waiting.shift();
    if (taker) taker(message);
    else messages.push(message);
  });
  await once(socket, 'open');
  return {
    socket,
    next() {
      const message = messages.shift();
      return message ? Promise.resolve(message) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/** The status with which a handshake is refused. */
function refused(query: string, headers: Record<string, string>): Promise<number | undefined> {
  const socket = new WebSocket(`ws://${daemon.host}/v1/stream${query}`, { headers });
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode);
      socket.terminate();
    });
    socket.on('open', () => reject(new Error('the handshake was accepted')));
    socket.on('error', () => undefined);
  });
}

const key = () => ({ Authorization: `Bearer ${daemon.ownerKey}` });

describe('GET /stream', () => {
  test('sends a committed change at once, with its state before and after', async () => {
    const { socket, next } = await connect('?topics=memory');
    await daemon.call(setMemory, { body: { key: 'tea', value: 'green' } });
    await daemon.call(setMemory, { body: { key: 'tea', value: 'black' } });
    const [written, updated] = [await next(), await next()] as unknown as [Event, Event];
    expect(written).toMatchObject({
      type: 'memory.write',
      data: { before: null, after: { value: 'green' } },
    });
    expect(updated).toMatchObject({
      type: 'memory.update',
      data: { before: { value: 'green' }, after: { value: 'black' } },
    });
    expect(updated.seq).toBeGreaterThan(written.seq);
    socket.terminate();
  });

  test('a browser sends its key as a subprotocol', async () => {
    const { socket, next } = await connect('', { Origin: daemon.origin }, [
      'reverie.v1',
      `bearer.${daemon.apiKey}`,
    ]);
    expect(socket.protocol).toBe('reverie.v1');
    await daemon.call(setMemory, { body: { key: 'browser', value: 'sees this' } });
    expect(await next()).toMatchObject({ type: 'memory.write' });
    socket.terminate();
  });

  test('goes on after a cut with `since`', async () => {
    const first = await connect('?topics=memory');
    await daemon.call(setMemory, { body: { key: 'cut', value: '1' } });
    const seen = (await first.next()) as unknown as Event;
    first.socket.terminate();
    await daemon.call(deleteMemory, { body: { key: 'cut' } });
    const second = await connect(`?topics=memory&since=${seen.seq}`);
    expect(await second.next()).toMatchObject({ type: 'memory.delete', seq: seen.seq + 1 });
    second.socket.terminate();
  });

  test('a client publishes on a channel, and bad messages are answered without ending the stream', async () => {
    const { socket, next } = await connect('?topics=channel');
    expect(await next()).toMatchObject({
      type: 'channel.subscribe',
      data: { after: { topics: ['channel'], name: 'owner-key' } },
    });
    socket.send('nonsense');
    expect(await next()).toMatchObject({ type: 'error', code: 'invalid_json' });
    socket.send(JSON.stringify({ type: 'publish', channel: '', payload: {} }));
    expect(await next()).toMatchObject({ type: 'error', code: 'invalid_request' });
    socket.send(JSON.stringify({ type: 'publish', channel: 'build', payload: { ok: true } }));
    expect(await next()).toMatchObject({
      type: 'channel.publish',
      data: { after: { channel: 'build', payload: { ok: true } } },
    });
    socket.terminate();
  });

  test('many small messages that come at once are obeyed a turn each', async () => {
    const { socket, next } = await connect();
    const COUNT = 200;
    let turns = 0;
    let counting = setImmediate(function count() {
      turns += 1;
      counting = setImmediate(count);
    });
    for (let n = 0; n < COUNT; n += 1) socket.send('x');
    for (let n = 0; n < COUNT; n += 1) expect(await next()).toMatchObject({ type: 'error' });
    clearImmediate(counting);
    expect(turns).toBeGreaterThanOrEqual(COUNT);
    socket.terminate();
  });

  test('a key that may only read may not publish', async () => {
    const made = await daemon.call(createKey, { body: { name: 'reader', scope: 'read' } });
    const { socket, next } = await connect('', { Authorization: `Bearer ${made.key}` });
    socket.send(JSON.stringify({ type: 'publish', channel: 'build', payload: {} }));
    expect(await next()).toMatchObject({ type: 'error', code: 'forbidden_scope' });
    socket.terminate();
  });

  test('a revoked key loses its stream', async () => {
    const made = await daemon.call(createKey, { body: { name: 'short', scope: 'read' } });
    const { socket } = await connect('', { Authorization: `Bearer ${made.key}` });
    const closed = once(socket, 'close') as Promise<[number]>;
    await daemon.call(revokeKey, { params: { id: made.id } });
    expect((await closed)[0]).toBe(1008);
  });

  test('a key that runs out loses its stream', async () => {
    const made = await daemon.call(createKey, { body: { name: 'a day', scope: 'read', expires_in_days: 1 } });
    daemon.clock.advance(86_390_000);
    const { socket } = await connect('', { Authorization: `Bearer ${made.key}` });
    const closed = once(socket, 'close') as Promise<[number]>;
    daemon.clock.advance(30_000);
    expect((await closed)[0]).toBe(1008);
  });

  test('refuses strangers before the upgrade', async () => {
    expect(await refused('', {})).toBe(401);
    expect(await refused('', { ...key(), Origin: 'https://evil.example' })).toBe(403);
    expect(await refused('', { ...key(), Origin: 'null' })).toBe(403);
    expect(await refused('', { ...key(), Host: 'evil.example' })).toBe(421);
    expect(await refused('?topics=weather', key())).toBe(400);
  });

  test('asks for a WebSocket where none is opened', async () => {
    const { status, json } = await daemon.ask({ path: '/v1/stream' });
    expect(status).toBe(400);
    expect(json.detail).toContain('WebSocket');
  });

  test('a stop closes the streams and ends', async () => {
    const { socket } = await connect();
    const closed = once(socket, 'close') as Promise<[number]>;
    await daemon.restart();
    expect((await closed)[0]).toBe(1001);
  });
});
