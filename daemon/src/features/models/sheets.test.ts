import path from 'node:path';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { deleteMemory, setMemory, changeNamespace } from '@reverie/shared/contract/memories/memories';
import { listSheets, modelsState } from '@reverie/shared/contract/system/models';
import { Problem } from '@reverie/shared/contract/problems';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { createFakeClock, type FakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { type LanguageModel, ModelFailure, type Prompt } from '../../models/language-model.ts';
import { meteredModel } from '../../models/metered.ts';
import { type FakeModelServer, said, startFakeModelServer } from '../../models/testing/fake-model-server.ts';
import { createLog } from '../../platform/log.ts';
import { killedDaemons } from '../../testing/killed.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { dream } from '../dreams/testing.ts';
import { createSheets, type Sheets } from './sheets.ts';

const DAY = 86_400_000;
const MEMORIES = [
  ['plumber', '2026-01-03', 'Zdeněk Horák fixed the drain in the bathroom, took 90 euro in cash.'],
  ['letter', '2026-06-20', 'A collection agency claims money on behalf of Z. Horák.'],
].map(([key = '', day, value = '']) => {
  const at = `${day}T12:00:00Z`;
  return { key, value, namespace: 'home', created_at: at, updated_at: at };
});
const SILENT = said('{"answered": false, "sentences": [], "search": []}');

describe('the sheets of a daemon', () => {
  let fake: FakeModelServer;
  let daemon: TestDaemon;
  beforeEach(async () => {
    fake = await startFakeModelServer(() => SILENT);
    daemon = await startTestDaemon({
      env: { REVERIE_LLM_BASE_URL: fake.baseUrl, REVERIE_LLM_MODEL: 'small' },
    });
    await daemon.call(importMemories, { body: { items: MEMORIES } });
  });
  afterEach(async () => {
    await daemon.stop();
    await fake.stop();
  });

  const page = (query: { limit?: number; cursor?: string } = {}) => daemon.call(listSheets, { query });
  const ask = (namespace = 'home') =>
    daemon.call(askMemory, { body: { question: 'Who fixed the drain in the bathroom?', namespace } });

  test('are written down before they are sent, with the notes that go along, and what came of them', async () => {
    const before: unknown[] = [];
    fake.behave(async () => {
      before.push(...(await page()).sheets);
      return said('{"findings": []}');
    });
    await dream(daemon.call, { namespace: 'home', strategies: ['connect'] });
    const sheet = {
      part: 'dreams',
      server: fake.baseUrl.replace(/\/v1$/u, ''),
      model: 'small',
      reach: 'local',
      shown: 2,
      notes: expect.arrayContaining([
        { namespace: 'home', key: 'plumber' },
        { namespace: 'home', key: 'letter' },
      ]) as unknown,
    };
    expect(before).toEqual([expect.objectContaining({ ...sheet, tokens: null, answered: null })]);
    const { sheets, next } = await page();
    expect(sheets).toEqual([expect.objectContaining({ ...sheet, tokens: 12, answered: true })]);
    expect(next).toBeNull();
    // Nothing of what the notes say.
    expect(JSON.stringify(sheets)).not.toMatch(/drain|agency/u);
  });

  test('follow their notes where they are moved, and forget those that are deleted', async () => {
    fake.behave(() => said('{"findings": []}'));
    await dream(daemon.call, { namespace: 'home', strategies: ['connect'] });
    await daemon.call(deleteMemory, { body: { namespace: 'home', key: 'plumber' } });
    await daemon.call(renameMemory, {
      body: { namespace: 'home', key: 'letter', to: { namespace: 'old', key: 'claim' } },
    });
    const [sheet] = (await page()).sheets;
    expect(sheet).toMatchObject({ shown: 2, notes: [{ namespace: 'old', key: 'claim' }] });
  });

  test('come in pages, the last first, each once', async () => {
    for (let times = 0; times < 5; times += 1) await ask();
    const all = (await page({ limit: 200 })).sheets.map(({ id }) => id);
    expect(all.length).toBeGreaterThanOrEqual(5);
    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { sheets, next } = await page({ limit: 2, ...(cursor !== undefined && { cursor }) });
      seen.push(...sheets.map(({ id }) => id));
      if (next === null) break;
      cursor = next;
    }
    expect(seen).toEqual(all);
    expect(all).toEqual(all.toSorted().reverse());
    const wrong = await daemon.ask({ path: '/v1/models/sheets?cursor=x', key: daemon.ownerKey });
    expect(wrong.status).toBe(400);
  });

  test('say so where there was no answer, and nothing where nothing was sent', async () => {
    fake.behave(() => ({ status: 500, body: {} }));
    expect((await ask()).model).toBeNull();
    expect((await page()).sheets).toMatchObject([{ part: 'ask', answered: false }]);
    // The server is left alone for a while: nothing is sent to it.
    await ask();
    expect((await page()).sheets).toHaveLength(1);
    await daemon.call(changeNamespace, { params: { namespace: 'home' }, body: { models: 'none' } });
    daemon.clock.advance(DAY);
    await ask();
    expect((await page()).sheets).toHaveLength(1);
  });

  test('are for owners, each of their own account, and so is what they took', async () => {
    await ask();
    for (const scope of ['read', 'write'] as const)
      await expect(daemon.as(daemon.addAccount(scope).key)(listSheets, { query: {} })).rejects.toMatchObject({
        status: 403,
      });
    const other = daemon.as(daemon.addAccount('owner').key);
    expect((await other(listSheets, { query: {} })).sheets).toEqual([]);
    const [{ spent } = { spent: undefined }] = (await daemon.call(modelsState, {})).uses;
    expect(spent?.by).toEqual([
      {
        account: expect.stringMatching(/^acc_/u) as string,
        name: 'this machine',
        tokens_month: spent?.tokens_month,
      },
    ]);
  });
});

describe('a daemon that is killed while a question is under way', () => {
  const killed = killedDaemons();

  test('knows afterwards what left', async () => {
    const fake = await startFakeModelServer(() => 'never');
    const home = path.join(killed.folder, 'home');
    const env = { REVERIE_LLM_BASE_URL: fake.baseUrl, REVERIE_LLM_MODEL: 'small' };
    const { daemon, call } = await killed.start(home, env);
    await call(setMemory, { body: { key: 'lease', value: 'The rent of the flat is 940 euro a month.' } });
    const asking = call(askMemory, { body: { question: 'How much is the rent of the flat?' } });
    const ended = expect(asking).rejects.toThrow();
    while (fake.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    daemon.kill('SIGKILL');
    await daemon.ended;
    await ended;
    const again = await killed.start(home, env);
    const { sheets } = await again.call(listSheets, { query: {} });
    expect(sheets).toMatchObject([{ part: 'ask', model: 'small', tokens: null, answered: null }]);
    await fake.stop();
  });
});

describe('a sheet', () => {
  const account = 1 as AccountId;
  const log = createLog('silent');
  const choice = { baseUrl: 'https://models.example/v1', model: 'large' };
  let store: Store;
  let clock: FakeClock;
  let sheets: Sheets;
  let kept: string | undefined;
  beforeEach(() => {
    store = openStore({ file: ':memory:', migrations: loadMigrations() });
    clock = createFakeClock(Date.UTC(2031, 4, 30));
    kept = undefined;
    store.write((db) =>
      db
        .prepare(
          "INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc_1', 'machine', 'pro', 0)",
        )
        .run(),
    );
    sheets = createSheets({ store, clock, log, whyKept: () => kept });
  });
  afterEach(() => store.close());

  const prompt: Prompt<string> = {
    system: '',
    prompt: '',
    maxTokens: 1,
    notes: [7],
    schema: z.string(),
  };
  const listed = (limit = 200) => sheets.page(account, { limit, cursor: undefined }).sheets;
  function generate(model: Partial<LanguageModel> = {}, from = sheets) {
    let asked = 0;
    const own: LanguageModel = {
      model: 'large',
      generate: <T>({ schema }: Prompt<T>) => {
        asked += 1;
        return Promise.resolve({ value: schema.parse('said'), tokens: 3 });
      },
      ...model,
    };
    const meter = { rest: () => undefined, note: () => undefined };
    const book = from.book({ part: 'ask', choice, account });
    const said = meteredModel({ model: own, server: { wait: () => 0 } }, { meter, book }).generate(prompt);
    return { said, asked: () => asked };
  }

  test('with a note that the model may not see is not sent, whoever made it', async () => {
    kept = 'the namespace "diary" is kept from every model';
    const { said: answer, asked } = generate();
    await expect(answer).rejects.toMatchObject({ kind: 'refused', message: kept });
    expect([asked(), listed()]).toEqual([0, []]);
  });

  test('that cannot be written down is not sent', async () => {
    const write = () => {
      throw new Problem('disk_full', 'The disk is full');
    };
    const full = createSheets({ store: { ...store, write }, clock, log, whyKept: () => undefined });
    const { said: answer, asked } = generate({}, full);
    await expect(answer).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('nothing was sent') as string,
    });
    expect(asked()).toBe(0);
  });

  test('counts notes that are not there any more', async () => {
    await generate().said;
    expect(listed()).toMatchObject([
      { reach: 'beyond', server: 'https://models.example', shown: 1, notes: [], answered: true, tokens: 3 },
    ]);
  });

  test('of a bug is left as it was written before: nobody knows whether it was answered', async () => {
    const broken = generate({ generate: () => Promise.reject(new TypeError('a bug')) });
    await expect(broken.said).rejects.toThrow(TypeError);
    const failing = generate({ generate: () => Promise.reject(new ModelFailure('timeout', 'no')) });
    await expect(failing.said).rejects.toThrow(ModelFailure);
    expect(listed().map(({ answered }) => answered)).toEqual([false, null]);
  });

  test('is kept for 90 days, and 10,000 of an account at most', async () => {
    const stop = sheets.start();
    await generate().said;
    clock.advance(DAY);
    await generate().said;
    clock.advance(89 * DAY);
    expect(listed()).toHaveLength(2);
    clock.advance(60_000);
    expect(listed()).toHaveLength(1);
    const add = (count: number) =>
      store.write((db) =>
        db
          .prepare<[number, number]>(
            `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
             INSERT INTO model_sheets (id, account, at, part, server, model, reach, shown)
             SELECT printf('sht_zz%024d', i), 1, ?, 'ask', 's', 'm', 'local', 0 FROM n`,
          )
          .run(count, clock.now()),
      );
    add(10_100);
    clock.advance(60_000);
    const count = () =>
      store.read((db) => db.prepare<[], { n: number }>('SELECT count(*) AS n FROM model_sheets').get()?.n);
    expect(count()).toBe(10_000);
    // The newest are left.
    expect(listed(1)[0]?.id).toBe('sht_zz000000000000000000010100');
    stop();
  });
});
