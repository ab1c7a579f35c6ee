import { seconds } from '@reverie/shared/testing/patience';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { ApiError, type Client } from '@reverie/shared/client';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as history from '@reverie/shared/contract/memories/history';
import { verifyDatabase } from './db/backup/verify.ts';
import { homeAt } from './platform/home/home.ts';
import { killedDaemons } from './testing/killed.ts';

const KILLS = runs(2, 60);
const WRITERS = 6;
const KEYS = 40;

/** A small generator with a seed (mulberry32): a run that failed can be run again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What may be stored under a key: what was acknowledged last, or what was tried since. */
interface Known {
  acknowledged: string | null;
  tried: (string | null)[];
}

const temporary = killedDaemons();
const { spawn, start } = temporary;

/** Whether a request was answered 2xx; false where the daemon was killed under it. */
async function isAnswered(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (cause) {
    if (cause instanceof ApiError && (cause.code === 'unreachable' || cause.code === 'bad_reply'))
      return false;
    // The body of a reply that the kill cut off.
    if (cause instanceof TypeError && cause.message === 'terminated') return false;
    throw cause;
  }
}

/** Writes to its own keys until the daemon is gone; every write has a value of its own. */
async function write(
  call: Client,
  known: Map<string, Known>,
  { random, name }: { random: () => number; name: string },
): Promise<number> {
  for (let n = 0; ; n += 1) {
    const wanted = new Map<string, string | null>();
    const pick = () => `${name} ${Math.floor(random() * (KEYS / WRITERS))}`;
    const kind = random();
    for (let left = kind < 0.6 ? 1 : 5; left > 0; left -= 1)
      wanted.set(pick(), `${name} wrote ${n}.${left} ${'about pears and apples '.repeat(random() * 20)}`);
    const [first] = wanted;
    if (!first) return n;
    const [key, value] = first;
    const isDelete = kind < 0.15 && known.get(key)?.acknowledged != null;
    if (isDelete) wanted.set(key, null);
    for (const [one, content] of wanted) {
      const before = known.get(one);
      if (before) before.tried.push(content);
      else known.set(one, { acknowledged: null, tried: [content] });
    }
    const metadata = { session: name, tags: ['x'] };
    const request = isDelete
      ? call(contract.deleteMemory, { body: { key } })
      : kind < 0.6
        ? call(contract.setMemory, { body: { key, value: value ?? '', metadata } })
        : call(contract.storeBatch, {
            body: {
              items: [...wanted].map(([one, content]) => ({ key: one, value: content ?? '', metadata })),
            },
          });
    if (!(await isAnswered(request))) return n;
    for (const [one, content] of wanted) known.set(one, { acknowledged: content, tried: [] });
  }
}

async function stored(call: Client): Promise<Map<string, string>> {
  const { memories, total } = await call(contract.listMemories, { body: { limit: 1000 } });
  expect(memories).toHaveLength(total);
  return new Map(memories.map(({ key, value = '' }) => [key, value]));
}

describe('kill -9 in the middle of writes', () => {
  test(
    `${KILLS} times, and nothing that was answered 2xx is lost`,
    async () => {
      const random = seeded(20_261_120);
      const folder = path.join(temporary.folder, 'home');
      const known = new Map<string, Known>();
      let acknowledged = 0;
      for (let round = 0; round < KILLS; round += 1) {
        const { daemon, call } = await start(folder);
        const rows = await stored(call);
        for (const [key, { acknowledged: last, tried }] of known) {
          const now = rows.get(key) ?? null;
          expect([last, ...tried], `${key} in round ${round}`).toContain(now);
          known.set(key, { acknowledged: now, tried: [] });
        }
        expect([...rows.keys()].filter((key) => !known.has(key))).toEqual([]);
        const writers = Array.from({ length: WRITERS }, (_, n) =>
          write(call, known, { random: seeded(round * 100 + n), name: `w${n}` }),
        );
        // The moment comes after a number of writes, not after a time: the machine may be busy.
        const enough = 1 + Math.floor(random() * 12);
        await call(contract.listNamespaces, {});
        for (let n = 0; n < enough; n += 1)
          await isAnswered(
            call(contract.getMemory, { body: { key: 'w0 0' } }).catch((cause: unknown) => {
              if (!(cause instanceof ApiError) || cause.status !== 404) throw cause;
            }),
          );
        daemon.kill('SIGKILL');
        await daemon.ended;
        acknowledged += (await Promise.all(writers)).reduce((sum, one) => sum + one, 0);
        expect(verifyDatabase(homeAt(folder).database).problems).toEqual([]);
      }
      expect(acknowledged).toBeGreaterThan(KILLS);
      expect(known.size).toBeGreaterThan(Math.min(KILLS, KEYS / 2));
    },
    seconds(15 + 5 * KILLS),
  );

  test('a kill during the very first start leaves a home that starts', async () => {
    const folder = path.join(temporary.folder, 'home');
    for (const steps of [1, 2, 3]) {
      const daemon = spawn(folder);
      const file = [homeAt(folder).lock, homeAt(folder).database, homeAt(folder).ownerKey][steps - 1] ?? '';
      const until = fs.existsSync(file) ? daemon.ready : appears(file);
      await until;
      daemon.kill('SIGKILL');
      await daemon.ended;
    }
    const { daemon, call } = await start(folder);
    await call(contract.setMemory, { body: { key: 'k', value: 'v' } });
    daemon.kill('SIGTERM');
    expect(await daemon.ended).toMatchObject({ code: 0, stderr: '' });
    expect(verifyDatabase(homeAt(folder).database)).toMatchObject({ memories: 1, problems: [] });
  });
});

/** Resolves once a file is there. */
async function appears(file: string): Promise<void> {
  while (!fs.existsSync(file)) await new Promise((resolve) => setImmediate(resolve));
}

describe('two requests at once', () => {
  test('on one key end in one of the two states, with one version after the other', async () => {
    const { daemon, call } = await start(path.join(temporary.folder, 'home'));
    const values = Array.from({ length: 30 }, (_, n) => `value ${n}`);
    await Promise.all(values.map((value) => call(contract.setMemory, { body: { key: 'k', value } })));
    const { versions } = await call(history.memoryHistory, { query: { key: 'k' } });
    expect(versions.map(({ version }) => version)).toEqual(values.map((_, n) => 30 - n));
    expect(versions.map(({ value }) => value).sort()).toEqual([...values].sort());
    const { value, updated_at } = await call(contract.getMemory, { body: { key: 'k' } });
    expect(value).toBe(versions[0]?.value);
    const race = ['a', 'b'].map((next) =>
      call(contract.setMemory, { body: { key: 'k', value: next, if_updated_at: updated_at } }),
    );
    const outcomes = await Promise.allSettled(race);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    daemon.kill('SIGTERM');
    await daemon.ended;
  });
});
