import type { AccountId } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/dreams/dreams';
import { listEvents } from '@reverie/shared/contract/events/events';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReadDb } from '../../../db/open-store.ts';
import { verifyDatabase } from '../../../db/backup/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { createRecorder } from '../../events/events.service.ts';
import { findMemory } from '../../memories/memories.store.ts';
import type { Proposal } from '../proposal.ts';
import { insightsOf, proposeIn, storeAll } from '../testing.ts';
import { doingWith } from '../testing/merging.ts';
import { formerFingerprintOf } from './fingerprint.ts';
import { countWaiting, listInsightRows } from './insights.store.ts';

const DAY = 86_400_000;
const VALUES = {
  a: 'The garage code is 4711.',
  b: 'The garage code is 4712.',
  c: 'The tram leaves at nine.',
  d: 'The dentist is on 3 December.',
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

const on = (keys: string, more: Partial<Proposal> = {}): Proposal => ({
  strategy: 'connect',
  title: `On ${keys}`,
  body: '',
  confidence: 0.5,
  content: `on ${keys}`,
  evidence: [...keys].map((key) => ({ key, sentence: VALUES[key as keyof typeof VALUES] })),
  ...more,
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
/** Whether a proposal was taken. */
const taken = (proposal: Proposal) => {
  const count = () =>
    daemon.withStore((store) => store.read((db) => db.prepare('SELECT id FROM dream_insights').all().length));
  const before = count();
  make(proposal);
  return count() > before;
};
const { accept, reject, undo, set, remove } = doingWith(() => daemon);
const snooze = (id: string, until: string | null) =>
  daemon.call(contract.snoozeInsight, { params: { id }, body: { until } });
const at = (ms: number) => new Date(daemon.clock.now() + ms).toISOString();
const list = (query: object = {}) => daemon.call(contract.listInsights, { query });
const waiting = async (query: object = {}) => {
  const { insights, waiting: count } = await list({ waiting: 'true', limit: 200, ...query });
  expect(insights).toHaveLength(count);
  return insights.map(({ title }) => title).sort();
};

describe('what waits', () => {
  test('is proposed, is not coming up, and is not put off; the number is that of the list', async () => {
    const first = make(on('ab'));
    make(on('d', { strategy: 'forecast', dueOn: Date.UTC(2031, 11, 3) }));
    const third = make(on('ac'));
    await reject(make(on('bc')));
    await accept(make(on('abc', { strategy: 'synthesize' })));
    expect(await waiting()).toEqual(['On ab', 'On ac']);
    expect((await list({ status: 'accepted' })).waiting).toBe(2);
    expect((await list({ waiting: 'false' })).insights).toHaveLength(3);
    expect(await waiting({ status: 'rejected' }).catch(() => 'differs')).toBe('differs');

    const until = at(DAY);
    expect(await snooze(first, until)).toMatchObject({ status: 'proposed', snoozed_until: until });
    expect(await waiting()).toEqual(['On ac']);
    daemon.clock.advance(DAY);
    expect(await waiting()).toEqual(['On ab', 'On ac']);
    await snooze(third, at(DAY));
    expect(await snooze(third, null)).toMatchObject({ snoozed_until: null });
    expect(await waiting()).toEqual(['On ab', 'On ac']);
  });

  test('is counted in the namespaces that a key has, and in the one that is asked for', async () => {
    make(on('ab'));
    await daemon.call(setMemory, { body: { key: 'a', namespace: 'm', value: VALUES.a } });
    const { key } = await daemon.call(createKey, {
      body: { name: 'narrow', scope: 'write', namespaces: ['m'] },
    });
    const narrow = daemon.as(key);
    const counts = async (call: TestDaemon['call'], namespace?: string) =>
      (await call(contract.listInsights, { query: namespace === undefined ? {} : { namespace } })).waiting;
    expect([
      await counts(daemon.call),
      await counts(daemon.call, 'n'),
      await counts(daemon.call, 'm'),
    ]).toEqual([1, 1, 0]);
    expect([await counts(narrow), await counts(narrow, 'n')]).toEqual([0, 0]);
  });

  test('is read in its index, strongest first, and counted in it alone', () => {
    const plans = daemon.withStore((store) =>
      store.read((db) => {
        const plansOf = (read: (watched: ReadDb) => unknown, params: object) => {
          let plan: string[] = [];
          const prepare = (sql: string) => {
            const rows = db.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(params);
            plan = rows.map(({ detail }) => detail);
            return db.prepare(sql);
          };
          read({ ...db, prepare } as unknown as ReadDb);
          return plan;
        };
        const account = 1 as AccountId;
        const at = { account, namespace: 'n', within: null, waitingAt: 5 };
        const filter = {
          ...at,
          status: null,
          job: null,
          strategy: null,
          limit: 7,
          waits: true,
          decidedSince: null,
        };
        return [
          plansOf((watched) => listInsightRows(watched, filter, { order: 'best', after: null }), {
            ...filter,
            after: null,
          }),
          plansOf((watched) => countWaiting(watched, at), at),
        ];
      }),
    );
    expect(plans).toEqual([
      ['SEARCH i USING INDEX dream_insights_waiting (account=?)'],
      ['SEARCH i USING COVERING INDEX dream_insights_waiting (account=?)'],
    ]);
  });
});

describe('snoozing', () => {
  test('is for a proposal, and for a time to come; deciding and undoing end it', async () => {
    const id = make(on('ab'));
    for (const until of [at(0), at(-1)])
      await expect(snooze(id, until)).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ path: 'until' }],
      });
    await expect(snooze('ins_x', at(DAY))).rejects.toMatchObject({ code: 'insight_not_found' });
    await snooze(id, at(DAY));
    expect(await accept(id)).toMatchObject({ status: 'accepted', snoozed_until: null });
    await expect(snooze(id, at(DAY))).rejects.toMatchObject({ code: 'conflict' });
    await expect(snooze(id, null)).rejects.toMatchObject({ code: 'conflict' });
    expect(await undo(id)).toMatchObject({ status: 'proposed', snoozed_until: null });
    await snooze(id, at(DAY));
    expect(await reject(id)).toMatchObject({ snoozed_until: null });
    expect(await undo(id)).toMatchObject({ snoozed_until: null });
  });

  test('is told in no event, and goes on where a source of another one changes', async () => {
    const id = make(on('ab'));
    const events = async () =>
      (await daemon.call(listEvents, { query: { family: 'insight' } })).events.length;
    const before = await events();
    await snooze(id, at(DAY));
    expect(await events()).toBe(before);
    await set('c', 'Something else.');
    expect(await insightsOf(daemon.call)).toMatchObject([{ id, snoozed_until: at(DAY) }]);
  });
});

describe('a group', () => {
  test('is decided on one after the other; what is refused keeps none of the others', async () => {
    const [first, second, third] = [make(on('ab')), make(on('ac')), make(on('bc'))];
    await reject(second);
    const accepted = await daemon.call(contract.acceptInsights, {
      body: { ids: [third, 'ins_x', second, first, first] },
    });
    expect(accepted.insights.map(({ id, status }) => [id, status])).toEqual(
      [third, first, first].map((id) => [id, 'accepted']),
    );
    expect(accepted.refused).toEqual([
      { id: 'ins_x', code: 'insight_not_found', message: 'There is no insight "ins_x"' },
      { id: second, code: 'conflict', message: expect.stringContaining('rejected') as string },
    ]);
    const rejected = await daemon.call(contract.rejectInsights, { body: { ids: [first, second] } });
    expect(rejected).toMatchObject({
      insights: [{ id: second }],
      refused: [{ id: first, code: 'conflict' }],
    });
  });

  test.each([[[]], [Array.from({ length: contract.mostDecided + 1 }, () => 'ins_x')], [['']]])(
    'of %j is refused',
    async (ids) => {
      await expect(daemon.call(contract.acceptInsights, { body: { ids } })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    },
  );

  test('of a key that has other namespaces holds those of its own; the rest is not there', async () => {
    const theirs = make(on('ab'));
    const { key } = await daemon.call(createKey, {
      body: { name: 'narrow', scope: 'write', namespaces: ['m'] },
    });
    const narrow = daemon.as(key);
    const items = Object.entries(VALUES).map(([name, value]) => ({ key: name, value, namespace: 'm' }));
    for (const body of items) await daemon.call(setMemory, { body });
    const evidence = ['a', 'b'].map((name) => ({ key: name, quote: VALUES[name as 'a' | 'b'] }));
    const found = { kind: 'disagree', evidence, title: 'Which code?', why: '' } as const;
    const { findings } = await narrow(contract.proposeInsights, {
      body: { namespace: 'm', findings: [found] },
    });
    const mine = findings[0]?.id ?? '';
    const notThere = (id: string) => ({ code: 'insight_not_found', message: `There is no insight "${id}"` });
    expect(await narrow(contract.rejectInsights, { body: { ids: [theirs, 'ins_x', mine] } })).toMatchObject({
      insights: [{ id: mine }],
      refused: [theirs, 'ins_x'].map((id) => ({ id, ...notThere(id) })),
    });
    await expect(
      narrow(contract.snoozeInsight, { params: { id: theirs }, body: { until: at(DAY) } }),
    ).rejects.toMatchObject(notThere(theirs));
    await expect(
      narrow(contract.proposeInsights, { body: { namespace: 'n', findings: [] } }),
    ).rejects.toMatchObject({ code: 'forbidden_scope' });
    expect(await insightsOf(daemon.call)).toMatchObject([
      { id: theirs, status: 'proposed', snoozed_until: null },
    ]);
  });
});

describe('the same over the same notes', () => {
  test.each(['proposed', 'accepted', 'rejected'] as const)(
    'is no proposal beside one that is %s',
    async (status) => {
      const id = make(on('abc'));
      if (status === 'accepted') await accept(id);
      if (status === 'rejected') await reject(id);
      expect(taken(on('cba', { title: 'In other words', content: 'in other words' }))).toBe(false);
      expect(taken(on('ab'))).toBe(false);
      expect(taken(on('abcd'))).toBe(false);
      // One memory alone is in many.
      expect(taken(on('a'))).toBe(true);
      expect(taken(on('ad'))).toBe(true);
      expect(taken(on('abc', { strategy: 'pattern' }))).toBe(true);
    },
  );

  test('of a page is two thirds of its notes: a part of a thing may have a page, too', () => {
    const page = (keys: string) => taken(on(keys, { strategy: 'synthesize' }));
    expect(['abcd', 'abc', 'ab'].map(page)).toEqual([true, false, true]);
  });

  test('of one memory is that memory alone, and what comes up is a memory and a day', () => {
    expect(taken(on('a', { strategy: 'summarize' }))).toBe(true);
    expect(taken(on('a', { strategy: 'summarize', content: 'other' }))).toBe(false);
    expect(taken(on('ab', { strategy: 'summarize' }))).toBe(true);
    const due = (keys: string, day: number) =>
      on(keys, { strategy: 'forecast', dueOn: Date.UTC(2031, 11, day) });
    expect(taken(due('d', 3))).toBe(true);
    expect(taken(due('d', 3))).toBe(false);
    expect(taken(due('cd', 3))).toBe(false);
    expect(taken(due('d', 4))).toBe(true);
    expect(taken(due('c', 3))).toBe(true);
  });

  test('is no answer to another question', () => {
    expect(taken(on('ab', { strategy: 'reflect', content: 'which code?' }))).toBe(true);
    expect(taken(on('ab', { strategy: 'reflect', content: 'Which  code?' }))).toBe(false);
    expect(taken(on('ab', { strategy: 'reflect', content: 'whose garage?' }))).toBe(true);
  });

  test('holds after a renamed source, and after one that was refused went with its source', async () => {
    await reject(make(on('ab')));
    await daemon.call(renameMemory, { body: { key: 'a', namespace: 'n', to: { key: 'z' } } });
    const evidence = [{ key: 'z', sentence: VALUES.a }, ...on('b').evidence];
    expect(taken({ ...on('ab'), evidence })).toBe(false);
    await daemon.call(renameMemory, { body: { key: 'z', namespace: 'n', to: { key: 'a' } } });
    await remove('a');
    expect(await insightsOf(daemon.call)).toEqual([]);
    await set('a', VALUES.a);
    expect(taken(on('ab', { content: 'in other words' }))).toBe(false);
  });

  test('holds for what a home of before refused, whether its row is there or not', async () => {
    const before = on('ab');
    await reject(make(before));
    const age = () =>
      daemon.withStore((store) =>
        store.write((db) => {
          const former = formerFingerprintOf(before);
          db.prepare<[Buffer]>('UPDATE dream_insights SET fingerprint = ?').run(former);
          db.prepare<[Buffer]>('UPDATE dream_fingerprints SET fingerprint = ?').run(former);
        }),
      );
    age();
    expect(taken(on('ab', { content: 'other words' }))).toBe(false);
    await remove('a');
    await set('a', VALUES.a);
    expect(taken(before)).toBe(false);
  });
});
