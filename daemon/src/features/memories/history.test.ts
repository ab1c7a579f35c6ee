import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEvents } from '@reverie/shared/contract/events/events';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as historyContract from '@reverie/shared/contract/memories/history';
import * as search from '@reverie/shared/contract/search/search';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

const DAY = 86_400_000;
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ env: { REVERIE_HISTORY_MAX_VERSIONS: '3' } });
});
afterAll(() => daemon.stop());

const set = (key: string, value: string, metadata: Record<string, unknown> = {}) =>
  daemon.call(contract.setMemory, { body: { key, value, metadata } });
const history = async (key: string) =>
  (await daemon.call(historyContract.memoryHistory, { query: { key } })).versions;
const restore = (key: string, version: number, more: { if_updated_at?: string } = {}) =>
  daemon.call(historyContract.restoreVersion, { body: { key, version, ...more } });

describe('history', () => {
  test('shows what a memory said before, newest first, with its metadata and times', async () => {
    await set('a', 'one', { n: 1 });
    daemon.clock.advance(1000);
    await set('a', 'two');
    const memory = await daemon.call(contract.getMemory, { body: { key: 'a' } });
    expect(await history('a')).toEqual([
      { version: 2, value: 'two', metadata: {}, updated_at: memory.updated_at, current: true },
      { version: 1, value: 'one', metadata: { n: 1 }, updated_at: memory.created_at, current: false },
    ]);
  });

  test('keeps the last versions that the setting allows', async () => {
    for (const value of ['1', '2', '3', '4', '5', '6']) await set('b', value);
    expect((await history('b')).map(({ version, value }) => `${version}:${value}`)).toEqual([
      '6:6',
      '5:5',
      '4:4',
      '3:3',
    ]);
    await expect(restore('b', 2)).rejects.toMatchObject({ status: 404, code: 'version_not_found' });
  });

  test('of what is not there is 404', async () => {
    await expect(history('nope')).rejects.toMatchObject({ status: 404, code: 'memory_not_found' });
    await expect(restore('nope', 1)).rejects.toMatchObject({ status: 404, code: 'memory_not_found' });
    const answer = await daemon.ask({ path: '/v1/memory/history' });
    expect([answer.status, answer.json.errors?.[0]?.path]).toEqual([400, 'key']);
  });
});

describe('restore', () => {
  test('stores an earlier version as the newest, with its metadata and tags', async () => {
    await set('c', 'old words', { tags: ['x'] });
    await set('c', 'new words');
    expect(await restore('c', 1)).toEqual({ success: true, key: 'c', version: 3 });
    const memory = await daemon.call(contract.getMemory, { body: { key: 'c' } });
    expect(memory).toMatchObject({ value: 'old words', metadata: { tags: ['x'] } });
    const { memories } = await daemon.call(contract.listMemories, { body: { tags: ['x'] } });
    expect(memories.map(({ key }) => key)).toEqual(['c']);
    expect((await history('c')).map(({ value }) => value)).toEqual(['old words', 'new words', 'old words']);
    const { results } = await daemon.call(search.searchMemories, { body: { query: 'old words' } });
    expect(results[0]).toMatchObject({ key: 'c', score: 1 });
  });

  test('of the version that is there changes and emits nothing', async () => {
    await set('d', 'one');
    await set('d', 'two');
    const before = await daemon.call(listEvents, { query: {} });
    expect(await restore('d', 2)).toMatchObject({ version: 2 });
    expect((await daemon.call(listEvents, { query: {} })).newest_seq).toBe(before.newest_seq);
  });

  test('keeps the end of the memory, and looks at if_updated_at', async () => {
    const expires_at = new Date(daemon.clock.now() + DAY).toISOString();
    await daemon.call(contract.setMemory, { body: { key: 'e', value: 'one', expires_at } });
    await daemon.call(contract.setMemory, { body: { key: 'e', value: 'two', expires_at } });
    await expect(restore('e', 1, { if_updated_at: expires_at })).rejects.toMatchObject({ code: 'conflict' });
    const { updated_at } = await daemon.call(contract.getMemory, { body: { key: 'e' } });
    await restore('e', 1, { if_updated_at: updated_at });
    expect(await daemon.call(contract.getMemory, { body: { key: 'e' } })).toMatchObject({
      value: 'one',
      expires_at,
    });
  });

  test.each([0, 1.5, '1', undefined])('version %j is refused', async (version) => {
    const answer = await daemon.ask({ path: '/v1/memory/history/restore', body: { key: 'c', version } });
    expect([answer.status, answer.json.errors?.[0]?.path]).toEqual([400, 'version']);
  });
});

describe('retention', () => {
  test('a version is kept for a year from when it was replaced, however old it is', async () => {
    await set('old', 'written long ago');
    daemon.clock.advance(800 * DAY);
    await set('old', 'overwritten just now');
    daemon.clock.advance(2 * 3_600_000);
    expect((await history('old')).map(({ value }) => value)).toEqual([
      'overwritten just now',
      'written long ago',
    ]);
    daemon.clock.advance(366 * DAY);
    expect((await history('old')).map(({ value }) => value)).toEqual(['overwritten just now']);
  });
});
