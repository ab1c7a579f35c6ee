import fs from 'node:fs';
import { createKey } from '@reverie/shared/contract/keys';
import { callHook } from '@reverie/shared/contract/hooks';
import { clearNamespace, deleteMemory, setMemory } from '@reverie/shared/contract/memories';
import {
  evaluateRecalls,
  judgeRecall,
  lastEvaluation,
  listRecalls,
  recordRecall,
} from '@reverie/shared/contract/recalls';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/trash';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';

let daemon: TestDaemon;
const DAY = 86_400_000;
const QUERY = 'on which port does the staging database listen';
const set = (key: string, value: string, namespace = 'n') =>
  daemon.call(setMemory, { body: { key, value, namespace } });
const record = (keys: readonly string[], more: { query?: string; namespace?: string } = {}) =>
  daemon.call(recordRecall, {
    body: {
      ...{ way: 'search', agent: 'codex', namespace: 'n', tokens: 40, query: QUERY, ...more },
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
    ...{ agent: 'codex', session: null, way: 'search', namespace: 'n', query: QUERY, tokens: 40, shown: 2 },
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
    ...{ way: 'search' as const, namespace: '*', tokens: 1 },
    memories: [{ key: 'port', namespace: 'n', reason: 'x' }],
  };
  await expect(narrow(recordRecall, { body })).rejects.toMatchObject({
    code: 'forbidden_scope',
  });
  await expect(narrow(evaluateRecalls, {})).rejects.toMatchObject({
    code: 'forbidden_scope',
  });
});

test('a hook writes its receipt, with the session and what was asked; a doubled one does not', async () => {
  const hook = (event: 'start' | 'prompt') =>
    daemon.call(callHook, {
      body: {
        ...{ agent: 'claude-code', event, namespace: 'n' },
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
  expect(await run()).toMatchObject({ right: 2, better: [{ key: 'port' }], wrong: [] });
  expect(await daemon.call(lastEvaluation, {})).toMatchObject({ cases: 2, last: { right: 2 } });
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
