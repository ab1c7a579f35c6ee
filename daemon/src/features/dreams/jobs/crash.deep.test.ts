import fs from 'node:fs';
import path from 'node:path';
import { type Client, createClient } from '@reverie/shared/client';
import * as contract from '@reverie/shared/contract/dreams/dreams';
import { listEvents } from '@reverie/shared/contract/events/events';
import { storeBatch } from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyDatabase } from '../../../db/backup/verify.ts';
import { homeAt } from '../../../platform/home/home.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from '../../../testing.ts';
import { dreamed } from '../testing.ts';

let temporary: { folder: string; remove: () => void };
let daemon: DaemonProcess;
beforeEach(() => {
  temporary = temporaryFolder();
});
afterEach(async () => {
  daemon.kill('SIGKILL');
  await daemon.ended;
  temporary.remove();
});

const home = () => homeAt(path.join(temporary.folder, 'home'));

async function start(): Promise<Client> {
  daemon = spawnDaemon(home().folder);
  const origin = await daemon.ready;
  const key = fs.readFileSync(home().ownerKey, 'utf8').trim();
  return createClient({ origin, key: () => key });
}

async function kill(): Promise<void> {
  daemon.kill('SIGKILL');
  await daemon.ended;
  expect(verifyDatabase(home().database).problems).toEqual([]);
}

const SYLLABLES = 'ba de fi go hu ka le mi no pu ra se ti vo wu za'.split(' ');
/** A sentence of words that no other number has. */
const sentenceOf = (number: number) =>
  Array.from({ length: 9 }, (_, at) => {
    const seed = Math.imul(9 * number + at + 1, 0x9e3779b1) >>> 0;
    return [4, 12, 20].map((shift) => SYLLABLES[(seed >>> shift) % 16]).join('');
  }).join(' ');

/** Enough that a dream takes a while: every two say the same. */
const items = Array.from({ length: 1000 }, (_, n) => ({
  key: `k${n}`,
  namespace: 'n',
  value: `The ${sentenceOf(n >> 1)}.`,
}));

test('kill -9 during a dream: it goes on with what is unfinished, proposes nothing twice, and touches no memory', async () => {
  let call = await start();
  await call(storeBatch, { body: { items } });
  const { id } = await call(contract.startDream, { body: { namespace: 'n' } });
  for (let round = 0; round < 4; round += 1) {
    // Each time a little further on: before its thread runs, in the first strategy, after some.
    for (;;) {
      const { status, stages, memories } = await call(contract.dreamStatus, { params: { id } });
      if (status === 'complete' || (round === 0 && status === 'running')) break;
      if (memories > 0 && stages >= round - 1) break;
    }
    await kill();
    call = await start();
  }
  const job = await dreamed(call, id);
  expect(job).toMatchObject({ status: 'complete', memories: items.length, error: null });
  expect(job.stages).toBe(job.strategies.length);
  const all: contract.Insight[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 200, ...(cursor !== undefined && { cursor }) };
    const page = await call(contract.listInsights, { query });
    all.push(...page.insights);
    if (page.next === null) break;
    cursor = page.next;
  }
  expect(all.length).toBeGreaterThan(0);
  expect(all.length).toBe(job.insights);
  const said = all.map(({ strategy, evidence, title }) =>
    JSON.stringify([strategy, [...evidence].sort(), title]),
  );
  expect(new Set(said).size).toBe(said.length);
  const { events } = await call(listEvents, { query: { type: 'insight.generated', since: 0, limit: 1000 } });
  expect(events.length).toBe(Math.min(1000, job.insights));
  const ends = await call(listEvents, { query: { type: 'dream.completed' } });
  expect(ends.events).toHaveLength(1);
  const { events: writes } = await call(listEvents, { query: { family: 'memory', since: 0, limit: 1000 } });
  expect(writes.every(({ type }) => type === 'memory.write')).toBe(true);
  const again = await call(contract.startDream, { body: { namespace: 'n' } });
  expect((await dreamed(call, again.id)).insights).toBe(0);
});
