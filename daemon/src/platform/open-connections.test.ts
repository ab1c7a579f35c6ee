import { once } from 'node:events';
import net from 'node:net';
import * as keys from '@reverie/shared/contract/accounts/keys';
import * as sharing from '@reverie/shared/contract/sessions/session-sharing';
import * as sessions from '@reverie/shared/contract/sessions/sessions';
import { STREAM_PROTOCOL } from '@reverie/shared/contract/events/stream';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { seconds } from '@reverie/shared/testing/patience';
import { startRelay, type TestRelay } from '../../../cloud/src/testing/relay.ts';
import { startTestDaemon, type TestDaemon } from '../testing.ts';

/** Longer than connections without messages are left unlooked at. */
const LOOK = 15_000;

let relay: TestRelay;
let daemon: TestDaemon;
let id: string;
const left: (() => void)[] = [];

beforeAll(async () => {
  relay = await startRelay({});
  daemon = await startTestDaemon();
  await daemon.call(linkDevice, { body: { relay: relay.origin, email: 'ada@example.org', name: 'ada' } });
  const body = { agent: 'codex', namespace: 'mine' };
  ({ id } = await daemon.call(sessions.createSession, { body }));
  const { token } = await daemon.call(sharing.previewSession, { params: { id }, query: {} });
  await daemon.call(sharing.shareSession, { params: { id }, body: { from: 'start', token } });
}, seconds(60));
afterEach(() => {
  for (const close of left.splice(0)) close();
});
afterAll(async () => {
  await daemon.stop();
  await relay.stop();
});

/** An open connection, as its client sees it. */
interface Watched {
  isOpen: () => boolean;
}

async function socketTo(path: string, key: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${daemon.host}${path}`, [STREAM_PROTOCOL, `bearer.${key}`]);
  left.push(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

async function pieces(path: string, key: string, request: RequestInit = {}): Promise<Watched> {
  const away = new AbortController();
  left.push(() => away.abort());
  const { status, body } = await fetch(`${daemon.origin}${path}`, {
    ...request,
    headers: { Authorization: `Bearer ${key}`, ...(request.headers as Record<string, string>) },
    signal: away.signal,
  });
  expect(status).toBe(200);
  const reader = body?.getReader();
  // Once something came, it is open on the other side, too.
  await reader?.read();
  let isOpen = true;
  const drain = async (): Promise<void> => {
    while ((await reader?.read())?.done === false);
  };
  void drain()
    .catch(() => undefined)
    .finally(() => (isOpen = false));
  return { isOpen: () => isOpen };
}

const listening = {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'MCP-Method': 'subscriptions/listen',
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
};

const KINDS = {
  stream: async (key: string): Promise<Watched> => {
    const socket = await socketTo('/v1/stream', key);
    return { isOpen: () => socket.readyState === WebSocket.OPEN };
  },
  session: (key: string) => pieces(`/v1/coding-sessions/${id}/stream`, key),
  notes: async (key: string): Promise<Watched> => {
    const socket = await socketTo(`/v1/coding-sessions/y/${id}`, key);
    // Its first word is the relay's.
    await once(socket, 'message');
    return { isOpen: () => socket.readyState === WebSocket.OPEN };
  },
  mcp: (key: string) => pieces('/mcp', key, listening),
};
type Kind = keyof typeof KINDS;
const EVERY = Object.keys(KINDS) as Kind[];

async function openAll(key: string): Promise<Map<Kind, Watched>> {
  const opened = EVERY.map(async (kind) => [kind, await KINDS[kind](key)] as const);
  return new Map(await Promise.all(opened));
}

const stillOpen = (all: ReadonlyMap<Kind, Watched>) => EVERY.filter((kind) => all.get(kind)?.isOpen());
const becomes = (all: ReadonlyMap<Kind, Watched>, expected: Kind[]) =>
  vi.waitFor(() => expect(stillOpen(all)).toEqual(expected), { timeout: seconds(5), interval: 10 });

let made = 0;
const makeKey = (more: { namespaces?: string[] } = {}) =>
  daemon.call(keys.createKey, { body: { name: `k${(made += 1)}`, scope: 'write', ...more } });

/** Changes a key where no route does, and lets the time pass until connections are looked at. */
function changeRow(key: string, change: string): void {
  daemon.withStore((store) =>
    store.write((db) => db.prepare(`UPDATE api_keys SET ${change} WHERE id = ?`).run(key)),
  );
  daemon.clock.advance(LOOK);
}

// The last one ends the relay.
describe('open connections', { shuffle: false }, () => {
  describe('everything that a key holds open ends at once', () => {
    test.each<[string, (key: string) => unknown]>([
      ['is revoked', (key) => daemon.call(keys.revokeKey, { params: { id: key } })],
      [
        'is replaced at once',
        (key) => daemon.call(keys.rotateKey, { params: { id: key }, body: { immediate: true } }),
      ],
      ['has fewer namespaces', (key) => changeRow(key, `namespaces = '["theirs"]'`)],
      ['may do less', (key) => changeRow(key, `can = '["read"]'`)],
      ['is of a lower scope', (key) => changeRow(key, `scope = 'read'`)],
      ['runs out', (key) => changeRow(key, `expires_at = ${daemon.clock.now()}`)],
    ])('when it %s, and nothing of another key', async (_, change) => {
      const key = await makeKey();
      const [all, others] = await Promise.all([openAll(key.key), openAll(daemon.ownerKey)]);
      expect(stillOpen(all)).toEqual(EVERY);
      await change(key.id);
      await becomes(all, []);
      expect(stillOpen(others)).toEqual(EVERY);
    });

    test('when a page signs out, and when its key is revoked', async () => {
      const signIn = async () => {
        const { ticket } = await daemon.call(keys.createTicket, {});
        return (await daemon.as(undefined)(keys.redeemTicket, { body: { ticket } })).token;
      };
      const [one, two] = [await signIn(), await signIn()];
      const [ofOne, ofTwo] = [await openAll(one), await openAll(two)];
      await daemon.as(one)(keys.endSession, {});
      await becomes(ofOne, []);
      expect(stillOpen(ofTwo)).toEqual(EVERY);
      const { id: page } = await daemon.as(two)(keys.currentKey, {});
      await daemon.call(keys.revokeKey, { params: { id: page } });
      await becomes(ofTwo, []);
    });
  });

  test('what is about a session ends once it is in a namespace that the key does not have', async () => {
    const all = await openAll((await makeKey({ namespaces: ['mine'] })).key);
    const move = (namespace: string) =>
      daemon.call(sessions.changeSession, { params: { id }, body: { namespace } });
    await move('theirs');
    await becomes(all, ['stream', 'mcp']);
    await move('mine');
  });

  test('what a revoked key goes on to write is in no notes', async () => {
    const key = await makeKey();
    const socket = await socketTo(`/v1/coding-sessions/y/${id}`, key.key);
    await once(socket, 'message');
    await daemon.call(keys.revokeKey, { params: { id: key.id } });
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(4401);
  });

  test('who writes much before the relay answers is let go', async () => {
    const { port } = new URL(relay.origin);
    await relay.stop();
    const silent = net.createServer((socket) => left.push(() => socket.destroy()));
    await new Promise<void>((resolve) => silent.listen(Number(port), '127.0.0.1', resolve));
    left.push(() => silent.close());
    const socket = await socketTo(`/v1/coding-sessions/y/${id}`, daemon.ownerKey);
    const ended = Promise.race([
      once(socket, 'close').then(([code]: unknown[]) => code),
      // Answered behind all that was written.
      once(socket, 'pong').then(() => 'open'),
    ]);
    for (let n = 0; n < 9; n += 1) socket.send(Buffer.alloc(127 * 1024));
    socket.ping();
    expect(await ended).toBe(4503);
  });
});
