import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { NOTES_PATH } from '@reverie/shared/contract/sessions/session-sharing';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { openNotes, type NotesState } from '../../web/features/sessions/reader/shared-notes/open-notes.ts';
import { startNotesServer } from '../../web/features/sessions/testing/notes-server.ts';
import { AppSocket } from '../../web/platform/daemon/app-socket.ts';
import { answerPages } from './app-protocol.ts';
import { oneConnection } from './line.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** The app over a daemon at `host`; what a page fetches goes to it. */
function appOver(host: string): (path: string, init?: RequestInit) => Promise<Response> {
  const origin = new URL(`http://${host}`);
  const answer = answerPages({
    folder: '/nowhere',
    lines: {
      send: async () => Promise.reject(new Error('nothing is called')),
      take: async () => ({ agent: oneConnection(origin), origin, nonce: 'one' }),
      close: () => undefined,
    },
    ticket: async () => Promise.reject(new Error('nobody signs in')),
  });
  const ask = (path: string, init?: RequestInit) => answer(new Request(`app://reverie${path}`, init));
  vi.stubGlobal('fetch', ask);
  ends.push(() => vi.unstubAllGlobals());
  return ask;
}

/** A server that tells what it was asked and what it got, and lets a test say something. */
async function startServer() {
  const server = http.createServer();
  const sockets = new WebSocketServer({ server });
  const asked: string[] = [];
  const got: string[] = [];
  sockets.on('connection', (socket, request) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    socket.on('message', (data: Buffer) => got.push(data.toString()));
    socket.send('first');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  ends.push(() => {
    for (const one of sockets.clients) one.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, got, sockets, host: `127.0.0.1:${port}` };
}

function openSocket(key = 'key-1') {
  const socket = new AppSocket(`ws://reverie${NOTES_PATH}/room-1`, ['v1', `bearer.${key}`]);
  const told: string[] = [];
  socket.onopen = () => told.push('open');
  socket.onmessage = ({ data }) => told.push(new TextDecoder().decode(data));
  socket.onclose = ({ code }) => told.push(`closed ${code}`);
  ends.push(() => socket.close());
  return { socket, told };
}

test('two windows write one text, and see each other', async () => {
  const server = await startNotesServer();
  ends.push(() => server.stop());
  appOver(server.host);
  const join = (name: string) => {
    const states: NotesState[] = [];
    const place = { address: `ws://reverie${NOTES_PATH}`, room: 'room-1', name, token: name, isInApp: true };
    const notes = openNotes(place, (state) => states.push(state));
    ends.push(() => notes.close());
    return { notes, now: () => states.at(-1) };
  };
  const ada = join('Ada');
  await expect.poll(() => ada.now()?.link).toBe('open');
  ada.notes.write('Ask Mira.', 9);
  const grace = join('Grace');
  await expect.poll(() => grace.now()?.text).toBe('Ask Mira.');
  await expect.poll(() => [ada.now()?.people, grace.now()?.people]).toEqual([['Grace'], ['Ada']]);
  grace.notes.write('Ask Mira today.', 14);
  await expect.poll(() => ada.now()?.text).toBe('Ask Mira today.');
  grace.notes.close();
  await expect.poll(() => ada.now()?.people).toEqual([]);
});

test('messages go both ways in their order, with the key in a header', async () => {
  const { asked, got, host } = await startServer();
  appOver(host);
  const { socket, told } = openSocket();
  await expect.poll(() => told).toEqual(['open', 'first']);
  const sent = Array.from({ length: 50 }, (_, at) => `message ${at}`);
  for (const one of sent) socket.send(new TextEncoder().encode(one));
  await expect.poll(() => got).toEqual(sent);
  expect(asked).toEqual([`${NOTES_PATH}/room-1 Bearer key-1`]);
});

test('the code of a close arrives, and so does the end of a connection', async () => {
  const { sockets, host } = await startServer();
  appOver(host);
  const one = openSocket();
  await expect.poll(() => one.told.length).toBe(2);
  for (const client of sockets.clients) client.close(4404, 'gone');
  await expect.poll(() => one.told.at(-1)).toBe('closed 4404');
  const two = openSocket();
  await expect.poll(() => two.told.length).toBe(2);
  for (const client of sockets.clients) client.terminate();
  await expect.poll(() => two.told.at(-1)).toBe('closed 1006');
});

test('a page that left while a socket was opened keeps none', async () => {
  const { asked, sockets, host } = await startServer();
  const ask = appOver(host);
  const over = new AbortController();
  const headers = { authorization: 'Bearer key-1' };
  const asking = ask(`${NOTES_PATH}/room-1`, { headers, signal: over.signal });
  over.abort();
  await asking;
  await expect.poll(() => [asked.length, sockets.clients.size]).toEqual([1, 0]);
});

test('what a page leaves is closed, and nobody else sends over a socket', async () => {
  const { got, sockets, host } = await startServer();
  const ask = appOver(host);
  const { socket, told } = openSocket();
  await expect.poll(() => told.length).toBe(2);
  const post = (headers: Record<string, string>) =>
    ask(`${NOTES_PATH}/room-1`, { method: 'POST', body: 'not mine', headers });
  expect((await post({ authorization: 'Bearer key-1' })).status).toBe(404);
  expect((await post({ authorization: 'Bearer key-1', 'x-reverie-socket': 'another' })).status).toBe(404);
  expect((await ask(`${NOTES_PATH}/room-1`)).status).toBe(401);
  const over = new AbortController();
  const reply = await ask(`${NOTES_PATH}/room-1`, {
    headers: { authorization: 'Bearer key-2' },
    signal: over.signal,
  });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = JSON.parse((await reader?.read())?.value?.split('\n')[0] ?? '') as { socket: string };
  const stolen = { authorization: 'Bearer key-1', 'x-reverie-socket': first.socket };
  expect((await post(stolen)).status).toBe(404);
  expect((await post({ ...stolen, authorization: 'Bearer key-2' })).status).toBe(204);
  await expect.poll(() => got).toEqual(['not mine']);
  over.abort();
  await expect.poll(() => sockets.clients.size).toBe(1);
  expect((await post({ ...stolen, authorization: 'Bearer key-2' })).status).toBe(404);
  socket.close();
  await expect.poll(() => sockets.clients.size).toBe(0);
  expect(told.at(-1)).toBe('closed 1000');
});
