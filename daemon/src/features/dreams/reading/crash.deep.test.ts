import fs from 'node:fs';
import path from 'node:path';
import { type Client, createClient } from '@reverie/shared/client';
import * as contract from '@reverie/shared/contract/dreams/dreams';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type FakeModelServer,
  type ModelReply,
  type ModelRequest,
  said,
  startFakeModelServer,
} from '../../../models/testing/fake-model-server.ts';
import { homeAt } from '../../../platform/home/home.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from '../../../testing.ts';
import { dreamed } from '../testing.ts';
import { findingOn, notesIn, promptIn, readingWith, replied } from '../testing/sheet.ts';

let temporary: { folder: string; remove: () => void };
let daemon: DaemonProcess;
let fake: FakeModelServer;
beforeEach(async () => {
  temporary = temporaryFolder();
  fake = await startFakeModelServer(() => said('{}'));
});
afterEach(async () => {
  daemon.kill('SIGKILL');
  await daemon.ended;
  await fake.stop();
  temporary.remove();
});

async function start(): Promise<Client> {
  const home = homeAt(path.join(temporary.folder, 'home'));
  daemon = spawnDaemon(
    home.folder,
    readingWith(fake.baseUrl, { REVERIE_DREAM_BUDGET_TOKENS: '1000000', REVERIE_DREAM_SHEET_TOKENS: '1500' }),
  );
  const origin = await daemon.ready;
  const key = fs.readFileSync(home.ownerKey, 'utf8').trim();
  return createClient({ origin, key: () => key });
}

/** Enough for several sheets. */
const items = Array.from({ length: 160 }, (_, n) => {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString();
  const value = `The courier of firm ${n % 8} left parcel ${n * 7919} with neighbour ${n >> 2}, who was at home that day.`;
  return { key: `k${n}`, namespace: 'n', value, created_at: at, updated_at: at };
});

/** That the first two notes of a sheet disagree. */
const answer = (asked: ModelRequest): ModelReply => {
  const [first, second] = notesIn(asked);
  return replied(first && second ? [findingOn('disagree', [first, second])] : []);
};
const keysOf = (asked: ModelRequest) =>
  notesIn(asked)
    .slice(0, 2)
    .map(({ key }) => key)
    .join(' ');

test('kill -9 between two sheets: what a model read is not asked again, and what it found is proposed', async () => {
  let call = await start();
  await call(importMemories, { body: { items } });
  const asked = Promise.withResolvers<ModelRequest>();
  let answers = 0;
  fake.behave((one) => {
    answers += 1;
    if (answers <= 3) return Promise.resolve(answer(one));
    asked.resolve(one);
    return new Promise<ModelReply>(() => undefined);
  });
  const { id } = await call(contract.startDream, { body: { namespace: 'n', strategies: ['contradict'] } });
  const inFlight = promptIn(await asked.promise);
  const before = fake.asked.filter((one) => promptIn(one) !== inFlight);
  expect(before).toHaveLength(3);
  daemon.kill('SIGKILL');
  await daemon.ended;

  fake.asked.splice(0);
  fake.behave(answer);
  call = await start();
  const job = await dreamed(call, id);
  expect(job).toMatchObject({ status: 'complete', error: null, reading: { share: 1, dreams_left: 0 } });
  const after = [...fake.asked];
  expect(after.length).toBeGreaterThan(3);
  const prompts = new Set(before.map(promptIn));
  expect(after.filter((one) => prompts.has(promptIn(one)))).toEqual([]);
  const { insights } = await call(contract.listInsights, { query: { namespace: 'n', limit: 200 } });
  const proposed = new Set(insights.map(({ evidence }) => [...evidence].sort().join(' ')));
  const told = new Set([...before, ...after].map(keysOf).map((keys) => keys.split(' ').sort().join(' ')));
  expect(proposed).toEqual(told);
  expect(insights.length).toBe(job.insights);
});
