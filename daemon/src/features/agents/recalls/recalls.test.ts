import fs from 'node:fs';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { callHook } from '@reverie/shared/contract/agents/hooks';
import { clearNamespace, deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import {
  evaluateRecalls,
  judgeRecall,
  lastEvaluation,
  listRecalls,
  recordRecall,
} from '@reverie/shared/contract/agents/recalls';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore } from '../../../db/open-store.ts';
import { createLog } from '../../../platform/log.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { startRecalls } from './evaluation.service.ts';

let daemon: TestDaemon;
const DAY = 86_400_000;
const QUERY = 'on which port does the staging database listen';
const set = (key: string, value: string, namespace = 'n') =>
  daemon.call(setMemory, { body: { key, value, namespace } });
const record = (keys: readonly string[], more: { query?: string; namespace?: string } = {}) =>
  daemon.call(recordRecall, {
    body: {
      way: 'search',
      agent: 'codex',
      namespace: 'n',
      tokens: 40,
      query: QUERY,
      ...more,
      memories: keys.map((key) => ({ key, namespace: 'n', reason: 'fits the search', score: 0.9 })),
    },
  });
const recorded = async (keys: readonly string[], more = {}) => {
  const { id } = await record(keys, more);
  if (id === null) throw new Error('Nothing was written down');
  return id;
};
const list = async (query = {}) => (await daemon.call(listRecalls, { query })).recalls;

beforeEach(async () => {
  daemon = await startTestDaemon();
  await set('port', 'The staging database listens on port 5433.');
  await set('cake', 'The lemon cake bakes for forty minutes.');
});
afterEach(() => daemon.stop());

test('a receipt says what was shown, by whom, why and for what; the last comes first, page by page', async () => {
  const first = await recorded(['port', 'cake', 'port']);
  const second = await recorded(['cake'], { query: 'cake' });
  const [last, earlier] = await list();
  expect([last?.id, earlier?.id]).toEqual([second, first]);
  expect(earlier).toMatchObject({
    agent: 'codex',
    session: null,
    way: 'search',
    namespace: 'n',
    query: QUERY,
    tokens: 40,
    shown: 2,
    memories: [
      { key: 'port', namespace: 'n', reason: 'fits the search', score: 0.9, verdict: null },
      { key: 'cake', title: 'The lemon cake bakes for forty minutes.' },
    ],
  });
  const page = await daemon.call(listRecalls, { query: { limit: 1 } });
  expect(page.next).toBe(second);
  expect((await list({ cursor: second })).map(({ id }) => id)).toEqual([first]);
  expect(await list({ agent: 'nobody' })).toEqual([]);
  expect(await list({ verdict: 'helped' })).toEqual([]);
});

test('what a memory says is nowhere, what is deleted is counted, and the trash hides and brings back', async () => {
  const id = await recorded(['port', 'cake']);
  await daemon.call(trashMemories, { body: { items: [{ key: 'cake', namespace: 'n' }] } });
  expect((await list())[0]?.memories.map(({ key }) => key)).toEqual(['port']);
  await daemon.call(restoreTrash, { body: { items: [{ key: 'cake', namespace: 'n' }] } });
  expect((await list())[0]?.memories.map(({ key }) => key)).toEqual(['port', 'cake']);
  await daemon.call(deleteMemory, { body: { key: 'cake', namespace: 'n' } });
  expect((await list())[0]).toMatchObject({ id, shown: 2, memories: [{ key: 'port' }] });
  expect(
    daemon.withStore((store) =>
      store.read((db) => JSON.stringify(db.prepare('SELECT * FROM recalls, recalled_memories').all())),
    ),
  ).not.toMatch(/5433|lemon|"port"/);
  await expect(record(['nothing'])).resolves.toEqual({ id: null });
});

test('a query that seems to hold a secret is not kept, in no file', async () => {
  await recorded(['port'], { query: 'why does ghp_0123456789abcdefghijABCDEFGHIJ fail at the database' });
  expect((await list())[0]?.query).toBeNull();
  for (const suffix of ['', '-wal'])
    expect(fs.readFileSync(daemon.home.database + suffix).toString('latin1')).not.toContain('ghp_0123');
});

test('they go after 90 days, judged ones stay, and a cleared namespace takes its own along', async () => {
  const [kept, gone] = [await recorded(['port']), await recorded(['cake'])];
  await daemon.call(judgeRecall, { params: { id: kept }, body: { verdict: 'helped' } });
  daemon.clock.advance(91 * DAY);
  const left = (await list()).map(({ id }) => id);
  expect(left).toContain(kept);
  expect(left).not.toContain(gone);
  await daemon.call(clearNamespace, { body: { namespace: 'n' } });
  expect(await list()).toEqual([]);
});

test('verdicts are of one memory or of all, the last holds, and what is wrong is said', async () => {
  const id = await recorded(['port', 'cake']);
  await daemon.call(judgeRecall, { params: { id }, body: { verdict: 'helped' } });
  await daemon.call(judgeRecall, { params: { id }, body: { verdict: 'misled', key: 'cake' } });
  const verdictsOf = async () => (await list())[0]?.memories.map(({ verdict }) => verdict);
  expect(await verdictsOf()).toEqual(['helped', 'misled']);
  await daemon.call(judgeRecall, { params: { id }, body: { verdict: null, key: 'port' } });
  expect(await verdictsOf()).toEqual([null, 'misled']);
  const judge = (key: string) =>
    daemon.call(judgeRecall, { params: { id }, body: { verdict: 'helped', key } });
  await expect(judge('other')).rejects.toMatchObject({ code: 'memory_not_found' });
  await expect(
    daemon.call(judgeRecall, { params: { id: `rcl_${'0'.repeat(26)}` }, body: { verdict: 'helped' } }),
  ).rejects.toMatchObject({ code: 'recall_not_found' });
});

test('a narrower key reads, writes and judges those of its namespaces only', async () => {
  const id = await recorded(['port']);
  const { key } = await daemon.call(createKey, {
    body: { name: 'narrow', scope: 'write', namespaces: ['other'] },
  });
  const narrow = daemon.as(key);
  expect((await narrow(listRecalls, { query: {} })).recalls).toEqual([]);
  expect((await narrow(listRecalls, { query: { namespace: 'n' } })).recalls).toEqual([]);
  await expect(narrow(judgeRecall, { params: { id }, body: { verdict: 'misled' } })).rejects.toMatchObject({
    code: 'recall_not_found',
  });
  const body = {
    way: 'search' as const,
    namespace: '*',
    tokens: 1,
    memories: [{ key: 'port', namespace: 'n', reason: 'x' }],
  };
  await expect(narrow(recordRecall, { body })).rejects.toMatchObject({
    code: 'forbidden_scope',
  });
  await expect(narrow(evaluateRecalls, {})).rejects.toMatchObject({
    code: 'forbidden_scope',
  });
});

test('a narrower key judges what it was shown of everywhere, and never sees what was moved away from it', async () => {
  const { key } = await daemon.call(createKey, {
    body: { name: 'narrow', scope: 'write', namespaces: ['n'] },
  });
  const narrow = daemon.as(key);
  const memories = ['port', 'cake'].map((one) => ({ key: one, namespace: 'n', reason: 'x' }));
  const everywhere = { way: 'search' as const, namespace: '*', tokens: 1, memories };
  const { id } = await narrow(recordRecall, { body: everywhere });
  await narrow(recordRecall, { body: { ...everywhere, namespace: 'n' } });
  await daemon.call(renameMemory, {
    body: { key: 'cake', namespace: 'n', to: { key: 'cake', namespace: 'secret' } },
  });
  const judged = await narrow(judgeRecall, { params: { id: id ?? '' }, body: { verdict: 'helped' } });
  expect(judged.memories.map((one) => one.key)).toEqual(['port']);
  const listed = (await narrow(listRecalls, { query: {} })).recalls;
  expect(listed.map((one) => one.memories.map(({ namespace }) => namespace))).toEqual([['n']]);
  expect((await list({ verdict: 'helped' })).map((one) => one.id)).toEqual([id]);
  expect((await list({ verdict: 'misled' })).length).toBe(0);
});

test.each([
  ['that another key wrote', async () => recorded(['port'], { namespace: '*' })],
  [
    'that another narrower key wrote, of the same namespaces',
    async () => {
      const { key } = await daemon.call(createKey, { body: { name: 'sister', namespaces: ['n'] } });
      const body = { way: 'search' as const, namespace: '*', tokens: 1, query: QUERY };
      const memories = [{ key: 'port', namespace: 'n', reason: 'x' }];
      return (await daemon.as(key)(recordRecall, { body: { ...body, memories } })).id ?? '';
    },
  ],
])('a receipt over every namespace %s is not there for a narrower key', async (_, write) => {
  const id = await write();
  const { key } = await daemon.call(createKey, { body: { name: 'narrow', namespaces: ['n'] } });
  const judging = { params: { id }, body: { verdict: 'misled' as const } };
  const refused = await daemon
    .as(key)(judgeRecall, judging)
    .catch((cause: unknown) => cause);
  expect(refused).toMatchObject({ code: 'recall_not_found' });
  expect((await list({ verdict: 'misled' })).length).toBe(0);
  // Whoever sees all namespaces judges it.
  expect((await daemon.call(judgeRecall, judging)).query).toBe(QUERY);
});

test('where they are not to be kept none is', async () => {
  await daemon.stop();
  daemon = await startTestDaemon({ env: { REVERIE_RECALLS_DAYS: '0' } });
  await set('port', 'The staging database listens on port 5433.');
  expect(await record(['port'])).toEqual({ id: null });
  expect(await list()).toEqual([]);
});

test('nothing is evaluated while vectors are missing', async () => {
  const id = await recorded(['port']);
  await daemon.call(judgeRecall, { params: { id }, body: { verdict: 'helped' } });
  const store = openStore({ file: daemon.home.database, migrations: loadMigrations() });
  onTestFinished(() => store.close());
  const clock = createFakeClock();
  let pending = 1;
  const asked: string[] = [];
  const stop = startRecalls({
    store,
    clock,
    log: createLog('silent'),
    days: 90,
    world: {
      byId: () => new Map(),
      look: async () => [],
      hookLine: 1,
      madeWith: () => (asked.push('made with'), 'x'),
      pending: () => pending,
    },
  });
  clock.advance(60_000);
  // The look that was begun ends.
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([]);
  pending = 0;
  clock.advance(60_000);
  await vi.waitFor(() => expect(asked).not.toEqual([]));
  stop();
});

test('a hook writes its receipt, with the session and what was asked; a doubled one does not', async () => {
  const hook = (event: 'start' | 'prompt') =>
    daemon.call(callHook, {
      body: {
        agent: 'claude-code',
        event,
        namespace: 'n',
        input: JSON.stringify({ session_id: 's1', prompt: QUERY }),
      },
    });
  expect((await hook('start')).output).not.toBe('');
  await hook('start');
  expect(await list()).toMatchObject([
    { agent: 'claude-code', session: 's1', way: 'start', query: null, memories: [{}, {}] },
  ]);
});

test('what helped is looked for again: right, worse once it says something else, better when it is back', async () => {
  const helped = await recorded(['port']);
  const misled = await recorded(['cake'], { query: 'forty minutes in the oven for the cake' });
  await daemon.call(judgeRecall, { params: { id: helped }, body: { verdict: 'helped' } });
  const run = () => daemon.call(evaluateRecalls, {});
  expect(await run()).toMatchObject({ cases: 1, right: 1, wrong: [], worse: [], better: [], cause: 'asked' });
  await daemon.call(judgeRecall, { params: { id: misled }, body: { verdict: 'misled' } });
  expect(await run()).toMatchObject({
    cases: 2,
    right: 1,
    worse: [],
    wrong: [{ key: 'cake', verdict: 'misled', right: false, now: { rank: 1 }, before: null }],
  });
  await set('port', 'The moon was full over the harbour.');
  const worse = await run();
  expect(worse).toMatchObject({ right: 0, worse: [{ key: 'port', before: { rank: 1 } }] });
  await set('port', 'The staging database listens on port 5433.');
  await daemon.call(trashMemories, { body: { items: [{ key: 'cake', namespace: 'n' }] } });
  // What is in the trash is no case any more.
  expect(await run()).toMatchObject({ cases: 1, right: 1, better: [{ key: 'port' }], wrong: [] });
  expect(await daemon.call(lastEvaluation, {})).toMatchObject({ cases: 1, last: { right: 1 } });
});

test('a verdict that is turned around is no change of the search, and a newer recall of the same is the same case', async () => {
  const judge = async (verdict: 'helped' | 'misled') => {
    const id = await recorded(['port']);
    await daemon.call(judgeRecall, { params: { id }, body: { verdict } });
  };
  await judge('helped');
  const run = () => daemon.call(evaluateRecalls, {});
  expect(await run()).toMatchObject({ cases: 1, right: 1 });
  await judge('misled');
  expect(await run()).toMatchObject({ cases: 1, right: 0, worse: [], wrong: [{ before: { rank: 1 } }] });
});

test.each([
  { way: 'prompt', query: 'is there another database', score: 0.9, key: 'port', right: 0 },
  { way: 'search', query: 'is there another database', score: 0.9, key: 'port', right: 1 },
  { way: 'search', query: 'how long is the meeting', score: 0.9, key: 'cake', right: 0 },
  { way: 'search', query: 'how long is the meeting', score: 0.1, key: 'cake', right: 1 },
] as const)(
  'it has to be above the line that it was shown by: $way, $query, $score then',
  async ({ way, query, score, key, right }) => {
    const memories = [{ key, namespace: 'n', reason: 'x', score }];
    const { id } = await daemon.call(recordRecall, {
      body: { way, query, namespace: 'n', tokens: 1, memories },
    });
    await daemon.call(judgeRecall, { params: { id: id ?? '' }, body: { verdict: 'helped' } });
    expect(await daemon.call(evaluateRecalls, {})).toMatchObject({ cases: 1, right });
  },
);

test('what stands behind eight others would not be shown', async () => {
  for (let n = 0; n < 12; n += 1) await set(`tea-${n}`, 'Green tea steeps for two minutes.');
  const ranks = new Set<string>();
  for (let n = 0; n < 12; n += 1) {
    const memories = [{ key: `tea-${n}`, namespace: 'n', reason: 'x', score: 0.9 }];
    const body = { way: 'search' as const, namespace: 'n', tokens: 1, query: 'green tea', memories };
    const made = await daemon.call(recordRecall, { body });
    await daemon.call(judgeRecall, { params: { id: made.id ?? '' }, body: { verdict: 'helped' } });
  }
  const { cases, right, wrong } = await daemon.call(evaluateRecalls, {});
  for (const { now } of wrong) ranks.add(String(now.rank));
  expect([cases, right, [...ranks].sort()]).toEqual([12, 8, ['10', '11', '12', '9']]);
});

test('a change of program or model has it evaluated once, when all vectors are there', async () => {
  const id = await recorded(['port']);
  await daemon.call(judgeRecall, { params: { id }, body: { verdict: 'helped' } });
  const last = async () => (await daemon.call(lastEvaluation, {})).last;
  expect(await last()).toBeNull();
  daemon.clock.advance(60_000);
  await vi.waitFor(async () => expect(await last()).toMatchObject({ cause: 'changed', right: 1 }));
  const first = await last();
  daemon.clock.advance(120_000);
  await daemon.call(listRecalls, { query: {} });
  expect((await last())?.id).toBe(first?.id);
  daemon.withStore((store) =>
    store.write((db) => db.prepare("UPDATE recall_evaluations SET made_with = '0.0.0 other'").run()),
  );
  daemon.clock.advance(60_000);
  await vi.waitFor(async () => expect((await last())?.id).not.toBe(first?.id));
});
