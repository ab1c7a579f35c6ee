import * as contract from '@reverie/shared/contract/dreams/dreams';
import { strategies } from '@reverie/shared/contract/dreams/dream-strategies';
import { listEvents } from '@reverie/shared/contract/events/events';
import { setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { createLog } from '../../platform/log.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { insertAccount } from '../accounts/accounts.store.ts';
import { runDream } from './jobs/run.ts';
import { newJob, nextState } from './jobs/job-state.ts';
import { openRecord } from './jobs/record.ts';
import { findJob, insertJob, type Job } from './jobs/jobs.store.ts';
import { dream, dreamed, insightsOf, storeAll } from './testing.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

const TWINS = {
  a: 'The garage code is 4711.',
  b: 'the garage  code is 4711.',
  c: 'The tram leaves at nine.',
};
const start = (body: object) => daemon.ask({ path: '/v1/memory/dream/start', body });

describe('a dream', () => {
  test('is queued, runs, and proposes what it found', async () => {
    await storeAll(daemon.call, TWINS);
    const { status, json } = await start({ namespace: 'n', strategies: ['refine'] });
    expect([status, Object.keys(json).sort(), json['status']]).toEqual([202, ['id', 'status'], 'queued']);
    const job = await dreamed(daemon.call, String(json['id']));
    expect(job).toMatchObject({
      status: 'complete',
      stages: 1,
      insights: 1,
      memories: 3,
      sampled: null,
      error: null,
      tokens: { used: 0 },
      strategies: [{ strategy: 'refine', state: 'complete', insights: 1 }],
    });
    expect([job.started_at, job.completed_at]).toEqual([expect.any(String), expect.any(String)]);
    const [insight] = await insightsOf(daemon.call);
    expect(insight).toMatchObject({
      job_id: job.id,
      strategy: 'refine',
      status: 'proposed',
      evidence: ['a', 'b'],
      sources: [
        { key: 'a', sentence: TWINS.a },
        { key: 'b', sentence: TWINS.b },
      ],
      change: { kind: 'merge', keep: 'b', hide: ['a'] },
      winner: true,
      stale: [],
    });
    expect(job.winner).toBe(insight?.id);
    const { jobs } = await daemon.call(contract.listDreams, { query: {} });
    expect(jobs).toEqual([job]);
  });

  test('without a model says which strategies one would find more for, and the step to it', async () => {
    await storeAll(daemon.call, TWINS);
    const { strategies } = await dream(daemon.call);
    const told = strategies.filter(({ note }) => note?.includes('`reverie models` finds one'));
    expect(told.map(({ strategy }) => strategy)).toEqual([
      ...['refine', 'contradict', 'pattern', 'connect', 'synthesize', 'forecast'],
    ]);
    expect(strategies.find(({ strategy }) => strategy === 'reflect')?.note).toContain('this one has none');
  });

  test('tells each step in the log, in the order in which it happens', async () => {
    await storeAll(daemon.call, TWINS);
    const job = await dream(daemon.call, { namespace: 'n', strategies: ['refine'] });
    const { events } = await daemon.call(listEvents, { query: { since: 0, limit: 1000 } });
    const told = events.filter(({ type }) => /^(dream|insight)\./.test(type));
    const types = told.map(({ type }) => type);
    // A slow machine tells of more steps between the first and the last.
    expect(types.filter((type, at) => type !== 'dream.step' || types[at - 1] !== type)).toEqual([
      'dream.started',
      'dream.step',
      'dream.insight',
      'insight.generated',
      'dream.step',
      'dream.winner',
      'dream.completed',
    ]);
    expect(told.every(({ actor }) => actor.kind === 'job' && actor.id === job.id)).toBe(true);
    expect(told.at(-1)?.data.after).toMatchObject({ id: job.id, status: 'complete', stages: 1, insights: 1 });
  });

  test('of the same namespace again proposes nothing new, and a refused insight never comes back', async () => {
    await storeAll(daemon.call, TWINS);
    await dream(daemon.call);
    const first = await insightsOf(daemon.call);
    expect(first.length).toBeGreaterThan(0);
    expect((await dream(daemon.call)).insights).toBe(0);
    for (const { id } of first) await daemon.call(contract.rejectInsight, { params: { id } });
    expect((await dream(daemon.call)).insights).toBe(0);
    expect(await insightsOf(daemon.call, { status: 'proposed' })).toEqual([]);
  });

  test('leaves every memory as it is, byte for byte', async () => {
    await storeAll(daemon.call, TWINS);
    const rows = () =>
      daemon.withStore((store) => store.read((db) => db.prepare('SELECT * FROM memories ORDER BY id').all()));
    const before = rows();
    expect((await dream(daemon.call)).insights).toBeGreaterThan(0);
    expect(rows()).toEqual(before);
  });

  test('of an empty namespace is complete, and found nothing', async () => {
    const job = await dream(daemon.call, { namespace: 'nobody' });
    expect(job).toMatchObject({ status: 'complete', insights: 0, memories: 0, winner: null });
    expect(job.stages).toBe(job.strategies.length);
  });

  test('does not look at what dreams wrote, what was recalled, and what is hidden', async () => {
    await storeAll(daemon.call, { ...TWINS, 'dream:x': TWINS.a });
    const recalled = { key: 'r', value: TWINS.a, namespace: 'n', metadata: { source: 'recall' } };
    await daemon.call(setMemory, { body: recalled });
    const wrapped = `<recalled-memories>\n${TWINS.a}\n</recalled-memories>`;
    await daemon.call(setMemory, { body: { key: 'w', value: wrapped, namespace: 'n' } });
    expect((await dream(daemon.call, { namespace: 'n', strategies: ['refine'] })).memories).toBe(3);
    const [insight] = await insightsOf(daemon.call);
    expect(insight?.evidence).toEqual(['a', 'b']);
    await daemon.call(contract.acceptInsight, { params: { id: insight?.id ?? '' } });
    expect((await dream(daemon.call, { namespace: 'n', strategies: ['refine'] })).memories).toBe(2);
  });

  test('takes every name of a strategy, and answers a wrong one with the names', async () => {
    const { status, json } = await start({ strategies: ['levitate'] });
    expect([status, json.code, json.errors?.[0]?.path]).toEqual([400, 'invalid_request', 'strategies.0']);
    for (const name of [...strategies, 'pattern_extract', 'evolve', 'consolidate'])
      expect(json.errors?.[0]?.message).toContain(name);
    const job = await dream(daemon.call, { namespace: 'n', strategies: ['evolve', 'refine'] });
    expect(job.strategies.map(({ strategy }) => strategy)).toEqual(['refine']);
  });

  test('is not there for another account', async () => {
    await storeAll(daemon.call, TWINS);
    const job = await dream(daemon.call);
    const [insight] = await insightsOf(daemon.call);
    const other = daemon.addAccount('write');
    for (const [method, path] of [
      ['GET', `/v1/memory/dream/status/${job.id}`],
      ['POST', `/v1/memory/dream/${job.id}/cancel`],
      ['GET', `/v1/memory/dream/insights/${insight?.id}`],
      ['POST', `/v1/memory/dream/insights/${insight?.id}/accept`],
      ['POST', `/v1/memory/dream/insights/${insight?.id}/reject`],
      ['POST', `/v1/memory/dream/insights/${insight?.id}/undo`],
    ] as const)
      expect((await daemon.ask({ method, path, key: other.key })).status).toBe(404);
    const theirs = daemon.as(other.key);
    expect((await theirs(contract.listDreams, { query: {} })).jobs).toEqual([]);
    expect((await theirs(contract.listInsights, { query: {} })).insights).toEqual([]);
    expect((await theirs(contract.dreamHealth, { query: { namespace: 'n' } })).open).toEqual([]);
  });

  test('may be told a time by an owner only', async () => {
    const now = '2026-11-20T09:00:00.000Z';
    const job = await dream(daemon.call, { namespace: 'n', now });
    expect(job.status).toBe('complete');
    const refused = await daemon.ask({ path: '/v1/memory/dream/start', body: { now }, key: daemon.apiKey });
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden_scope']);
  });
});

describe('several dreams', () => {
  test('run one at a time, in turn between accounts', async () => {
    const other = daemon.addAccount('write');
    const theirs = daemon.as(other.key);
    const begin = async (call: typeof theirs) =>
      (await call(contract.startDream, { body: { namespace: 'n', strategies: ['refine'] } })).id;
    const mine = [await begin(daemon.call), await begin(daemon.call), await begin(daemon.call)];
    const foreign = await begin(theirs);
    const jobs = [
      ...(await Promise.all(mine.map((id) => dreamed(daemon.call, id)))),
      await dreamed(theirs, foreign),
    ];
    expect(jobs.map(({ status }) => status)).toEqual(Array(4).fill('complete'));
    const order = daemon.withStore((store) =>
      store.read((db) =>
        db
          .prepare<[], { id: string; type: string }>(
            "SELECT actor_id AS id, type FROM events WHERE type IN ('dream.started', 'dream.completed') ORDER BY seq",
          )
          .all(),
      ),
    );
    // Each starts after the one before has ended.
    expect(order.map(({ type }) => type)).toEqual(
      Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? 'dream.started' : 'dream.completed')),
    );
    const started = order.filter(({ type }) => type === 'dream.started').map(({ id }) => id);
    expect(started.indexOf(foreign)).toBeLessThan(started.indexOf(mine[2] ?? ''));
  });

  test('of the sandbox are refused', async () => {
    const other = daemon.addAccount('write');
    daemon.withStore((store) =>
      store.write((db) => db.prepare("UPDATE accounts SET kind = 'sandbox' WHERE id = ?").run(other.account)),
    );
    const body = { namespace: 'n' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => daemon.ask({ path: '/v1/memory/dream/start', body, key: other.key })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(202);
    for (const { status, json } of answers) if (status !== 202) expect(json.code).toBe('conflict');
  });
});

test('a thread that breaks fails its dream with a reason, and the daemon goes on', async () => {
  const store = openStore({ file: ':memory:', migrations: loadMigrations() });
  const told: string[] = [];
  const unused = () => {
    throw new Error('nothing is proposed');
  };
  const record = (_: unknown, { type }: { type: string }) => void told.push(type);
  const memories = { find: unused, write: unused, remove: unused, hide: unused, show: unused };
  const account = store.write((db) =>
    insertAccount(db, { public_id: 'a', kind: 'bot', tier: 'pro', created_at: 1 }),
  );
  const job: Job = {
    id: 'dream_1',
    account,
    namespace: 'n',
    startedBy: 'request',
    task: null,
    clock: null,
    tokensBudget: 0,
    createdAt: 1,
    state: nextState(newJob(['refine']), { kind: 'started', at: 1 }),
  };
  store.write((db) => insertJob(db, job));
  const deps = {
    store,
    log: createLog('silent'),
    insights: { store, clock: daemon.clock, memories, record, redact: unused },
    thread: { database: '/nowhere/reverie.db', embedder: 'none' },
    minds: { model: () => undefined, ask: undefined },
    settled: async (of: number) => void told.push(`indexed of ${of}`),
    sheetTokens: undefined,
  };
  const run = runDream(deps, openRecord(deps, job));
  await run.ended;
  const state = store.read((db) => findJob(db, account, 'dream_1')?.state);
  expect(state).toMatchObject({ status: 'failed', error: { code: 'worker_failed' } });
  // What was written is indexed before its vectors are compared.
  expect(told).toEqual([`indexed of ${account}`, 'dream.failed']);
  store.close();
});

describe('cancel', () => {
  test('ends a dream that waits; it is failed with the code cancelled, once and for all', async () => {
    await storeAll(daemon.call, TWINS);
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await daemon.call(contract.startDream, { body: { namespace: 'n' } })).id),
    );
    const last = { params: { id: ids[2] ?? '' } };
    const job = await daemon.call(contract.cancelDream, last);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    expect(await daemon.call(contract.cancelDream, last)).toEqual(job);
    await Promise.all(ids.map((id) => dreamed(daemon.call, id)));
    expect(await daemon.call(contract.dreamStatus, last)).toEqual(job);
  });

  test('ends one that runs; what it proposed stays, and the next one has its turn', async () => {
    const items = Array.from({ length: 1000 }, (_, n) => ({
      key: `k${n}`,
      namespace: 'n',
      value: `On day ${n >> 1} the courier brought parcel number ${(n >> 1) * 7919} to the house of family ${n >> 3}.`,
    }));
    await daemon.call(storeBatch, { body: { items } });
    const { id } = await daemon.call(contract.startDream, { body: { namespace: 'n' } });
    const next = await daemon.call(contract.startDream, { body: { namespace: 'other' } });
    const status = () => daemon.call(contract.dreamStatus, { params: { id } });
    while ((await status()).strategies.every(({ state }) => state === 'waiting'));
    const job = await daemon.call(contract.cancelDream, { params: { id } });
    expect(job).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    expect((await dreamed(daemon.call, next.id)).status).toBe('complete');
    expect(await status()).toEqual(job);
    const { insights } = await daemon.call(contract.listInsights, { query: { job: id, limit: 200 } });
    expect(insights.length).toBe(Math.min(200, job.insights));
    const { events } = await daemon.call(listEvents, { query: { family: 'dream', since: 0, limit: 1000 } });
    const ends = events.filter(({ type, actor }) => /failed|completed|winner/.test(type) && actor.id === id);
    expect(ends.map(({ type }) => type)).toEqual(['dream.failed']);
  });

  test('of one that is over is a conflict', async () => {
    const { id } = await dream(daemon.call);
    const { status, json } = await daemon.ask({ method: 'POST', path: `/v1/memory/dream/${id}/cancel` });
    expect([status, json.code]).toEqual([409, 'conflict']);
  });
});
