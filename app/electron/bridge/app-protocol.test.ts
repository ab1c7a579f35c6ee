import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createTicket } from '@reverie/shared/contract/accounts/keys';
import { DIAGRAMS_AT, PAGE_POLICY } from '@reverie/shared/http/page-policy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../daemon/src/cli/connection.ts';
import { type Running, startDaemon } from '../../../daemon/src/main.ts';
import { readDaemonFile } from '../../../daemon/src/platform/home/daemon-file.ts';
import { homeAt } from '../../../daemon/src/platform/home/home.ts';
import { answerPages } from './app-protocol.ts';
import { createLines, type Lines } from './lines.ts';

let folder: string;
let daemon: Running;
let lines: Lines;
let answer: (request: Request) => Promise<Response>;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-app-'));
  const home = homeAt(path.join(folder, 'home'));
  daemon = await startDaemon({
    env: { REVERIE_HOME: home.folder, REVERIE_LOG_LEVEL: 'silent' },
    flags: { port: '0' },
  });
  const page = path.join(folder, 'page');
  fs.mkdirSync(path.join(page, 'assets'), { recursive: true });
  fs.writeFileSync(path.join(page, 'index.html'), '<!doctype html><title>Reverie</title>');
  fs.writeFileSync(path.join(page, DIAGRAMS_AT), '<!doctype html><title>Diagram</title>');
  fs.writeFileSync(path.join(page, 'assets/a.js'), 'export {};');
  fs.writeFileSync(path.join(folder, 'secret.js'), 'outside');
  lines = createLines({
    async prove(fetch) {
      const { origin, daemon: found } = await connect(home, {}, fetch);
      return { origin, nonce: found.nonce };
    },
    nonceNow: () => readDaemonFile(home)?.nonce,
    now: () => performance.now(),
  });
  answer = answerPages({
    folder: page,
    lines,
    ticket: async () => (await (await connect(home, {})).client(createTicket, {})).ticket,
  });
});

afterAll(async () => {
  lines.close();
  await daemon.stop();
  fs.rmSync(folder, { recursive: true });
});

const at = (place: string, init?: RequestInit) => answer(new Request(`app://reverie${place}`, init));
const posted = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

async function signedIn(): Promise<{ authorization: string }> {
  const { ticket } = (await (await at('/desktop/ticket', { method: 'POST' })).json()) as { ticket: string };
  const { token } = (await (await at('/v1/tickets/redeem', posted({ ticket }))).json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

test('every view is the page, with the policy that the daemon gives it', async () => {
  for (const place of ['/', '/tray', '/memories?namespace=a%2Fb&key=c.d']) {
    const reply = await at(place);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.headers.get('content-security-policy')).toBe(PAGE_POLICY);
    expect(await reply.text()).toContain('<title>Reverie</title>');
  }
  const { headers } = await at(DIAGRAMS_AT);
  expect(headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none';/);
  expect((await at('/assets/a.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test.each([
  '/..%2fsecret.js',
  '/assets/..%2f..%2fsecret.js',
  '/%5c..%5csecret.js',
  '/%00.js',
  '/%ff.js',
  '/none.js',
])('nothing outside of the page is served: %s', async (place) => expect((await at(place)).status).toBe(404));

test('a window trades its ticket for a session, and asks the daemon with it', async () => {
  const headers = await signedIn();
  const set = await at('/v1/memory-set', posted({ key: 'tea', value: 'Green tea at 80 degrees' }, headers));
  expect(set.status).toBe(200);
  const found = await at('/v1/memory-get', posted({ key: 'tea' }, headers));
  expect(await found.json()).toMatchObject({ value: 'Green tea at 80 degrees' });
  expect((await at('/v1/memory-get', posted({ key: 'tea' }))).status).toBe(401);
});

test('a ticket is for a POST of our own page alone', async () => {
  expect((await at('/desktop/ticket')).status).toBe(405);
  for (const headers of [{ origin: 'https://example.com' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await at('/desktop/ticket', { method: 'POST', headers })).status).toBe(403);
  expect((await at('/v1/status', { headers: { origin: 'null' } })).status).toBe(403);
  expect((await answer(new Request('app://reverie.example/', {}))).status).toBe(404);
});

test('the stream comes as lines, and ends with the daemon told', async () => {
  const headers = await signedIn();
  const over = new AbortController();
  const reply = await at('/v1/stream', { headers, signal: over.signal });
  expect(reply.status).toBe(200);
  if (!reply.body) throw new Error('The stream has no body');
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  await at('/v1/memory-set', posted({ key: 'soup', value: 'Lentils' }, headers));
  let text = '';
  while (!text.includes('"soup"')) text += (await reader.read()).value ?? '';
  expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'memory.write' });
  over.abort();
  while (!(await reader.read()).done);
  expect((await at('/v1/stream')).status).toBe(401);
  expect((await at('/v1/stream', { headers: { authorization: 'Bearer no' } })).status).toBe(401);
});

test('where no daemon proves itself, the page is told that it waits', async () => {
  const away = answerPages({
    folder,
    lines: createLines({
      prove: async () => Promise.reject(new Error('Reverie is not running.')),
      nonceNow: () => undefined,
      now: () => 0,
    }),
    ticket: async () => Promise.reject(new Error('Reverie is not running.')),
  });
  for (const place of ['/v1/status', '/v1/stream', '/desktop/ticket']) {
    const reply = await away(
      new Request(`app://reverie${place}`, {
        method: place === '/desktop/ticket' ? 'POST' : 'GET',
        headers: { authorization: 'Bearer x' },
      }),
    );
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ code: 'unavailable', detail: 'Reverie is not running.' });
  }
});
