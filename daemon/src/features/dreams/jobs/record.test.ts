import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../../db/open-store.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { newJob } from './job-state.ts';
import { findJob, insertJob, type Job } from './jobs.store.ts';
import { openRecord } from './record.ts';

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const job = (account: Job['account']): Job => ({
  ...{ id: 'dream_forgets', account, namespace: 'n', startedBy: 'request', task: null, clock: null },
  ...{ tokensBudget: 100, createdAt: 1, state: newJob(['refine']) },
});

/** What stands in the row of the dream, word for word. */
const stored = (store: Store, account: Job['account']) =>
  JSON.stringify(store.read((db) => findJob(db, account, 'dream_forgets')));

test('a memory that is deleted while a dream goes on leaves no word in it, unless the deletion fails', () => {
  const { account } = daemon.addAccount('owner');
  daemon.withStore((store) => {
    store.write((db) => insertJob(db, job(account)));
    const record = openRecord({ store, insights: { record: () => undefined } }, job(account));
    const quotes = [{ id: 7, words: 'the code is 4711' }];
    record.write([
      { kind: 'started', at: 2 },
      { kind: 'answered', strategy: 'refine', found: [{ what: 'said twice', quotes }], held: {} },
    ]);
    const failing = () =>
      store.write((db) => {
        record.forget(db, 7);
        throw new Error('the disk is full');
      });
    expect(failing).toThrow('the disk is full');
    expect(stored(store, account)).toContain('4711');
    store.write((db) => record.forget(db, 8));
    expect(stored(store, account)).toContain('4711');
    store.write((db) => record.forget(db, 7));
    expect(stored(store, account)).not.toContain('4711');
    expect(JSON.stringify(record.state())).not.toContain('4711');
  });
});
