import * as contract from '@reverie/shared/contract/dreams';
import { listEvents } from '@reverie/shared/contract/events';
import * as memory from '@reverie/shared/contract/memories';
import * as searchContract from '@reverie/shared/contract/search';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyDatabase } from '../../../db/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { createRecorder } from '../../events/events.service.ts';
import { findMemory } from '../../memories/memories.store.ts';
import type { Proposal } from '../strategies/strategy.ts';
import { dream, insightsOf, proposeIn, storeAll } from '../testing.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
  await storeAll(daemon.call, VALUES);
});
afterEach(async () => {
  expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
  await daemon.stop();
});

const VALUES = {
  a: 'The garage code is 4711.',
  b: 'the garage  code is 4711.',
  c: 'The tram leaves at nine. It is line 4.',
};
const merge: Proposal = {
  strategy: 'refine',
  title: 'a and b say the same',
  body: 'Keep a.',
  evidence: [
    { key: 'a', sentence: VALUES.a },
    { key: 'b', sentence: VALUES.b },
  ],
  confidence: 0.9,
  change: { kind: 'merge', keep: 'a', hide: ['b'] },
  content: 'the garage code is 4711.',
};
const tram = [{ key: 'c', sentence: 'The tram leaves at nine.' }];
const archive: Proposal = {
  ...merge,
  evidence: tram,
  change: { kind: 'archive', keys: ['c'] },
  content: 'archive c',
};
const update: Proposal = {
  ...merge,
  strategy: 'contradict',
  evidence: tram,
  change: { kind: 'update', key: 'c', value: 'The tram leaves at ten. It is line 4.' },
  content: 'ten',
};

const make = (proposal: Proposal) =>
  proposeIn(
    {
      ...daemon,
      find: findMemory,
      record: createRecorder({ clock: daemon.clock, written: () => undefined }),
    },
    proposal,
  );
const accept = (id: string) => daemon.call(contract.acceptInsight, { params: { id } });
const reject = (id: string) => daemon.call(contract.rejectInsight, { params: { id } });
const undo = (id: string) => daemon.call(contract.undoInsight, { params: { id } });
const get = (key: string) => daemon.call(memory.getMemory, { body: { key, namespace: 'n' } });
const set = (key: string, value: string) =>
  daemon.call(memory.setMemory, { body: { key, value, namespace: 'n' } });
const remove = (key: string) => daemon.call(memory.deleteMemory, { body: { key, namespace: 'n' } });
const refused = async (id: string, what: 'accept' | 'reject' | 'undo') => {
  const { status, json } = await daemon.ask({
    method: 'POST',
    path: `/v1/memory/dream/insights/${id}/${what}`,
  });
  return `${status} ${json.code}`;
};
const keys = async (include?: ('merged' | 'archived')[]) => {
  const body = { namespace: 'n', limit: 100, ...(include && { include }) };
  const { memories, total } = await daemon.call(memory.listMemories, { body });
  expect(total).toBe(memories.length);
  return memories.map(({ key }) => key).filter((key) => !key.startsWith('dream:'));
};
const search = async (query: string, include?: ('merged' | 'archived')[]) => {
  const body = { query, namespace: 'n', ...(include && { include }) };
  const { results } = await daemon.call(searchContract.searchMemories, { body });
  return results.map(({ key }) => key).filter((key) => !key.startsWith('dream:'));
};
/** Everything of the memories and their indexes, but for what says when they were indexed. */
const everything = () =>
  daemon.withStore((store) =>
    store.read((db) => ({
      memories: db
        .prepare(
          `SELECT id, namespace_id, key, value, metadata, class, bytes, created_at, updated_at, expires_at, session, session_time,
             session_key, hidden, merged_into, archived_at FROM memories ORDER BY id`,
        )
        .all(),
      tags: db.prepare('SELECT memory_id, tag FROM memory_tags ORDER BY memory_id, tag').all(),
      namespaces: db.prepare('SELECT id, name, memories, bytes, chunks FROM namespaces ORDER BY id').all(),
      vectors: db
        .prepare('SELECT memory_id, position, model, scale, vector FROM chunks ORDER BY memory_id, position')
        .all(),
    })),
  );

describe('a merge', () => {
  test('hides one behind the other, and undo brings everything back byte for byte', async () => {
    const before = everything();
    const id = make(merge);
    expect(await accept(id)).toMatchObject({ status: 'accepted', decided_at: expect.any(String) as string });
    expect(await keys()).toEqual(['a', 'c']);
    expect(await keys(['merged'])).toEqual(['a', 'b', 'c']);
    expect(await keys(['archived'])).toEqual(['a', 'c']);
    expect(await get('b')).toMatchObject({ value: VALUES.b, merged_into: 'a' });
    expect(await get('a')).not.toHaveProperty('merged_into');
    expect(await get(`dream:${id}`)).toMatchObject({
      class: 'dream',
      value: 'a and b say the same\n\nKeep a.',
      metadata: { source: 'dream', strategy: 'refine', evidence: ['a', 'b'] },
    });
    expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
    expect(await undo(id)).toMatchObject({ status: 'proposed', decided_at: null, stale: [] });
    expect(everything()).toEqual(before);
    expect(await keys()).toEqual(['a', 'b', 'c']);
  });

  test('takes the hidden one out of searches, and include brings it back', async () => {
    await accept(make(merge));
    expect(await search('garage code')).not.toContain('b');
    expect(await search('garage code', ['archived'])).not.toContain('b');
    const all = await search('garage code', ['merged']);
    expect(all).toEqual(expect.arrayContaining(['a', 'b']));
    expect(await search(VALUES.b)).not.toContain('b');
  });

  test('is the event memory.merge', async () => {
    const id = make(merge);
    await accept(id);
    const { events } = await daemon.call(listEvents, { query: { type: 'memory.merge' } });
    expect(events.map(({ data }) => data.after)).toEqual([
      expect.objectContaining({ key: 'b', merged_into: 'a' }) as object,
    ]);
    const decisions = await daemon.call(listEvents, { query: { type: 'insight.accepted' } });
    expect(decisions.events.map(({ data }) => data.after?.['id'])).toEqual([id]);
  });

  test('of a memory that is hidden already, or gone, is refused', async () => {
    const [first, second] = [
      make(merge),
      make({ ...merge, change: { kind: 'merge', keep: 'b', hide: ['a'] }, content: 'other' }),
    ];
    await accept(first);
    expect(await refused(second, 'accept')).toBe('409 conflict');
    expect(await keys()).toEqual(['a', 'c']);
  });

  test('ends where the hidden one is written again, or the kept one deleted', async () => {
    const id = make(merge);
    await accept(id);
    await set('b', 'The garage code is 1234 now.');
    expect(await keys()).toEqual(['a', 'b', 'c']);
    expect(await get('b')).not.toHaveProperty('merged_into');
    expect(await search('garage code 1234')).toContain('b');
    await undo(id);
    expect((await get('b')).value).toBe('The garage code is 1234 now.');
  });

  test('shows the hidden one again where the kept one is deleted', async () => {
    await accept(make(merge));
    await remove('a');
    expect(await keys()).toEqual(['b', 'c']);
    expect(await get('b')).not.toHaveProperty('merged_into');
    expect(await search('garage code')).toContain('b');
  });

  test('of what others are hidden behind shows those where it is deleted', async () => {
    await accept(make(merge));
    const said = [...tram, { key: 'a', sentence: VALUES.a }];
    await accept(
      make({ ...merge, evidence: said, change: { kind: 'merge', keep: 'c', hide: ['a'] }, content: 'c' }),
    );
    expect(await keys()).toEqual(['c']);
    await remove('a');
    expect(await keys()).toEqual(['b', 'c']);
  });

  test('taken back leaves hidden what another insight hides meanwhile', async () => {
    const first = make(merge);
    await accept(first);
    await set('b', VALUES.b);
    const said = [{ key: 'b', sentence: VALUES.b }];
    await accept(
      make({ ...archive, evidence: said, change: { kind: 'archive', keys: ['b'] }, content: 'b' }),
    );
    await undo(first);
    expect(await keys()).toEqual(['a', 'c']);
    expect(await get('b')).toHaveProperty('archived_at');
  });

  test('writing the same text to a hidden key shows it again', async () => {
    await accept(make(merge));
    await set('b', VALUES.b);
    expect(await keys()).toEqual(['a', 'b', 'c']);
  });

  test('a hidden memory can be deleted, and a namespace with one cleared', async () => {
    await accept(make(merge));
    await remove('b');
    expect(await keys(['merged'])).toEqual(['a', 'c']);
    await accept(make(archive));
    await daemon.call(memory.clearNamespace, { body: { namespace: 'n' } });
    expect(everything()).toEqual({ memories: [], tags: [], namespaces: [], vectors: [] });
    expect(await insightsOf(daemon.call)).toEqual([]);
  });
});

describe('an archive', () => {
  test('hides, answers get with its time, and is taken back', async () => {
    const before = everything();
    const id = make(archive);
    await accept(id);
    expect(await get('c')).toMatchObject({ archived_at: new Date(daemon.clock.now()).toISOString() });
    expect(await keys()).toEqual(['a', 'b']);
    expect(await keys(['archived'])).toEqual(['a', 'b', 'c']);
    expect(await search('tram', ['archived'])).toContain('c');
    expect(await search('tram')).not.toContain('c');
    const { namespaces } = await daemon.call(memory.listNamespaces, {});
    expect(namespaces.map(({ count }) => count)).toEqual([3]);
    await undo(id);
    expect(everything()).toEqual(before);
  });

  test('of a part of a session leaves the context of what follows', async () => {
    const body = (key: string, value: string, timestamp: number) => ({
      key,
      value,
      namespace: 'n',
      metadata: { session: 's', timestamp },
    });
    await daemon.call(memory.setMemory, { body: body('s1', 'We spoke about the quixotarium.', 1) });
    await daemon.call(memory.setMemory, { body: body('s2', 'Yes, I agree.', 2) });
    const before = everything();
    const said = [{ key: 's1', sentence: 'We spoke about the quixotarium.' }];
    const id = make({ ...archive, evidence: said, change: { kind: 'archive', keys: ['s1'] }, content: 's1' });
    await accept(id);
    const { results } = await daemon.call(searchContract.searchMemories, {
      body: { query: 'quixotarium', namespace: 'n', threshold: 0.3 },
    });
    expect(results.map(({ key }) => key).filter((key) => key.startsWith('s'))).toEqual([]);
    await undo(id);
    expect(everything()).toEqual(before);
  });
});

describe('an update', () => {
  test('writes the new value, and undo the old one with its times', async () => {
    const before = await get('c');
    daemon.clock.advance(5000);
    const id = make(update);
    await accept(id);
    expect((await get('c')).value).toBe('The tram leaves at ten. It is line 4.');
    daemon.clock.advance(5000);
    await undo(id);
    expect(await get('c')).toEqual(before);
    await accept(id);
    expect((await get('c')).value).toBe('The tram leaves at ten. It is line 4.');
  });

  test('is not taken back where somebody wrote there since', async () => {
    const id = make(update);
    await accept(id);
    await set('c', 'The tram does not leave any more.');
    expect(await refused(id, 'undo')).toBe('409 conflict');
    expect((await get('c')).value).toBe('The tram does not leave any more.');
  });
});

describe('a decision', () => {
  test('is made once, and taken back before another', async () => {
    const id = make(archive);
    expect(await refused(id, 'undo')).toBe('409 conflict');
    const accepted = await accept(id);
    expect(await accept(id)).toEqual(accepted);
    expect(await refused(id, 'reject')).toBe('409 conflict');
    await undo(id);
    expect(await reject(id)).toMatchObject({ status: 'rejected' });
    expect(await refused(id, 'accept')).toBe('409 conflict');
    expect(await undo(id)).toMatchObject({ status: 'proposed' });
    expect(await insightsOf(daemon.call, { status: 'proposed' })).toHaveLength(1);
  });

  test('leaves a memory that a person went on writing to them', async () => {
    const id = make(archive);
    await accept(id);
    await set(`dream:${id}`, 'My own words.');
    await undo(id);
    expect((await get(`dream:${id}`)).value).toBe('My own words.');
  });

  test('of what is not there is 404', async () => {
    for (const what of ['accept', 'reject', 'undo'] as const)
      expect(await refused('ins_x', what)).toBe('404 insight_not_found');
  });
});

describe('pages of insights', () => {
  test('go on where the one before ended, newest or best first', async () => {
    for (let n = 0; n < 7; n += 1) make({ ...merge, confidence: n / 10, content: `number ${n}` });
    await dream(daemon.call, { namespace: 'n', strategies: ['refine'] });
    for (const order of ['newest', 'best'] as const) {
      const got: contract.Insight[] = [];
      for (let cursor: string | undefined; ;) {
        const query = { namespace: 'n', order, limit: 3, ...(cursor !== undefined && { cursor }) };
        const page = await daemon.call(contract.listInsights, { query });
        got.push(...page.insights);
        if (page.next === null) break;
        cursor = page.next;
      }
      expect(new Set(got.map(({ id }) => id)).size).toBe(got.length);
      expect(got.length).toBeGreaterThanOrEqual(8);
      const by = ({ id, score }: contract.Insight) => (order === 'best' ? score.toFixed(6) : id);
      expect(got.map(by)).toEqual(got.map(by).sort().reverse());
    }
    const wrong = await daemon.ask({ path: '/v1/memory/dream/insights?order=best&cursor=x' });
    expect([wrong.status, wrong.json.errors?.[0]?.path]).toEqual([400, 'cursor']);
  });
});
