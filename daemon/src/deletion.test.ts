import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listEvents } from '@reverie/shared/contract/events/events';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as search from '@reverie/shared/contract/search/search';
import { seconds } from '@reverie/shared/testing/patience';
import Database from 'better-sqlite3';
import { startTestDaemon, type TestDaemon } from './testing.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

/** Words that no other text has, long and short. */
const SECRETS = ['Zyxwobblequonk', 'quixotarium', 'vlorbendash', 'pq7zk4w'];
const VALUE = `The password is ${SECRETS.join(' and ')}.`;

/** Which secrets stand in a file of the database: the middles of words, for an index stores no beginnings and stems no ends. */
function found(): string[] {
  return ['', '-wal', '-shm'].flatMap((suffix) => {
    const file = `${daemon.home.database}${suffix}`;
    if (!fs.existsSync(file)) return [];
    const bytes = fs.readFileSync(file).toString('latin1').toLowerCase();
    return SECRETS.filter((word) => bytes.includes(word.toLowerCase().slice(2, 7))).map(
      (word) => `${word} in reverie.db${suffix}`,
    );
  });
}

/** Waits until the words of what was deleted are out of the text index, which is done behind the answer where they are many. */
async function wordsRemoved(): Promise<void> {
  const db = new Database(daemon.home.database, { readonly: true });
  try {
    const left = db.prepare<[], number>('SELECT count(*) FROM removed_chunks').pluck();
    await vi.waitUntil(() => left.get() === 0, { timeout: seconds(30) });
  } finally {
    db.close();
  }
}

const set = (key: string, value: string, metadata: Record<string, unknown> = {}) =>
  daemon.call(contract.setMemory, { body: { key, value, namespace: 'n', metadata } });

/** Other memories, enough for several pages of rows and of the index. */
async function storeOthers(from: number): Promise<void> {
  const items = Array.from({ length: 300 }, (_, n) => ({
    key: `other ${from + n}`,
    namespace: n % 3 === 0 ? 'm' : 'n',
    value: `Ordinary text number ${from + n} about apples, pears and word${(from + n) * 7919}`,
    metadata: { session: `s${n % 5}`, n },
  }));
  await daemon.call(contract.storeBatch, { body: { items } });
}

/** Every way in which a secret may have gone into the database, among other memories. */
async function storeSecret(): Promise<void> {
  await storeOthers(0);
  await set('k', VALUE, { tags: [SECRETS[0]], note: VALUE, session: 's1', timestamp: 1 });
  await set('k2', 'what follows it in its session', { session: 's1', timestamp: 2 });
  await set('k', `${VALUE} Changed.`, { session: 's1', timestamp: 1 });
  await set('k', `Also changed. ${VALUE.repeat(200)}`, { session: 's1', timestamp: 1 });
  await daemon.ask({
    path: '/v1/memory/store-batch',
    headers: { 'Idempotency-Key': 'batch' },
    body: { items: [{ key: 'k', value: VALUE, namespace: 'n', metadata: { session: 's1', timestamp: 1 } }] },
  });
  await daemon.call(search.searchMemories, { body: { query: VALUE, namespace: 'n' } });
  await storeOthers(300);
}

async function expectGone(): Promise<void> {
  const asJson = async (given: Promise<unknown>) => JSON.stringify(await given);
  const everywhere = [
    await asJson(daemon.call(search.searchMemories, { body: { query: VALUE, namespace: 'n', limit: 200 } })),
    await asJson(daemon.call(listEvents, { query: { since: 0, limit: 1000 } })),
    await asJson(daemon.call(contract.listMemories, { body: { namespace: 'n', limit: 1000 } })),
  ].join('\n');
  for (const word of SECRETS) expect(everywhere).not.toContain(word);
}

describe('what was deleted is nowhere in the files', () => {
  const ways: [string, () => Promise<unknown>][] = [
    ['delete', () => daemon.call(contract.deleteMemory, { body: { key: 'k', namespace: 'n' } })],
    ['clear', () => daemon.call(contract.clearNamespace, { body: { namespace: 'n' } })],
    [
      'clear of everything',
      async () => {
        await daemon.call(contract.clearNamespace, { body: { namespace: 'm' } });
        await daemon.call(contract.clearNamespace, { body: { namespace: 'n' } });
      },
    ],
  ];
  test.each(ways)('after %s and a minute', async (_, forget) => {
    await storeSecret();
    expect(found()).not.toEqual([]);
    await forget();
    await wordsRemoved();
    daemon.clock.advance(120_000);
    expect(found()).toEqual([]);
    await expectGone();
  });

  test('after its end (expires_at)', async () => {
    await storeSecret();
    const expires_at = new Date(daemon.clock.now() + 5000).toISOString();
    await daemon.call(contract.setMemory, { body: { key: 'k', value: VALUE, namespace: 'n', expires_at } });
    daemon.clock.advance(180_000);
    expect(found()).toEqual([]);
    await expectGone();
  });

  test('after a restart, too', async () => {
    await storeSecret();
    await daemon.call(contract.deleteMemory, { body: { key: 'k', namespace: 'n' } });
    await daemon.restart();
    daemon.clock.advance(120_000);
    expect(found()).toEqual([]);
  });

  test('at once everywhere but in the delete event itself', async () => {
    await storeSecret();
    await daemon.call(contract.deleteMemory, { body: { key: 'k', namespace: 'n' } });
    const { events } = await daemon.call(listEvents, { query: { namespace: 'n', since: 0, limit: 1000 } });
    const telling = events.filter((event) => JSON.stringify(event.data).includes('quixotarium'));
    expect(telling.map(({ type }) => type)).toEqual(['memory.delete']);
  });

  test('an overwritten context leaves what follows in the session', async () => {
    await set('a', VALUE, { session: 's', timestamp: 1 });
    await set('b', 'a follower', { session: 's', timestamp: 2 });
    await set('a', 'harmless', { session: 's', timestamp: 1 });
    const { results } = await daemon.call(search.searchMemories, {
      body: { query: 'quixotarium', namespace: 'n', threshold: 0.3 },
    });
    expect(results).toEqual([]);
  });
});
