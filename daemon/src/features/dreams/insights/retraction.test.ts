import fs from 'node:fs';
import * as contract from '@reverie/shared/contract/dreams/dreams';
import { listEvents } from '@reverie/shared/contract/events/events';
import * as memory from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
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

const make = (proposal: Proposal) =>
  proposeIn(
    {
      ...daemon,
      find: findMemory,
      record: createRecorder({ clock: daemon.clock, written: () => undefined }),
    },
    proposal,
  );
const { accept, reject, get, set, remove, refused } = doingWith(() => daemon);
describe('a proposal', () => {
  const made = (proposal: Proposal) => {
    const before = countInsights();
    make(proposal);
    return countInsights() - before;
  };
  const countInsights = () =>
    daemon.withStore((store) => store.read((db) => db.prepare('SELECT id FROM dream_insights').all().length));

  test.each<[string, Partial<Proposal>]>([
    ['without evidence', { evidence: [] }],
    ['of a memory that is not there', { evidence: [{ key: 'x', sentence: 'x' }] }],
    [
      'of a sentence that is not there',
      { evidence: [...merge.evidence, { key: 'c', sentence: 'The tram leaves at ten.' }] },
    ],
    ['of no sentence', { evidence: [...merge.evidence, { key: 'c', sentence: ' ' }] }],
    ['that changes what is not its evidence', { change: { kind: 'archive', keys: ['c'] } }],
    ['that merges a memory into itself', { change: { kind: 'merge', keep: 'a', hide: ['a'] } }],
    ['without a title', { title: ' ' }],
    ['without a confidence', { confidence: NaN }],
  ])('%s is dropped', (_, wrong) => {
    expect(made({ ...merge, ...wrong })).toBe(0);
  });

  test('is made once, in whatever words, and by another strategy again', () => {
    expect(made(merge)).toBe(1);
    expect(made({ ...merge, title: 'other', content: ' THE garage  code is 4711. ' })).toBe(0);
    expect(made({ ...merge, evidence: [...merge.evidence].reverse() })).toBe(0);
    expect(made({ ...merge, strategy: 'connect' })).toBe(1);
    expect(made({ ...merge, title: 'other', content: 'other' })).toBe(0);
  });

  test('goes with its source, and may be made again when that is so again', async () => {
    const id = make(merge);
    await set('b', 'Something else.');
    expect(await refused(id, 'accept')).toBe('404 insight_not_found');
    const { events } = await daemon.call(listEvents, { query: { type: 'insight.rejected' } });
    expect(events.map(({ data, actor }) => [data.after?.['id'], data.after?.['status'], actor.kind])).toEqual(
      [[id, 'retracted', 'system']],
    );
    await set('b', VALUES.b);
    expect(made(merge)).toBe(1);
    await remove('a');
    expect(await insightsOf(daemon.call)).toEqual([]);
  });

  test('stays where only the tags of its source change', async () => {
    make(merge);
    const body = { key: 'b', value: VALUES.b, namespace: 'n', metadata: { tags: ['code'] } };
    await daemon.call(memory.setMemory, { body });
    expect(await insightsOf(daemon.call)).toHaveLength(1);
  });

  test('that was refused is not made again even after its source was deleted and stored anew', async () => {
    await reject(make(merge));
    await remove('b');
    await set('b', VALUES.b);
    expect(made(merge)).toBe(0);
  });
});

describe('what was accepted', () => {
  test('follows the names of its sources, but not into another namespace', async () => {
    const id = make(merge);
    await accept(id);
    const rename = (key: string, to: { key: string; namespace?: string }) =>
      daemon.call(renameMemory, { body: { key, namespace: 'n', to } });
    const evidence = async () => (await daemon.call(contract.getInsight, { params: { id } })).evidence;
    await rename('a', { key: 'a2' });
    expect(await evidence()).toEqual(['a2', 'b']);
    await rename('a2', { key: 'told only there', namespace: 'elsewhere' });
    expect(await evidence()).toEqual(['a2', 'b']);
  });

  test('is stale once a source is overwritten or deleted, and its memory says so', async () => {
    const evidence = [...tram, ...merge.evidence];
    const { change: _, ...plain } = merge;
    const id = make({ ...plain, evidence, content: 'all three' });
    await accept(id);
    await set('c', 'The tram leaves at ten.');
    expect(await daemon.call(contract.getInsight, { params: { id } })).toMatchObject({
      status: 'accepted',
      stale: ['c'],
    });
    expect((await get(`dream:${id}`)).metadata['stale']).toEqual(['c']);
    await remove('a');
    const insight = await daemon.call(contract.getInsight, { params: { id } });
    expect(insight).toMatchObject({ stale: ['c', 'a'], body: '', evidence: ['c', 'b'] });
    const health = await daemon.call(contract.dreamHealth, { query: { namespace: 'n' } });
    expect(health).toMatchObject({ stale: 1, memories: 3, merged: 0 });
  });
});

describe('nothing of a deleted source stays', () => {
  const SECRET = 'Zyxwobblequonk quixotarium';
  /** Where the middle of a secret word stands in the database files. */
  const found = () =>
    ['', '-wal'].filter((suffix) => {
      const file = `${daemon.home.database}${suffix}`;
      return (
        fs.existsSync(file) && fs.readFileSync(file).toString('latin1').toLowerCase().includes('xwobblequo')
      );
    });

  test.each(['proposed', 'rejected'] as const)('of a %s insight', async (status) => {
    await storeAll(daemon.call, { x: `One ${SECRET}.`, y: `one  ${SECRET}.` });
    const evidence = [
      { key: 'x', sentence: `One ${SECRET}.` },
      { key: 'y', sentence: `one  ${SECRET}.` },
    ];
    const id = make({
      ...merge,
      title: `About ${SECRET}`,
      body: SECRET,
      evidence,
      change: { kind: 'update', key: 'x', value: SECRET },
    });
    if (status === 'rejected') await reject(id);
    expect(found()).not.toEqual([]);
    await remove('x');
    await remove('y');
    daemon.clock.advance(120_000);
    expect(found()).toEqual([]);
  });

  test.each(['changed memories', 'was kept as a memory'])(
    'of an insight that %s, but for that memory',
    async (what) => {
      await storeAll(daemon.call, { x: `One ${SECRET}.`, y: `one  ${SECRET}.` });
      const evidence = [
        { key: 'x', sentence: `One ${SECRET}.` },
        { key: 'y', sentence: `one  ${SECRET}.` },
      ];
      const { change: _, ...plain } = merge;
      const isKept = what === 'was kept as a memory';
      const id = make({
        ...plain,
        title: `About ${SECRET}`,
        evidence,
        ...(!isKept && { change: { kind: 'update', key: 'x', value: `Two ${SECRET}.` } }),
      });
      await accept(id);
      await remove('x');
      await remove('y');
      expect(JSON.stringify(await daemon.call(contract.getInsight, { params: { id } }))).not.toContain(
        'quixotarium',
      );
      if (isKept) {
        expect((await get(`dream:${id}`)).value).toContain('quixotarium');
        await remove(`dream:${id}`);
      }
      daemon.clock.advance(120_000);
      expect(found()).toEqual([]);
    },
  );

  test('of a namespace that is cleared', async () => {
    await storeAll(daemon.call, { x: `One ${SECRET}.`, y: `one  ${SECRET}.` });
    await dream(daemon.call, { namespace: 'n', strategies: ['refine'] });
    for (const { id } of await insightsOf(daemon.call)) await accept(id);
    await daemon.call(memory.clearNamespace, { body: { namespace: 'n' } });
    daemon.clock.advance(120_000);
    expect(found()).toEqual([]);
  });
});
