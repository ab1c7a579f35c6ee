import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Home, homeAt, writePrivateFile } from '../platform/home/home.ts';
import { writeDaemonFile } from '../platform/home/daemon-file.ts';
import { connect, NotRunning } from './connection.ts';

const KEY = 'rv_live_of_a_test';
const NONCE = 'n'.repeat(64);

let home: Home;
let server: http.Server;
let origin: string;
let seen: http.IncomingMessage[];
let answer: http.RequestListener;

beforeEach(async () => {
  home = homeAt(fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-connection-')));
  seen = [];
  server = http.createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  fs.rmSync(home.folder, { recursive: true });
});

function daemonAt(at = origin): void {
  writeDaemonFile(home, { pid: process.pid, origin: at, nonce: NONCE, started_at: 'x', version: '0' });
  writePrivateFile(home.ownerKey, `${KEY}\n`);
}

const json = (body: unknown): http.RequestListener => {
  return (_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(body));
  };
};

function proveWith(key: string, nonce: string): http.RequestListener {
  return (request, response) => {
    const challenge = new URL(request.url ?? '', origin).searchParams.get('challenge') ?? '';
    const proof = createHmac('sha256', key).update(`${nonce}.${challenge}`).digest('hex');
    json(request.url?.startsWith('/v1/identity') ? { proof } : { namespaces: [] })(request, response);
  };
}

describe('a connection', () => {
  test('sends the key to the daemon that has proved itself, and asks anew each time', async () => {
    daemonAt();
    answer = proveWith(KEY, NONCE);
    const { client } = await connect(home);
    await client(listNamespaces, {});
    await connect(home);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, `Bearer ${KEY}`, undefined]);
    expect(seen[0]?.url).toMatch(/challenge=[0-9a-f]{64}$/);
    expect(seen[0]?.url).not.toBe(seen[2]?.url);
  });

  test.each<[string, http.RequestListener]>([
    ['a wrong key', proveWith('another key', NONCE)],
    ['a wrong nonce', proveWith(KEY, 'another nonce')],
    ['a short proof', json({ proof: 'ab' })],
    ['an empty proof', json({ proof: '' })],
    ['something else', json({ hello: 'world' })],
    ['a page', (_request, response) => response.end('<h1>Hello</h1>')],
    ['a refusal', (_request, response) => response.writeHead(404).end()],
    ['a redirect', (_request, response) => response.writeHead(302, { Location: '/v1/other' }).end()],
  ])('sends no key to who answers with %s', async (_what, listener) => {
    daemonAt();
    answer = listener;
    await expect(connect(home)).rejects.toThrow(`Another program answers at ${origin}`);
    expect(seen.length).toBe(1);
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });

  test('says that nothing runs where there is no daemon.json, or nobody listens', async () => {
    await expect(connect(home)).rejects.toThrow(NotRunning);
    daemonAt('http://127.0.0.1:1');
    await expect(connect(home)).rejects.toThrow(/not running.*reverie start/);
  });

  test('takes a stopping daemon for what it is', async () => {
    daemonAt();
    answer = (_request, response) =>
      response
        .writeHead(503, { 'Content-Type': 'application/problem+json' })
        .end(JSON.stringify({ status: 503, code: 'unavailable', title: 'x', detail: 'Reverie is stopping' }));
    await expect(connect(home)).rejects.toThrow('Reverie is stopping');
  });

  test('refuses an address that is none, and a key that others can read', async () => {
    daemonAt('file:///etc/passwd');
    await expect(connect(home)).rejects.toThrow('daemon.json');
    daemonAt();
    fs.chmodSync(home.ownerKey, 0o644);
    await expect(connect(home)).rejects.toThrow('chmod 600');
    fs.rmSync(home.ownerKey);
    await expect(connect(home)).rejects.toThrow('There is no owner key');
    expect(seen).toEqual([]);
  });
});
