import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../daemon/src/testing.ts';
import { steadyPort } from '../testing/steady-port.ts';
import {
  createReverie,
  dreams,
  type Followed,
  memories,
  type Reverie,
  type ReverieOptions,
} from './main.ts';

let daemon: TestDaemon;
/** What was waited for, ms; tests wait for none of it. */
let waits: number[];
const stops: (() => Promise<void> | void)[] = [];
beforeEach(async () => {
  daemon = await startTestDaemon({ env: { REVERIE_PORT: String(await steadyPort()) } });
  stops.push(() => daemon.stop());
  waits = [];
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const surroundings = {
  pause: async (ms: number) => {
    waits.push(ms);
  },
  random: () => 0,
};
const reverie = (options: Partial<ReverieOptions> = {}): Reverie =>
  createReverie({ origin: daemon.origin, key: daemon.ownerKey, surroundings, ...options });
const remember = (key: string, value = 'x') => ({ body: { key, value } });

/** What a proxy does with one request: hands it on, or answers itself; `after` answers itself once the daemon has done it. */
type Fate = 'through' | { status: number; headers?: Record<string, string>; after?: true } | 'cut after';

/** A server between a program and the daemon, whose requests go as the list says, and through afterwards. */
async function proxy(fates: Fate[]) {
  const seen: { path: string; key: string | undefined }[] = [];
  const server = http.createServer((request, response) => {
    const fate = fates.shift() ?? 'through';
    seen.push({ path: request.url ?? '', key: request.headers['idempotency-key']?.toString() });
    const answer = async (): Promise<void> => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      if (typeof fate === 'object' && !fate.after)
        return void response.writeHead(fate.status, fate.headers).end();
      const { method = 'GET', url = '', headers } = request;
      const reply = await fetch(daemon.origin + url, {
        method,
        headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' && !/^(host|connection|content-length|transfer-encoding)$/.test(name)
            ? [[name, value]]
            : [],
        ),
        ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
      });
      const text = await reply.text();
      if (fate === 'cut after') return void response.destroy();
      if (fate !== 'through') return void response.writeHead(fate.status, fate.headers).end();
      response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' }).end(text);
    };
    answer().catch((cause: unknown) =>
      response.destroy(cause instanceof Error ? cause : new Error(String(cause))),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, seen };
}

describe('retries', () => {
  test.each<[string, Fate[]]>([
    ['429 and 503, before it is stored', [{ status: 429, headers: { 'Retry-After': '2' } }, { status: 503 }]],
    ['502 and a connection that breaks, after it is stored', [{ status: 502, after: true }, 'cut after']],
  ])('%s: a memory is stored once, with one key for all tries', async (_, fates) => {
    const { origin, seen } = await proxy(fates);
    await reverie({ origin }).call(memories.setMemory, remember('a'));
    expect(seen.map(({ path }) => path)).toEqual(Array(3).fill('/v1/memory-set'));
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    const { events } = await daemon.call((await import('./main.ts')).events.listEvents, {
      query: { family: 'memory' },
    });
    expect(events.map(({ type }) => type)).toEqual(['memory.write']);
  });

  test('waits as long as Retry-After says, else twice as long each time and by chance', async () => {
    const { origin } = await proxy([
      { status: 503 },
      { status: 503 },
      { status: 429, headers: { 'Retry-After': '3' } },
    ]);
    await reverie({ origin }).call(memories.setMemory, remember('a'));
    expect(waits).toEqual([125, 250, 3000]);
    waits = [];
    const other = await proxy([{ status: 503 }, { status: 503 }]);
    await reverie({ origin: other.origin, surroundings: { ...surroundings, random: () => 1 } }).call(
      memories.setMemory,
      remember('a'),
    );
    expect(waits).toEqual([250, 500]);
  });

  test('a quota that is used up for days is not waited for', async () => {
    const { origin, seen } = await proxy([{ status: 429, headers: { 'Retry-After': '86400' } }]);
    await expect(reverie({ origin }).call(memories.setMemory, remember('a'))).rejects.toMatchObject({
      status: 429,
    });
    expect([seen.length, waits]).toEqual([1, []]);
  });

  test('what may have happened, and would happen again, is not repeated', async () => {
    await daemon.call(memories.setMemory, remember('a'));
    const { origin, seen } = await proxy([{ status: 503, after: true }]);
    const deleted = reverie({ origin }).call(memories.deleteMemory, { body: { key: 'a' } });
    await expect(deleted).rejects.toMatchObject({ status: 503 });
    expect(seen).toHaveLength(1);
  });

  test('what is wrong is not tried again, and says its code', async () => {
    await expect(reverie().call(memories.getMemory, { body: { key: 'none' } })).rejects.toMatchObject({
      name: 'ApiError',
      code: 'memory_not_found',
      status: 404,
    });
    await expect(reverie({ key: 'rvk_wrong' }).call(memories.listNamespaces, {})).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(waits).toEqual([]);
  });

  test('where nothing answers it gives up after five tries', async () => {
    await daemon.stop();
    stops.shift();
    const gone = reverie().call(memories.listNamespaces, {});
    await expect(gone).rejects.toMatchObject({ code: 'unreachable' });
    expect(waits).toHaveLength(4);
  });

  test('an aborted call ends at once, also while it waits', async () => {
    const { origin } = await proxy(Array<Fate>(5).fill({ status: 503 }));
    const stop = new AbortController();
    const { pause } = await import('./retries.ts');
    const waiting = (ms: number, signal: AbortSignal | undefined): Promise<void> => {
      queueMicrotask(() => stop.abort());
      return pause(ms * 1000, signal);
    };
    const call = reverie({ origin, surroundings: { pause: waiting } }).call(
      memories.listNamespaces,
      {},
      { signal: stop.signal },
    );
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('pages', () => {
  const fill = async (count: number) => {
    for (let from = 0; from < count; from += 500)
      await daemon.call(memories.storeBatch, {
        body: {
          items: Array.from({ length: Math.min(500, count - from) }, (_, n) => ({
            key: `k${from + n}`,
            value: `memory ${from + n}`,
          })),
        },
      });
  };

  test('2,500 memories, each once', async () => {
    await fill(2500);
    const keys: string[] = [];
    for await (const { key } of reverie().memories({ limit: 300, values: false })) keys.push(key);
    expect([keys.length, new Set(keys).size]).toEqual([2500, 2500]);
  });

  test('none is left out, and none comes twice, while memories before it are deleted', async () => {
    await fill(60);
    const keys: string[] = [];
    for await (const { key } of reverie().memories({ limit: 10 })) {
      keys.push(key);
      // Each third one goes away behind the reader.
      if (keys.length % 3 === 0) await daemon.call(memories.deleteMemory, { body: { key } });
    }
    expect([keys.length, new Set(keys).size]).toEqual([60, 60]);
  });

  test('a route that names its next page, by cursor and by key', async () => {
    await fill(25);
    const keys: string[] = [];
    for await (const page of reverie().pages(memories.memoryKeys, { query: { limit: 10 } }))
      keys.push(...page.keys);
    expect(new Set(keys).size).toBe(25);
    for (let n = 0; n < 5; n += 1) await daemon.call(dreams.startDream, { body: { strategies: ['refine'] } });
    const sizes: number[] = [];
    for await (const { jobs } of reverie().pages(dreams.listDreams, { query: { limit: 2 } }))
      sizes.push(jobs.length);
    expect(sizes).toEqual([2, 2, 1]);
  });
});

describe('the stream', () => {
  /** Reads until there are so many events, and answers their keys. */
  async function keysOf(
    stream: AsyncIterable<Followed>,
    count: number,
    onEach?: (n: number) => Promise<void>,
  ) {
    const keys: unknown[] = [];
    for await (const followed of stream) {
      if (followed.kind !== 'event') continue;
      keys.push(followed.event.data.after?.['key']);
      await onEach?.(keys.length);
      if (keys.length === count) break;
    }
    return keys;
  }
  const store = (n: number) => daemon.call(memories.setMemory, remember(`k${n}`));
  const expected = (count: number) => Array.from({ length: count }, (_, n) => `k${n}`);

  test('goes on across a restart: nothing is lost, and nothing comes twice', async () => {
    for (let n = 0; n < 10; n += 1) await store(n);
    const stream = reverie().events({ topics: ['memory'], since: 0 });
    const keys = await keysOf(stream, 30, async (n) => {
      if (n !== 5) return;
      for (let m = 10; m < 20; m += 1) await store(m);
      await daemon.restart();
      for (let m = 20; m < 30; m += 1) await store(m);
    });
    expect(keys).toEqual(expected(30));
  });

  test('a slow reader, far behind, gets all of it', async () => {
    const items = Array.from({ length: 500 }, (_, n) => n);
    for (const part of [0, 1, 2, 3, 4])
      await daemon.call(memories.storeBatch, {
        body: { items: items.map((n) => ({ key: `k${part * 500 + n}`, value: 'x' })) },
      });
    expect(await keysOf(reverie().events({ topics: ['memory.write'], since: 0 }), 2500)).toEqual(
      expected(2500),
    );
  });

  test('says that events were missed where the log is another one', async () => {
    await store(0);
    const stream = reverie().events({ since: 0, logId: 'another' });
    expect((await stream.next()).value).toMatchObject({ kind: 'reset', reason: 'other_log' });
    expect((await stream.next()).value).toMatchObject({ kind: 'event', event: { type: 'memory.write' } });
    await stream.return();
  });

  test('ends with the signal', async () => {
    const stop = new AbortController();
    const next = reverie().events({ signal: stop.signal }).next();
    stop.abort();
    await expect(next).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('says that the key does not work', async () => {
    await expect(reverie({ key: 'rvk_wrong' }).events().next()).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});
