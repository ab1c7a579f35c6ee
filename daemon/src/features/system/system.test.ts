import { createHash, createHmac } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as memories from '@reverie/shared/contract/memories/memories';
import { routes } from '@reverie/shared/contract/routes';
import * as contract from '@reverie/shared/contract/system/system';
import { DIAGRAMS_AT } from '@reverie/shared/http/page-policy';
import { seconds } from '@reverie/shared/testing/patience';
import { verifyDatabase } from '../../db/backup/verify.ts';
import { readDaemonFile } from '../../platform/home/daemon-file.ts';
import { type RawResponse, ask, type RawRequest, startTestDaemon, type TestDaemon } from '../../testing.ts';

const anyText: unknown = expect.any(String);

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({
    env: { REVERIE_CORS_ORIGINS: 'https://app.example,http://127.0.0.1:5173' },
  });
});
afterAll(() => daemon.stop());

/** Sends bytes as they are over a socket of their own; answers all that comes back. */
function raw(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(daemon.origin);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.end(`${lines.join('\r\n')}\r\n\r\n`));
    let answer = '';
    socket.on('data', (piece) => (answer += piece.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('every response', () => {
  const asset = () => {
    const folder = path.join(import.meta.dirname, '../../../../app/web/dist/assets');
    return `/assets/${fs.readdirSync(folder)[0] ?? ''}`;
  };
  const cases: [string, number, () => RawRequest][] = [
    ['a success', 200, () => ({ path: '/v1/namespaces' })],
    ['no key', 401, () => ({ path: '/v1/namespaces', key: null })],
    ['a public path', 200, () => ({ path: '/v1/healthz', key: null })],
    ['/healthz', 200, () => ({ path: '/healthz', key: null })],
    ['an unknown path', 404, () => ({ path: '/v1/nothing' })],
    ['an unknown path without a key', 404, () => ({ path: '/v1/nothing', key: null })],
    ['a method that is not served', 405, () => ({ path: '/v1/memory-set', method: 'GET' })],
    ['a method of another protocol', 405, () => ({ path: '/v1/memory-set', method: 'PROPFIND' })],
    ['a foreign Host', 421, () => ({ path: '/v1/healthz', headers: { Host: 'evil.example' } })],
    ['a foreign Origin', 403, () => ({ path: '/v1/healthz', headers: { Origin: 'https://evil.example' } })],
    ['malformed JSON', 400, () => ({ path: '/v1/memory-set', body: '{' })],
    ['a wrong field', 400, () => ({ path: '/v1/memory-set', body: {} })],
    [
      'a wrong content type',
      415,
      () => ({ path: '/v1/memory-set', body: 'x', headers: { 'Content-Type': 'text/plain' } }),
    ],
    ['a body that is too large', 413, () => ({ path: '/v1/memory-set', body: ' '.repeat(9 * 1024 * 1024) })],
    ['a malformed address', 400, () => ({ path: '/v1/%zz' })],
    ['the page', 200, () => ({ path: '/', key: null })],
    [
      'a view of the page',
      200,
      () => ({ path: '/memories/some', key: null, headers: { Accept: 'text/html' } }),
    ],
    ['an asset', 200, () => ({ path: asset(), key: null })],
    ['an asset that is not there', 404, () => ({ path: '/assets/nope-12345678.js', key: null })],
    ['a file that is not there', 404, () => ({ path: '/nope.png', key: null })],
    ['the reference', 200, () => ({ path: '/docs', key: null })],
    ['a script of the reference', 200, () => ({ path: '/docs/start.js', key: null })],
    ['the OpenAPI document', 200, () => ({ path: '/v1/openapi.json', key: null })],
    ['a HEAD request', 200, () => ({ path: '/v1/namespaces', method: 'HEAD' })],
    [
      'a preflight of an allowed page',
      204,
      () => ({
        path: '/v1/memory-set',
        method: 'OPTIONS',
        key: null,
        headers: { Origin: 'https://app.example' },
      }),
    ],
    [
      'a preflight of a foreign page',
      403,
      () => ({
        path: '/v1/memory-set',
        method: 'OPTIONS',
        key: null,
        headers: { Origin: 'https://evil.example' },
      }),
    ],
  ];
  test.each(cases)('%s is a %i and carries the headers', async (_, status, asked) => {
    const answer = await daemon.ask(asked());
    expect(answer.status, answer.text.slice(0, 300)).toBe(status);
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
      expect(answer.headers[name], name).toMatch(/^\d+$/);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
    if (status < 400) return;
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.json).toMatchObject({
      status,
      title: anyText,
      code: anyText,
      type: expect.stringMatching(/^urn:/) as unknown,
      instance: anyText,
      detail: anyText,
    });
    if (status === 405) expect(answer.headers.allow).toBe('POST');
  });

  test.each([
    ['no Host', ['GET /v1/healthz HTTP/1.1', 'Connection: close'], 400],
    ['a header that is none', ['GET /v1/healthz HTTP/1.1', 'Host: x', 'no colon'], 400],
    ['headers of 20 KiB', ['GET /v1/healthz HTTP/1.1', `Host: ${'x'.repeat(20_000)}`], 431],
  ])('%s: even what is hardly HTTP gets an answer with the headers', async (_, lines, status) => {
    const answer = await raw(lines);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nx-ratelimit-limit: \d+\r\n/i);
    expect(answer).toMatch(/\r\ncontent-type: application\/problem\+json/i);
  });

  test('data is never stored by a cache, assets for ever, the page not', async () => {
    const cacheOf = async (asked: RawRequest) => (await daemon.ask(asked)).headers['cache-control'];
    expect(await cacheOf({ path: '/v1/namespaces' })).toBe('no-store');
    expect(await cacheOf({ path: '/' })).toBe('no-store');
    expect(await cacheOf({ path: asset() })).toBe('public, max-age=31536000, immutable');
  });

  test('the page has a strict policy, without foreign or inline scripts', async () => {
    for (const at of ['/', '/index.html', '/memories/x']) {
      const { headers } = await daemon.ask({ path: at, headers: { Accept: 'text/html' } });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
    const { text } = await daemon.ask({ path: '/' });
    expect(text).not.toMatch(/https?:\/\/(?!127)/);
  });

  test('what draws diagrams has no origin, runs nothing but itself and loads nothing, for a frame of the page alone', async () => {
    const { headers, text } = await daemon.ask({ path: DIAGRAMS_AT });
    expect(headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts; default-src 'none'; .*frame-ancestors 'self'$/,
    );
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    const [, hash] =
      /<meta charset="utf-8" \/><meta http-equiv="Content-Security-Policy" content="script-src 'sha256-([^']+)'">/.exec(
        text,
      ) ?? [];
    const [, script = ''] = /<script type="module">(.*)<\/script><\/body>/s.exec(text) ?? [];
    expect(hash).toBe(createHash('sha256').update(script).digest('base64'));
    expect(text.match(/<script\b[^>]*\bsrc=|<link\b/g)).toBe(null);
  });

  test.each([
    '/../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2f..%2fpackage.json',
    '//etc/passwd.txt',
    '/docs/../../package.json',
    '/.env',
  ])('%s leads out of nowhere', async (at) => {
    const { status, text } = await daemon.ask({ path: at, key: null });
    expect([400, 403, 404]).toContain(status);
    expect(text).not.toMatch(/"workspaces"|root:/);
  });
});

describe('a stranger’s page', () => {
  const from = (headers: Record<string, string>, more: Partial<RawRequest> = {}): Promise<RawResponse> =>
    daemon.ask({ path: '/v1/namespaces', headers, ...more });

  test('finds no other name for the daemon', async () => {
    const { port } = new URL(daemon.origin);
    for (const Host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect((await from({ Host })).status, Host).toBe(200);
    for (const Host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      'localhost',
      `localhost:${Number(port) + 1}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.:${port}`,
      `0.0.0.0:${port}`,
      `user@127.0.0.1:${port}`,
    ])
      for (const at of ['/v1/namespaces', '/', '/healthz', '/docs', '/nothing', '/v1/stream'])
        expect((await from({ Host }, { path: at, headers: { Host } })).status, `${Host} ${at}`).toBe(421);
  });

  test('is refused by its Origin, whatever it asks for', async () => {
    const { port } = new URL(daemon.origin);
    for (const Origin of [
      'https://evil.example',
      'null',
      'file://',
      '',
      `http://127.0.0.1:${Number(port) + 1}`,
      `https://127.0.0.1:${port}`,
      `${daemon.origin}.evil.example`,
      `${daemon.origin}/`,
      'https://app.example.evil.example',
      'http://app.example',
      'https://APP.example',
    ])
      for (const at of ['/v1/namespaces', '/', '/v1/healthz']) {
        const answer = await from({ Origin }, { path: at });
        expect([answer.status, answer.json.code], Origin).toEqual([403, 'foreign_origin']);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    expect((await from({ Origin: daemon.origin })).status).toBe(200);
  });

  test.each(routes.map((route) => [route.id, route] as const))(
    'is refused %s by its Origin, with the owner key, too',
    async (_, { method, path: form }) => {
      const at = `/v1${form.replaceAll(/\{\w+\}/g, 'x')}`;
      for (const Origin of ['https://evil.example', 'null', `${daemon.origin}.evil.example`]) {
        const answer = await daemon.ask({ method, path: at, headers: { Origin } });
        expect([Origin, answer.status, answer.json.code]).toEqual([Origin, 403, 'foreign_origin']);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    },
  );

  test.each(['/mcp', '/metrics', '/v1/stream', '/docs', '/assets/x.js', '/v1/nothing', '/nothing'])(
    'is refused %s by its Origin, and by name',
    async (at) => {
      for (const headers of [{ Origin: 'https://evil.example' }, { Origin: 'null' }])
        expect((await daemon.ask({ path: at, headers })).json.code).toBe('foreign_origin');
    },
  );

  test('of a configured origin is answered with CORS, exactly', async () => {
    const Origin = 'https://app.example';
    const answer = await from({ Origin });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': Origin,
      vary: expect.stringContaining('Origin') as unknown,
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const preflight = await daemon.ask({
      path: '/v1/memory-set',
      method: 'OPTIONS',
      key: null,
      headers: { Origin, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers['access-control-allow-headers']).toMatch(/Authorization.*Idempotency-Key/);
    expect((await from({ Origin }, { key: null })).status).toBe(401);
  });

  test('changes nothing without an Origin either (Sec-Fetch-Site)', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    const body = { key: 'k', value: 'v' };
    expect((await daemon.ask({ path: '/v1/memory-set', headers, body })).status).toBe(403);
    expect((await daemon.ask({ path: '/v1/tickets/redeem', headers, body: { ticket: 'x' } })).status).toBe(
      403,
    );
    expect((await daemon.ask({ path: '/', headers })).status).toBe(200);
  });

  test('::1 serves as 127.0.0.1 does', async () => {
    const { port } = new URL(daemon.origin);
    const answer = await ask(`http://[::1]:${port}`, { path: '/v1/namespaces', key: daemon.ownerKey });
    expect(answer.status).toBe(200);
    const foreign = await ask(`http://[::1]:${port}`, {
      path: '/v1/healthz',
      headers: { Host: 'evil.example' },
    });
    expect(foreign.status).toBe(421);
  });
});

describe('the OpenAPI document', () => {
  type Node = Record<string, unknown>;
  let document: Node;
  beforeAll(async () => {
    document = (await daemon.ask({ path: '/v1/openapi.json', key: null })).json;
  });
  function* nodes(node: unknown): Generator<Node> {
    if (typeof node !== 'object' || node === null) return;
    if (!Array.isArray(node)) yield node as Node;
    for (const inner of Object.values(node)) yield* nodes(inner);
  }
  const at = (pointer: string) =>
    pointer
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (node, name) => (node as Node | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      );

  test('has every route of the contract, each operation once', () => {
    const paths = document['paths'] as Record<string, Record<string, Node>>;
    for (const route of routes)
      expect(paths[route.path]?.[route.method.toLowerCase()]?.['operationId'], route.path).toBe(route.id);
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids).toHaveLength(routes.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(routes.map((route) => [route.id, route] as const))(
    'names what %s refuses like any other',
    async (_, { method, path: form }) => {
      const where = `/v1${form.replaceAll(/\{\w+\}/g, 'x')}`;
      const asked: RawRequest[] = [
        { method, path: `${where}?unknown=1` },
        { method, path: where, headers: { 'X-Reverie-Account': 'acc_nobody' } },
        ...(method === 'GET'
          ? []
          : [{ method, path: where, headers: { 'Content-Type': 'text/plain' }, body: 'x' }]),
      ];
      const operation = (document['paths'] as Record<string, Record<string, Node>>)[form]?.[
        method.toLowerCase()
      ];
      const documented = Object.keys(operation?.['responses'] as Node).map(Number);
      for (const one of asked) {
        const { status } = await daemon.ask(one);
        expect([400, 404, 415]).toContain(status);
        expect(documented).toContain(status);
      }
    },
  );

  test('is OpenAPI 3.1: its references lead somewhere, its parameters and schemas are sound', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d$/) as unknown,
      info: { title: anyText, version: anyText },
    });
    for (const node of nodes(document)) {
      const ref = node['$ref'];
      if (typeof ref === 'string') expect(at(ref), ref).toBeTypeOf('object');
      expect(node).not.toHaveProperty('nullable');
    }
    const operations = Object.entries(document['paths'] as Record<string, Record<string, Node>>).flatMap(
      ([where, methods]) => Object.values(methods).map((operation) => ({ where, operation })),
    );
    for (const { where, operation } of operations) {
      const parameters = (operation['parameters'] ?? []) as {
        name: string;
        in: string;
        required?: boolean;
        schema: object;
      }[];
      const inPath = parameters.filter((one) => one.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`).sort()).toEqual(
        [...where.matchAll(/\{\w+\}/g)].map(([name]) => name).sort(),
      );
      expect(inPath.every(({ required }) => required)).toBe(true);
      for (const { description, content } of Object.values(
        operation['responses'] as Record<string, { description: string; content: Node }>,
      )) {
        expect(description).toBeTypeOf('string');
        expect(Object.keys(content)).toHaveLength(1);
      }
    }
    const known = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];
    const schemas = [...nodes((document['components'] as Node)['schemas']), ...nodes(document['paths'])];
    // `type` is also the name of a property of events, whose value is a schema.
    for (const { type, required, properties } of schemas) {
      if (typeof type === 'string' || Array.isArray(type))
        expect(known).toEqual(expect.arrayContaining([type].flat()));
      if (Array.isArray(required) && properties)
        expect(Object.keys(properties)).toEqual(expect.arrayContaining(required as string[]));
    }
    expect(schemas.length).toBeGreaterThan(100);
  });
});

describe('system', () => {
  // One for each test: what they count is their own.
  let daemon: TestDaemon;
  beforeEach(async () => {
    daemon = await startTestDaemon();
  });
  afterEach(() => daemon.stop());
  const storeOne = () =>
    daemon.call(memories.setMemory, { body: { key: 'k', value: 'été', namespace: 'n' } });

  test('healthz is open and tells nothing of what is stored', async () => {
    const answer = await daemon.ask({ path: '/healthz', key: null });
    expect(answer.json).toEqual({
      status: 'ready',
      indexing: { pending: 0, facts_pending: 0 },
      embedder: { state: 'ok', since: expect.any(String) as string, error: null },
      language_model: null,
      storage: { state: 'ok', since: null, log_waits_since: null },
    });
  });

  test('identity proves that the daemon knows the owner key', async () => {
    const challenge = 'ab'.repeat(32);
    const nonce = readDaemonFile(daemon.home)?.nonce ?? '';
    const { proof } = await daemon.as(undefined)(contract.identity, { query: { challenge } });
    expect(proof).toBe(createHmac('sha256', daemon.ownerKey).update(`${nonce}.${challenge}`).digest('hex'));
    for (const wrong of ['', 'zz'.repeat(16), 'a'.repeat(31), 'a'.repeat(129)])
      expect((await daemon.ask({ path: `/v1/identity?challenge=${wrong}`, key: null })).status).toBe(400);
  });

  test('what its file says of identity is what it answers', async () => {
    const known = readDaemonFile(daemon.home)?.known;
    if (!known) throw new Error('daemon.json has no proof');
    const query = { challenge: known.challenge };
    expect(await daemon.as(undefined)(contract.identity, { query })).toEqual({ proof: known.proof });
  });

  test('status counts what is stored', async () => {
    await storeOne();
    // A fresh home has looked a moment after its start whether an older program cut something otherwise.
    await vi.waitFor(
      async () =>
        expect(await daemon.call(contract.status, {})).toMatchObject({
          memories: 1,
          namespaces: 1,
          bytes: 5,
          embedder: { total: 1, embedded: 1 },
          indexing: { pending: 0 },
        }),
      { timeout: seconds(5) },
    );
  });

  test('metrics are for Prometheus', async () => {
    await storeOne();
    const text = await daemon.call(contract.metrics, {});
    expect(text).toMatch(/^reverie_memories 1$/m);
    expect(text).toMatch(/^reverie_http_requests_total\{.*route="\/memory-set".*\} 1$/m);
  });

  test('a backup is a sound database of mode 0600, made once under its name', async () => {
    await storeOne();
    const made = await daemon.call(contract.createBackup, { body: { name: 'one.db' } });
    expect(made).toMatchObject({
      file: path.join(daemon.home.backups, 'one.db'),
      memories: 1,
      bytes: fs.statSync(made.file).size,
    });
    expect(fs.statSync(made.file).mode & 0o777).toBe(0o600);
    const again = await daemon.ask({ path: '/v1/backup', body: { name: 'one.db' } });
    expect([again.status, again.json.code]).toEqual([409, 'conflict']);
    expect(fs.readdirSync(daemon.home.backups)).toEqual(['one.db']);
    expect(verifyDatabase(made.file)).toMatchObject({ memories: 1, problems: [] });
    for (const name of ['../x.db', 'a/b', '.hidden', '', 'x'.repeat(101)])
      expect((await daemon.ask({ path: '/v1/backup', body: { name } })).status).toBe(400);
  });

  test('files of the home are the user’s alone, and daemon.json says where to find it', () => {
    expect(fs.statSync(daemon.home.folder).mode & 0o777).toBe(0o700);
    for (const file of [
      daemon.home.ownerKey,
      daemon.home.apiKey,
      daemon.home.daemon,
      daemon.home.database,
      `${daemon.home.database}-wal`,
    ])
      expect(fs.statSync(file).mode & 0o777, file).toBe(0o600);
    expect(readDaemonFile(daemon.home)).toMatchObject({ pid: process.pid, origin: daemon.origin });
  });
});
