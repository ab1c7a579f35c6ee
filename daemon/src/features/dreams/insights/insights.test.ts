import * as contract from '@reverie/shared/contract/dreams/dreams';
import { listEvents } from '@reverie/shared/contract/events/events';
import * as memory from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import * as searchContract from '@reverie/shared/contract/search/search';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyDatabase } from '../../../db/backup/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { createRecorder } from '../../events/events.service.ts';
import { findMemory } from '../../memories/memories.store.ts';
import type { Proposal } from '../proposal.ts';
import { dream, insightsOf, proposeIn, storeAll } from '../testing.ts';
import { doingWith, merge, tram, VALUES } from '../testing/merging.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
  await storeAll(daemon.call, VALUES);
});
afterEach(async () => {
  expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
  await daemon.stop();
});

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

const summary: Proposal = {
  strategy: 'summarize',
  title: 'The tram',
  body: 'It is line 4.',
  evidence: tram,
  confidence: 0.5,
  content: 'the tram',
};
const rivals: Proposal = {
  strategy: 'contradict',
  title: 'The tram: at nine or at ten?',
  body: '',
  evidence: [
    { key: 'd', sentence: 'The tram leaves at ten.' },
    { key: 'c', sentence: 'The tram leaves at nine.' },
  ],
  confidence: 0.9,
  content: 'nine / ten',
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
const { accept, reject, undo, get, set, remove, refused } = doingWith(() => daemon);
const memoryOf = async (id: string) => {
  const body = { key: `dream:${id}`, namespace: 'n' };
  return (await daemon.ask({ method: 'POST', path: '/v1/memory-get', body })).status;
};
const keys = async (include?: memory.HiddenKind[]) => {
  const body = { namespace: 'n', limit: 100, ...(include && { include }) };
  const { memories, total } = await daemon.call(memory.listMemories, { body });
  expect(total).toBe(memories.length);
  return memories.map(({ key }) => key).filter((key) => !key.startsWith('dream:'));
};
const search = async (query: string, include?: memory.HiddenKind[]) => {
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
             session_key, hidden, hidden_behind, archived_at FROM memories ORDER BY id`,
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
    expect(await memoryOf(id)).toBe(404);
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
      make({ ...merge, strategy: 'summarize', change: { kind: 'merge', keep: 'b', hide: ['a'] } }),
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

  test('shows the hidden one while the kept one is in the trash, and hides it again after that', async () => {
    await accept(make(merge));
    // But for the number of the shelf, which was empty meanwhile.
    const rows = () => ({ ...everything(), namespaces: undefined });
    const hidden = rows();
    const items = (key: string) => ({ body: { items: [{ key, namespace: 'n' }] } });
    await daemon.call(trashMemories, items('a'));
    expect(await keys()).toEqual(['b', 'c']);
    await daemon.call(restoreTrash, items('a'));
    expect(rows()).toEqual(hidden);
    // A hidden one comes back hidden.
    await daemon.call(trashMemories, items('b'));
    await daemon.call(restoreTrash, items('b'));
    expect(rows()).toEqual(hidden);
    expect(await get('b')).toMatchObject({ merged_into: 'a' });
  });

  test('goes on, and can be taken back, where one of the two is renamed', async () => {
    const id = make(merge);
    await accept(id);
    const rename = (key: string, to: string) =>
      daemon.call(renameMemory, { body: { key, namespace: 'n', to: { key: to } } });
    await rename('a', 'a2');
    await rename('b', 'b2');
    expect(await get('b2')).toMatchObject({ merged_into: 'a2' });
    expect(await keys()).toEqual(['a2', 'c']);
    await undo(id);
    expect(await keys()).toEqual(['a2', 'b2', 'c']);
  });

  test('is no proposal any more where a memory of it is in the trash, or renamed', async () => {
    make(merge);
    await daemon.call(trashMemories, { body: { items: [{ key: 'a', namespace: 'n' }] } });
    expect((await daemon.call(contract.listInsights, { query: {} })).insights).toEqual([]);
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
    expect(namespaces.map(({ count }) => count)).toEqual([2]);
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

describe('a disagreement', () => {
  beforeEach(async () => {
    daemon.clock.advance(86_400_000);
    await set('d', 'The tram leaves at ten.');
  });

  test('keeps the newer one, hides the other, writes no memory, and undo brings it back byte for byte', async () => {
    const before = everything();
    const id = make(rivals);
    expect(await insightsOf(daemon.call)).toMatchObject([
      {
        heading: 'These two disagree',
        resolution: null,
        change: {
          kind: 'disagree',
          older: { key: 'c' },
          newer: { key: 'd', date: (await get('d')).updated_at },
        },
      },
    ]);
    expect(await accept(id)).toMatchObject({ status: 'accepted', resolution: 'newer' });
    expect(await get('c')).toMatchObject({ value: VALUES.c, superseded_by: 'd' });
    expect(await get('c')).not.toHaveProperty('merged_into');
    expect(await keys()).toEqual(['a', 'b', 'd']);
    expect(await keys(['merged', 'archived'])).toEqual(['a', 'b', 'd']);
    expect(await keys(['superseded'])).toEqual(['a', 'b', 'c', 'd']);
    expect(await search('tram leaves')).not.toContain('c');
    expect(await search('tram leaves', ['merged', 'archived'])).not.toContain('c');
    expect(await search('tram leaves', ['superseded'])).toEqual(expect.arrayContaining(['c', 'd']));
    expect(await memoryOf(id)).toBe(404);
    const health = await daemon.call(contract.dreamHealth, { query: { namespace: 'n' } });
    expect(health).toMatchObject({ memories: 3, merged: 0, superseded: 1 });
    expect(await undo(id)).toMatchObject({ status: 'proposed', resolution: null });
    expect(everything()).toEqual(before);
    expect(await keys()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('keeps the older one where that is said', async () => {
    const id = make(rivals);
    expect(await accept(id, 'older')).toMatchObject({ resolution: 'older' });
    expect(await get('d')).toMatchObject({ superseded_by: 'c' });
    expect(await keys()).toEqual(['a', 'b', 'c']);
  });

  test('keeps both, and is settled: it is not proposed again', async () => {
    const before = everything();
    const id = make(rivals);
    expect(await accept(id, 'both')).toMatchObject({ status: 'accepted', resolution: 'both' });
    expect(everything()).toEqual(before);
    expect(make(rivals)).toBe(id);
    expect(await insightsOf(daemon.call)).toHaveLength(1);
  });

  test('is decided anew after an undo only', async () => {
    const id = make(rivals);
    const accepted = await accept(id, 'older');
    expect(await accept(id, 'older')).toEqual(accepted);
    expect(await accept(id)).toEqual(accepted);
    expect(await refused(id, 'accept', { resolution: 'newer' })).toBe('409 conflict');
    await undo(id);
    expect(await accept(id)).toMatchObject({ resolution: 'newer' });
  });

  test('is what a resolution is for, and nothing else', async () => {
    expect(await refused(make(merge), 'accept', { resolution: 'newer' })).toBe('400 invalid_request');
    expect(await refused(make(rivals), 'accept', { resolution: 'all' })).toBe('400 invalid_request');
    expect(await keys()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('goes by the day that the text names, then by the time of the note, then by when it was written', async () => {
    const newerOf = async (id: string) => {
      const { change } = await daemon.call(contract.getInsight, { params: { id } });
      return change?.kind === 'disagree' && change.newer;
    };
    const statedOn = { c: Date.UTC(2027, 1, 3), d: Date.UTC(2026, 1, 3) };
    const named = make({ ...rivals, statedOn });
    expect(await newerOf(named)).toEqual({ key: 'c', date: '2027-02-03T00:00:00.000Z' });
    await set('d', 'The tram leaves at eleven.');
    await daemon.call(memory.setMemory, {
      body: {
        key: 'd',
        value: 'The tram leaves at ten.',
        namespace: 'n',
        metadata: { timestamp: '2001-01-01' },
      },
    });
    expect(await newerOf(make(rivals))).toMatchObject({ key: 'c' });
  });

  test('ends where the one that was kept is deleted', async () => {
    await accept(make(rivals));
    await remove('d');
    expect(await keys()).toEqual(['a', 'b', 'c']);
    expect(await get('c')).not.toHaveProperty('superseded_by');
  });

  test('of a dream before there were sides is one all the same; of three memories it is kept as a memory', async () => {
    const id = make(rivals);
    daemon.withStore((store) =>
      store.write((db) => db.prepare('UPDATE dream_insights SET change = NULL').run()),
    );
    const old = await daemon.call(contract.getInsight, { params: { id } });
    expect(old).toMatchObject({
      heading: 'These two disagree',
      change: { older: { key: 'c' }, newer: { key: 'd' } },
    });
    expect(await accept(id)).toMatchObject({ resolution: 'newer' });
    await set('e', 'The tram leaves at noon.');
    const others = [
      { key: 'a', sentence: VALUES.a },
      { key: 'e', sentence: 'The tram leaves at noon.' },
    ];
    const three = make({ ...rivals, evidence: [...rivals.evidence.slice(0, 1), ...others] });
    expect(await accept(three)).toMatchObject({ heading: 'These disagree', change: null, resolution: null });
    expect(await memoryOf(three)).toBe(200);
  });

  test('over a memory twice is no proposal', async () => {
    const change = {
      kind: 'disagree',
      older: { key: 'c', date: '' },
      newer: { key: 'c', date: '' },
    } as const;
    expect(make({ ...rivals, change })).toBe('');
  });
});

describe('what changes no memory', () => {
  test('is kept as one, with what it rests on', async () => {
    const id = make(summary);
    expect(await accept(id)).toMatchObject({ heading: 'In short', change: null });
    expect(await get(`dream:${id}`)).toMatchObject({
      class: 'dream',
      value: 'The tram\n\nIt is line 4.',
      metadata: { source: 'dream', strategy: 'summarize', evidence: ['c'] },
    });
    await undo(id);
    expect(await memoryOf(id)).toBe(404);
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
    const id = make(summary);
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
    for (let n = 0; n < 7; n += 1) {
      await set(`n${n}`, VALUES.a);
      const evidence = [...merge.evidence, { key: `n${n}`, sentence: VALUES.a }].slice(1);
      make({ ...merge, evidence, change: { kind: 'merge', keep: 'b', hide: [`n${n}`] }, confidence: n / 10 });
    }
    await dream(daemon.call, { namespace: 'n', strategies: ['refine'] });
    make({
      ...summary,
      strategy: 'forecast',
      title: 'First',
      dueOn: Date.UTC(2026, 11, 31),
      content: 'soon',
    });
    make({ ...summary, strategy: 'forecast', title: 'Third', dueOn: Date.UTC(2027, 0, 2), content: 'later' });
    make({ ...summary, strategy: 'forecast', title: 'Second', dueOn: Date.UTC(2027, 0, 1), content: 'then' });
    make({ ...summary, strategy: 'rem', content: 'rem' });
    make({ ...update, content: 'other' });
    for (const order of ['newest', 'best', 'kind'] as const) {
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
      if (order !== 'kind') expect(got.map(by)).toEqual(got.map(by).sort().reverse());
      else
        expect([...new Set(got.map(({ heading }) => heading))]).toEqual([
          'Coming up',
          'One note is out of date',
          'Same note twice',
          'Linked, and missing',
        ]);
      if (order === 'kind')
        expect(got.slice(0, 3).map(({ title }) => title)).toEqual(['First', 'Second', 'Third']);
    }
    const wrong = await daemon.ask({ path: '/v1/memory/dream/insights?order=best&cursor=x' });
    expect([wrong.status, wrong.json.errors?.[0]?.path]).toEqual([400, 'cursor']);
  });

  test('what waits, what does not, and what was decided on since a time are told apart', async () => {
    const list = async (query: {
      waiting?: 'true' | 'false';
      decided_since?: string;
      status?: 'proposed';
    }) => {
      const page = await daemon.call(contract.listInsights, { query: { namespace: 'n', ...query } });
      return [page.insights.map(({ title }) => title).sort(), page.waiting];
    };
    make({ ...summary, title: 'Later', content: 'later' });
    make({ ...merge, title: 'Now' });
    make({
      ...summary,
      strategy: 'forecast',
      title: 'Comes up',
      dueOn: Date.UTC(2026, 11, 31),
      content: 'day',
    });
    const { insights } = await daemon.call(contract.listInsights, { query: { namespace: 'n' } });
    const id = insights.find(({ title }) => title === 'Later')?.id ?? '';
    const until = new Date(daemon.clock.now() + 60_000).toISOString();
    await daemon.call(contract.snoozeInsight, { params: { id }, body: { until } });
    expect(await list({ waiting: 'true' })).toEqual([['Now'], 1]);
    expect(await list({ waiting: 'false', status: 'proposed' })).toEqual([['Comes up', 'Later'], 1]);
    const before = new Date(daemon.clock.now()).toISOString();
    expect(await list({ decided_since: before })).toEqual([[], 1]);
    await reject(id);
    expect(await list({ decided_since: before })).toEqual([['Later'], 1]);
    daemon.clock.advance(1_000);
    expect(await list({ decided_since: new Date(daemon.clock.now()).toISOString() })).toEqual([[], 1]);
  });
});
