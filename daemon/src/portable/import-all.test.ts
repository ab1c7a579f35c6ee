import {
  importMemories,
  type importOutcomes,
  type PortableMemory,
} from '@reverie/shared/contract/memories/portable';
import { ApiError, type Client } from '@reverie/shared/client';
import { describe, expect, test } from 'vitest';
import { batchLimits, importAll, type ImportProgress } from './import-all.ts';
import { skip, type ReadItem } from '@reverie/memory-formats/reader';

type Items = readonly PortableMemory[];
type Outcome = (typeof importOutcomes)[number];

/**
 * A server that does what the contract says of an import: it knows the source of each memory, and whether the
 * memory was edited since.
 */
function fakeServer() {
  const deleted = new Set<string>();
  const stored = new Map<string, { memory: PortableMemory; edited: boolean }>();
  const batches: { items: Items; dryRun: boolean }[] = [];
  let failing: Error | undefined;
  const addressOf = ({ namespace, key }: Pick<PortableMemory, 'namespace' | 'key'>) => `${namespace} ${key}`;

  function outcomeOf(item: PortableMemory, restore: boolean): Outcome {
    const there = stored.get(addressOf(item));
    if (!there && deleted.has(addressOf(item))) return restore ? 'restored' : 'deleted_here';
    if (!there) return 'created';
    if (there.memory.source?.hash === item.source?.hash) return 'unchanged';
    return there.edited ? 'kept' : 'updated';
  }

  const call = async (sent: { body: { items: Items; dry_run?: boolean; restore?: boolean } }) => {
    if (failing) throw failing;
    const { items, dry_run, restore } = importMemories.body.parse(sent.body);
    batches.push({ items, dryRun: dry_run });
    const outcomes = items.map((item) => {
      const outcome = outcomeOf(item, restore);
      if (!dry_run && ['created', 'updated', 'restored'].includes(outcome))
        stored.set(addressOf(item), { memory: item, edited: false });
      return outcome;
    });
    const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
    return {
      success: true,
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      kept: count('kept'),
      deleted_here: count('deleted_here'),
      restored: count('restored'),
      outcomes,
    };
  };
  const client: Client = async (_route, sent) => (await call(sent as never)) as never;
  return {
    client,
    stored,
    batches,
    edit: (address: string) => {
      const there = stored.get(address);
      if (there) stored.set(address, { ...there, edited: true });
    },
    delete: (address: string) => stored.delete(address) && deleted.add(address),
    fail: (error: Error | undefined) => (failing = error),
  };
}

function memory(key: string, more: Partial<PortableMemory> = {}): ReadItem {
  const value = more.value ?? `value of ${key}`;
  return {
    kind: 'memory',
    memory: {
      key,
      namespace: 'default',
      value,
      source: { id: `test:${key}`, hash: value.slice(0, 100) },
      ...more,
    },
  };
}

async function* from(...found: ReadItem[]): AsyncGenerator<ReadItem> {
  yield* found;
}

describe('an import', () => {
  test('reports what was created, updated, unchanged, kept and skipped; twice changes nothing', async () => {
    const server = fakeServer();
    const first = await importAll({
      client: server.client,
      found: from(memory('a'), skip('x.png', 'binary', 'is no text'), memory('b'), memory('c')),
    });
    expect(first).toMatchObject({
      created: 3,
      updated: 0,
      unchanged: 0,
      kept: [],
      ended: { kind: 'complete' },
    });
    expect(first.skipped).toEqual([{ path: 'x.png', reason: 'binary', detail: 'is no text' }]);
    expect(first.valueBytes).toBe(3 * 'value of a'.length);
    const second = await importAll({
      client: server.client,
      found: from(memory('a'), memory('b'), memory('c')),
    });
    expect(second).toMatchObject({ created: 0, unchanged: 3 });
    server.edit('default b');
    const third = await importAll({
      client: server.client,
      found: from(memory('a', { value: 'new' }), memory('b', { value: 'new' })),
    });
    expect(third).toMatchObject({ updated: 1, kept: [{ namespace: 'default', key: 'b', source: 'test:b' }] });
  });

  test('names what was deleted here, and brings it back where that is asked for', async () => {
    const server = fakeServer();
    const found = () => from(memory('a'), memory('b'), skip('c.md', 'empty', 'has no bytes'));
    await importAll({ client: server.client, found: found() });
    server.delete('default b');
    const second = await importAll({ client: server.client, found: found() });
    expect(second).toMatchObject({
      created: 0,
      unchanged: 1,
      restored: 0,
      deletedHere: [{ namespace: 'default', key: 'b', source: 'test:b' }],
    });
    expect([...second.sources]).toEqual(['test:a', 'test:b']);
    const third = await importAll({ client: server.client, found: found(), restore: true });
    expect(third).toMatchObject({ created: 0, unchanged: 1, restored: 1, deletedHere: [] });
  });

  test('of nothing sends nothing', async () => {
    const server = fakeServer();
    const report = await importAll({
      client: server.client,
      found: from(skip('a', 'empty', 'has no bytes')),
    });
    expect(server.batches).toEqual([]);
    expect(report).toMatchObject({ created: 0, ended: { kind: 'complete' } });
  });

  test('as a dry run asks only', async () => {
    const server = fakeServer();
    const report = await importAll({ client: server.client, found: from(memory('a')), dryRun: true });
    expect(report.created).toBe(1);
    expect(server.batches.map(({ dryRun }) => dryRun)).toEqual([true]);
    expect(server.stored.size).toBe(0);
  });

  test('leaves out what has ended already', async () => {
    const server = fakeServer();
    const found = from(
      memory('past', { expires_at: '2024-01-01T00:00:00.000Z' }),
      memory('future', { expires_at: '2024-01-03T00:00:00.000Z' }),
    );
    const now = () => Date.parse('2024-01-02T00:00:00.000Z');
    const report = await importAll({ client: server.client, found, now });
    expect(report.created).toBe(1);
    expect(report.skipped).toEqual([
      { path: 'test:past', reason: 'expired', detail: 'ended at 2024-01-01T00:00:00.000Z' },
    ]);
  });

  test('takes the first of two sources of one memory, so that they do not overwrite each other', async () => {
    const server = fakeServer();
    const other = memory('a', { value: 'other', source: { id: 'test:other', hash: '2' } });
    const elsewhere = memory('a', { namespace: 'work' });
    const report = await importAll({ client: server.client, found: from(memory('a'), other, elsewhere) });
    expect(report.created).toBe(2);
    expect(report.skipped).toMatchObject([{ path: 'test:other', reason: 'duplicate' }]);
    expect(server.stored.get('default a')?.memory.value).toBe('value of a');
  });
});

describe('batches', () => {
  test('stay within the limits of items, values and body, and lose nothing', async () => {
    const server = fakeServer();
    const large = 'x'.repeat(1024 * 1024);
    const escaped = '\u0001'.repeat(1024 * 1024);
    const found = [
      ...Array.from({ length: 1201 }, (_, at) => memory(`small ${at}`)),
      ...Array.from({ length: 20 }, (_, at) => memory(`large ${at}`, { value: large })),
      ...Array.from({ length: 12 }, (_, at) => memory(`escaped ${at}`, { value: escaped })),
    ];
    const report = await importAll({ client: server.client, found: from(...found) });
    expect(report).toMatchObject({ created: found.length, ended: { kind: 'complete' } });
    expect(server.stored.size).toBe(found.length);
    for (const { items } of server.batches) {
      expect(items.length).toBeLessThanOrEqual(batchLimits.items);
      const bytes = items.reduce((sum, { value }) => sum + value.length, 0);
      expect(bytes).toBeLessThanOrEqual(batchLimits.valueBytes);
      expect(JSON.stringify(items).length).toBeLessThanOrEqual(batchLimits.jsonBytes + items.length + 2);
    }
  });

  test('tell how far it is', async () => {
    const server = fakeServer();
    const told: ImportProgress[] = [];
    await importAll({
      client: server.client,
      found: from(memory('a'), skip('b', 'empty', 'has no bytes'), memory('c')),
      onProgress: (progress) => told.push(progress),
    });
    expect(told.map(({ at, found, done, skipped }) => [at, found, done, skipped])).toEqual([
      ['a', 1, 0, 0],
      ['b', 1, 0, 1],
      ['c', 2, 0, 1],
      ['c', 2, 2, 1],
    ]);
  });
});

describe('an import that does not finish', () => {
  test('can be interrupted, and goes on from there', async () => {
    const server = fakeServer();
    const controller = new AbortController();
    const found = Array.from({ length: 1200 }, (_, at) => memory(`k${at}`));
    const report = await importAll({
      client: server.client,
      found: from(...found),
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done > 0) controller.abort();
      },
    });
    expect(report.ended).toEqual({ kind: 'interrupted' });
    expect(report.created).toBe(batchLimits.items);
    expect(server.stored.size).toBe(report.created);
    const again = await importAll({ client: server.client, found: from(...found) });
    expect(again).toMatchObject({ unchanged: batchLimits.items, created: found.length - batchLimits.items });
  });

  test('ends at a failure of the server, says it, and does not try again', async () => {
    const server = fakeServer();
    const error = new ApiError({ status: 507, code: 'disk_full', message: 'The disk is full' });
    async function* found(): AsyncGenerator<ReadItem> {
      for (let at = 0; at < 1200; at++) {
        if (at === 700) server.fail(error);
        yield memory(`k${at}`);
      }
    }
    const report = await importAll({ client: server.client, found: found() });
    expect(report).toMatchObject({ created: batchLimits.items, ended: { kind: 'failed', error } });
    expect(server.batches).toHaveLength(1);
  });

  test('ends at a failure of the source', async () => {
    const server = fakeServer();
    async function* found(): AsyncGenerator<ReadItem> {
      yield memory('a');
      throw new Error('the stick was pulled out');
    }
    const report = await importAll({ client: server.client, found: found() });
    expect(report.ended).toMatchObject({ kind: 'failed', error: { message: 'the stick was pulled out' } });
    expect(server.batches).toEqual([]);
  });
});
