import { listConflicts, restoreConflict } from '@reverie/shared/contract/sync/conflicts';
import { listEvents } from '@reverie/shared/contract/events/events';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { clearNamespace, deleteMemory } from '@reverie/shared/contract/memories/memories';
import { rebuildSync } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestDaemon } from '../../testing.ts';
import { insertConflict } from './conflicts.store.ts';
import {
  type LinkedPair,
  pause,
  set,
  startLinkedPair,
  statusOf,
  together,
} from '../testing/linked-devices.ts';

let world: LinkedPair;
let a: TestDaemon;
let b: TestDaemon;

beforeEach(async () => {
  world = await startLinkedPair();
  ({ a, b } = world);
  await together([a, b]);
});
afterEach(() => world.stop());

const remove = (device: TestDaemon, key: string) => device.call(deleteMemory, { body: { key } });
const clear = (device: TestDaemon) => device.call(clearNamespace, { body: { namespace: 'default' } });

/** A minute passes everywhere, so that what is written next is newer. */
function later(): void {
  for (const { clock } of [a, b, world.relay]) clock.advance(60_000);
}

/** The versions that lost, as the interface tells of them and as the table has them. */
async function lost(device: TestDaemon): Promise<string[]> {
  const { conflicts, total } = await device.call(listConflicts, { query: {} });
  const stored = device.withStore((store) =>
    store.read((db) =>
      db.prepare<[], { value: string }>('SELECT value FROM sync_conflicts ORDER BY value').all(),
    ),
  );
  expect(total).toBe(stored.length);
  expect(conflicts.map(({ value }) => value).sort()).toEqual(stored.map(({ value }) => value));
  return stored.map(({ value }) => value);
}

/** Both say something else while neither hears the other; `a` the older. */
async function disagree(older = 'lostword', newer = 'newer'): Promise<void> {
  for (const device of [a, b]) await pause(device, true);
  await set(a, 'k', older);
  later();
  await set(b, 'k', newer);
  for (const device of [a, b]) await pause(device, false);
  await together([a, b]);
}

const deletions: [string, () => Promise<unknown>][] = [
  ['a deletion', () => remove(b, 'k')],
  ['a clear', () => clear(b)],
  // Something newer stays, so that the namespace is not emptied as a whole.
  [
    'a clear that one memory survives',
    async () => {
      await pause(a, true);
      await clear(b);
      later();
      await set(a, 'later', 'stays');
      await pause(a, false);
    },
  ],
];

describe.each(deletions)('%s on one device', (_, forget) => {
  test('takes the version that lost on the other one, too', async () => {
    await disagree();
    expect([await lost(a), await lost(b)].flat()).toContain('lostword');
    await forget();
    await together([a, b]);
    expect(await lost(a)).toEqual([]);
    expect(await lost(b)).toEqual([]);
  });

  test('takes it where the log is read from its start', async () => {
    await disagree();
    await pause(a, true);
    await forget();
    await pause(a, false);
    await together([a, b]);
    await a.call(rebuildSync, {});
    await a.restart();
    await together([a, b]);
    expect(await lost(a)).toEqual([]);
  });

  test('takes it after one was restored, and after another conflict of the same memory', async () => {
    await disagree();
    later();
    await disagree('lost again', 'newest');
    const { conflicts } = await a.call(listConflicts, { query: {} });
    expect(conflicts).toHaveLength(2);
    await a.call(restoreConflict, { params: { id: conflicts[0]?.id ?? '' } });
    await together([a, b]);
    later();
    await forget();
    await together([a, b]);
    expect(await lost(a)).toEqual([]);
    expect(await lost(b)).toEqual([]);
  });
});

test('a deletion by a clock that is ahead, which is stamped anew, takes it on the other device', async () => {
  await disagree();
  await pause(b, true);
  b.clock.advance(3 * 3_600_000);
  await remove(b, 'k');
  await pause(b, false);
  await together([a, b]);
  expect(await lost(a)).toEqual([]);
  expect(await lost(b)).toEqual([]);
});

describe('what one device wrote and deleted before it heard the other one, whose version stays', () => {
  test('where it lost', async () => {
    await pause(b, true);
    await set(a, 'k', 'lostword');
    later();
    await set(b, 'k', 'stays');
    await remove(a, 'k');
    await pause(b, false);
    expect(await together([a, b])).toEqual({ k: 'stays' });
    expect([await lost(a), await lost(b)]).toEqual([[], []]);
  });

  test('where it had won: neither conflicts, history nor events have it', async () => {
    await pause(b, true);
    await set(b, 'k', 'stays');
    later();
    await set(a, 'k', 'lostword');
    // The relay has it, so that it is told apart from its deletion.
    await expect.poll(async () => (await statusOf(a)).pending).toBe(0);
    await remove(a, 'k');
    await pause(b, false);
    expect(await together([a, b])).toEqual({ k: 'stays' });
    expect(await lost(b)).not.toContain('lostword');
    for (const device of [a, b]) {
      const { versions } = await device.call(memoryHistory, { query: { key: 'k' } });
      expect(versions.map(({ value }) => value)).toEqual(['stays']);
      const { events } = await device.call(listEvents, { query: { limit: 1000 } });
      const earlier = events.filter(({ type }) => type !== 'memory.delete');
      expect(JSON.stringify(earlier)).not.toContain('lostword');
    }
  });

  test('an overwriting is no deletion: what it lost against stays to be restored', async () => {
    await disagree();
    later();
    await set(b, 'k', 'newest');
    await together([a, b]);
    expect(await lost(a)).toContain('lostword');
  });
});

test('what an earlier program left of deleted memories goes with the next start; what never left this device stays', async () => {
  const keep = (id: string, key: string, reason: 'lost' | 'downgraded') =>
    a.withStore((store) =>
      store.write((db) => {
        const account = db.prepare<[], { account: never }>('SELECT account FROM sync_links').get()?.account;
        insertConflict(db, account as never, {
          id,
          namespace: 'default',
          key,
          value: id,
          metadata: '{}',
          expires_at: null,
          device: 'there',
          device_name: null,
          incarnation: id,
          hlc: 1,
          reason,
          written_at: 1,
          found_at: 1,
        });
      }),
    );
  await set(a, 'here', 'x');
  keep('of a deleted one', 'gone', 'lost');
  keep('of one that is here', 'here', 'lost');
  keep('of what was never sent', 'gone', 'downgraded');
  await a.restart();
  expect(await lost(a)).toEqual(['of one that is here', 'of what was never sent']);
  // Neither does somebody else's deletion mean what nobody else has seen.
  keep('never sent, of one that is here', 'here', 'downgraded');
  await together([a, b]);
  await remove(b, 'here');
  await together([a, b]);
  expect(await lost(a)).toEqual(['never sent, of one that is here', 'of what was never sent']);
});
