import type { AccountId } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/dreams/dreams';
import { listEvents } from '@reverie/shared/contract/events/events';
import { currentKey } from '@reverie/shared/contract/accounts/keys';
import { Problem } from '@reverie/shared/contract/problems';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore } from '../../../db/open-store.ts';
import { verifyDatabase } from '../../../db/backup/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { createRecorder } from '../../events/events.service.ts';
import { findMemory } from '../../memories/memories.store.ts';
import { changedNamespaces } from '../jobs/jobs.store.ts';
import { insightsOf, storeAll } from '../testing.ts';
import { doingWith } from '../testing/merging.ts';
import { proposeFindings } from './findings.service.ts';

const VALUES = {
  old: 'The rent is 940 euro a month.',
  new: 'The rent is 980 euro a month.',
  short: 'The tram leaves at nine.',
  full: 'The tram leaves at nine. It is line 4.',
  visa: 'The visa ends on 1 May 2033.',
};
let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
  await storeAll(daemon.call, VALUES);
});
afterEach(async () => {
  expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
  await daemon.stop();
});
const { accept, reject, remove, get } = doingWith(() => daemon);

const disagree = {
  kind: 'disagree',
  evidence: [
    { key: 'old', quote: 'rent is 940 euro' },
    { key: 'new', quote: 'rent is 980 euro' },
  ],
  title: 'The rent: 940 or 980?',
  why: 'Both are of the same flat.',
  settle: 'The lease.',
} satisfies contract.Finding;
const twice = {
  kind: 'twice',
  evidence: [
    { key: 'short', quote: 'The tram leaves at nine.' },
    { key: 'full', quote: 'The tram leaves at nine.' },
  ],
  title: 'The tram',
  why: 'One says more.',
} satisfies contract.Finding;
const visa = {
  kind: 'due',
  evidence: [{ key: 'visa', quote: 'ends on 1 May 2033' }],
  title: 'The visa ends',
  why: '',
  due_on: '2033-05-01',
} satisfies contract.Finding;

const propose = async (findings: contract.Finding[], call = daemon.call) =>
  (await call(contract.proposeInsights, { body: { namespace: 'n', findings } })).findings;
const jobs = async () => (await daemon.call(contract.listDreams, { query: {} })).jobs;

test('findings of an agent become proposals of a job of its own, and accepting acts', async () => {
  const bad = { ...disagree, evidence: [{ key: 'old', quote: 'rent is 941 euro' }] };
  const answers = await propose([disagree, bad, twice, disagree, visa]);
  expect(answers).toEqual([
    { taken: true, id: expect.stringMatching(/^ins_/) as string },
    { taken: false, why: expect.stringContaining('disagree needs 2 different memories') as string },
    { taken: true, id: expect.stringMatching(/^ins_/) as string },
    { taken: false, why: expect.stringContaining('proposed over the same memories before') as string },
    { taken: true, id: expect.stringMatching(/^ins_/) as string },
  ]);
  const insights = await insightsOf(daemon.call);
  expect(insights).toMatchObject([
    { strategy: 'contradict', heading: 'These two disagree', change: { older: { key: 'old' } } },
    { strategy: 'refine', change: { kind: 'merge', keep: 'full', hide: ['short'] } },
    { strategy: 'forecast', due_on: '2033-05-01' },
  ]);
  expect(insights.map(({ body }) => body)).toEqual([
    'Both are of the same flat.\nThe lease.',
    'One says more.',
    '',
  ]);
  // They are ranked, though nothing was dreamt.
  for (const { score, winner } of insights) expect([score > 0, winner]).toEqual([true, false]);
  const [job, ...others] = await jobs();
  expect(others).toEqual([]);
  expect(job).toMatchObject({
    id: insights[0]?.job_id,
    trigger: 'agent',
    status: 'complete',
    insights: 3,
    namespace: 'n',
    winner: null,
    error: null,
    reading: null,
  });
  expect(new Set(insights.map(({ job_id }) => job_id)).size).toBe(1);

  const { id: actor } = await daemon.call(currentKey, {});
  const { events } = await daemon.call(listEvents, { query: { type: 'insight.generated' } });
  expect(events.map((event) => event.actor)).toEqual(Array(3).fill({ kind: 'key', id: actor }));

  await accept(insights[1]?.id ?? '');
  expect(await get('short')).toMatchObject({ merged_into: 'full' });
  await accept(insights[0]?.id ?? '', 'older');
  expect(await get('new')).toMatchObject({ superseded_by: 'old' });
});

test('a call that brings nothing leaves no job; what was refused is not taken again in other words', async () => {
  expect(await propose([])).toEqual([]);
  expect(
    await propose([{ ...disagree, evidence: [] as never }]).catch((cause: unknown) => cause),
  ).toMatchObject({
    code: 'invalid_request',
  });
  expect(await propose([{ ...twice, title: '\u200b' }])).toEqual([
    { taken: false, why: 'The title says nothing' },
  ]);
  expect(await jobs()).toEqual([]);
  const [first] = await propose([disagree]);
  await reject(first?.id ?? '');
  const again = {
    ...disagree,
    title: 'Rent?',
    evidence: disagree.evidence.map((one) => ({ ...one, quote: 'The rent is' })),
  };
  expect(await propose([again])).toMatchObject([{ taken: false }]);
  expect(await jobs()).toHaveLength(1);
});

test('what is hidden, in the trash, of a dream, or elsewhere is no evidence', async () => {
  const [first] = await propose([twice]);
  await accept(first?.id ?? '');
  const other = { ...twice, kind: 'belongs_together' } as const;
  expect(await propose([other])).toMatchObject([{ taken: false }]);
  const [page] = await propose([{ ...other, evidence: [...disagree.evidence] }]);
  await accept(page?.id ?? '');
  const key = `dream:${page?.id ?? ''}`;
  const ofDream = [{ key, quote: 'One says more.' }, ...disagree.evidence.slice(0, 1)];
  expect(await propose([{ ...other, evidence: ofDream }])).toMatchObject([{ taken: false }]);
  const answer = await daemon.call(contract.proposeInsights, {
    body: { namespace: 'm', findings: [disagree] },
  });
  expect(answer.findings).toMatchObject([{ taken: false }]);
});

test('a source that goes takes the proposal with it', async () => {
  await propose([disagree]);
  await remove('old');
  expect(await insightsOf(daemon.call)).toEqual([]);
});

test('an agent that proposed dreamt nothing: the night does, and health says so', async () => {
  await propose([disagree]);
  const changed = daemon.withStore((store) => store.read(changedNamespaces));
  expect(changed).toMatchObject([{ namespace: 'n' }]);
  const health = await daemon.call(contract.dreamHealth, { query: { namespace: 'n' } });
  expect(health).toMatchObject({ last_dream_at: null, open: [{ strategy: 'contradict', insights: 1 }] });
});

test('whatever an agent sends is refused or taken, and nothing else', async () => {
  const key = daemon.apiKey;
  const post = (body: unknown) => daemon.ask({ path: '/v1/memory/dream/insights', key, body });
  for (const findings of [
    null,
    {},
    [null],
    [{ kind: 'due' }],
    [{ ...disagree, kind: 'sleep' }],
    [{ ...visa, due_on: 'soon' }],
  ])
    expect((await post({ namespace: 'n', findings })).status).toBe(400);
  expect((await post({ namespace: '*', findings: [] })).status).toBe(400);
  const many = Array.from({ length: 201 }, () => disagree);
  expect((await post({ namespace: 'n', findings: many })).status).toBe(400);
  const { as } = daemon;
  expect(await propose([disagree], as(key))).toMatchObject([{ taken: true }]);
});

test('the sheet that was read is named once all is proposed, also where nothing was found', async () => {
  const read: string[] = [];
  const sheets = {
    read: (_: AccountId, ...sheet: [namespace: string, id: string]) => void read.push(sheet.join(' ')),
  };
  const store = openStore({ file: daemon.home.database, migrations: loadMigrations() });
  try {
    const unused = () => {
      throw new Error('nothing is changed');
    };
    const deps = {
      store,
      clock: daemon.clock,
      sheets,
      redact: unused,
      makeRoom: () => undefined,
      memories: { find: findMemory, write: unused, remove: unused, hide: unused, show: unused },
      record: createRecorder({ clock: daemon.clock, written: () => undefined }),
    };
    const author = { account: 1 as AccountId, actor: { kind: 'key', id: 'key_x' }, origin: 'local' } as const;
    await proposeFindings(deps, author, { namespace: 'n', findings: [] });
    await proposeFindings(deps, author, { namespace: 'n', findings: [], sheet: 'one' });
    await proposeFindings(deps, author, { namespace: 'n', findings: [disagree], sheet: 'two' });
    const full = {
      ...deps,
      makeRoom: () => {
        throw new Problem('storage_exceeded', 'full');
      },
    };
    const asked = { namespace: 'n', findings: [twice], sheet: 'three' };
    await expect(proposeFindings(full, author, asked)).rejects.toThrow('full');
  } finally {
    store.close();
  }
  expect(read).toEqual(['n one', 'n two']);
  expect(await insightsOf(daemon.call)).toMatchObject([{ strategy: 'contradict' }]);
  // What did not fit left nothing: it may be proposed again.
  expect(await propose([twice])).toMatchObject([{ taken: true }]);
});
