import fs from 'node:fs';
import path from 'node:path';
import { type Client, createClient } from '@reverie/shared/client';
import * as contract from '@reverie/shared/contract/dreams';
import { importMemories } from '@reverie/shared/contract/portable';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type ModelRequest,
  type FakeModelServer,
  type ModelReply,
  said,
  startFakeModelServer,
} from '../../../models/testing/fake-model-server.ts';
import { homeAt } from '../../../platform/home.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from '../../../testing.ts';
import { dreamed } from '../testing.ts';
import { promptIn, quotesOn } from '../testing/quoting.ts';

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
  daemon = spawnDaemon(home.folder, {
    REVERIE_LLM_BASE_URL: fake.baseUrl,
    REVERIE_LLM_MODEL: 'judge',
    REVERIE_DREAM_BUDGET_TOKENS: '1000000',
  });
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

const promptOf = ({ body }: ModelRequest): string => JSON.stringify(body['messages']);
/** Two notes of each sheet, named by what they say. */
const answer = (asked: ModelRequest): ModelReply =>
  promptOf(asked).includes('Today is')
    ? said('{"verdicts":[]}')
    : said(JSON.stringify({ found: [{ quotes: quotesOn(promptIn(asked), ['n1', 'n2']), what: 'parcel' }] }));

/** The keys of the two notes that are named of a sheet. */
function firstTwoOf(prompt: string): string[] {
  const keys = [1, 2].flatMap((n) => {
    const parcel = new RegExp(`n${n} [^|]+ \\| [^|]*? left parcel (\\d+)`).exec(prompt)?.[1];
    return parcel === undefined ? [] : [`k${Number(parcel) / 7919}`];
  });
  return keys.length === 2 ? [keys.join(' ')] : [];
}

test('kill -9 between two sheets: what a model answered is not asked again, and what it found is proposed', async () => {
  let call = await start();
  await call(importMemories, { body: { items } });
  const asked = Promise.withResolvers<ModelRequest>();
  let answers = 0;
  fake.behave((one) => {
    if (promptOf(one).includes('Today is') || answers < 3) {
      answers += 1;
      return Promise.resolve(answer(one));
    }
    asked.resolve(one);
    return new Promise<ModelReply>(() => undefined);
  });
  const { id } = await call(contract.startDream, { body: { namespace: 'n', strategies: ['contradict'] } });
  const inFlight = promptOf(await asked.promise);
  const before = fake.asked.map(promptOf).filter((prompt) => prompt !== inFlight);
  expect(before.length).toBeGreaterThanOrEqual(3);
  daemon.kill('SIGKILL');
  await daemon.ended;

  fake.asked.splice(0);
  fake.behave(answer);
  call = await start();
  const job = await dreamed(call, id);
  expect(job).toMatchObject({ status: 'complete', error: null });
  const after = fake.asked.map(promptOf);
  expect(after.length).toBeGreaterThan(0);
  expect(after.filter((prompt) => before.includes(prompt))).toEqual([]);
  const { insights } = await call(contract.listInsights, { query: { namespace: 'n', limit: 200 } });
  const found = insights.filter(({ body }) => body.includes('A language model found it'));
  expect(new Set(found.map(({ evidence }) => evidence.join(' ')))).toEqual(
    new Set([...before, ...after].flatMap(firstTwoOf)),
  );
  expect(JSON.stringify(job)).not.toContain('answered');
});
