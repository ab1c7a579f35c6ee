import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Client } from '@reverie/shared/client';
import * as contract from '@reverie/shared/contract/dreams';
import { storeBatch } from '@reverie/shared/contract/memories';
import type { TestDaemon } from '../../testing.ts';
import { createRecorder } from '../events/events.service.ts';
import { findMemory } from '../memories/memories.store.ts';
import { propose } from './proposing.service.ts';
import type { Proposal } from './strategies/strategy.ts';

/** Waits until a dream is over, as a caller would. */
export async function dreamed(call: Client, id: string): Promise<contract.DreamJob> {
  for (;;) {
    const job = await call(contract.dreamStatus, { params: { id } });
    if (job.status === 'complete' || job.status === 'failed') return job;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Starts a dream and waits for its end. */
export async function dream(
  call: Client,
  body: Parameters<typeof start>[1] = { namespace: 'n' },
): Promise<contract.DreamJob> {
  return dreamed(call, await start(call, body));
}

async function start(
  call: Client,
  body: { namespace: string; strategies?: contract.StrategyName[]; task?: string; now?: string },
): Promise<string> {
  return (await call(contract.startDream, { body })).id;
}

/** Stores memories of the namespace `n`, by key. */
export async function storeAll(call: Client, values: Readonly<Record<string, string>>): Promise<void> {
  const items = Object.entries(values).map(([key, value]) => ({ key, value, namespace: 'n' }));
  await call(storeBatch, { body: { items } });
}

/** All insights of a namespace, oldest first. */
export async function insightsOf(
  call: Client,
  query: { status?: contract.InsightState; job?: string } = {},
): Promise<contract.Insight[]> {
  const { insights } = await call(contract.listInsights, { query: { namespace: 'n', limit: 200, ...query } });
  return insights.reverse();
}

/** Puts a proposal into the namespace `n` of the machine's account, as a dream would; answers the id of the newest insight. */
export function proposeIn(daemon: Pick<TestDaemon, 'withStore' | 'clock'>, proposal: Proposal): string {
  return daemon.withStore((store) =>
    store.write((db) => {
      const account = db
        .prepare<[], { id: AccountId }>("SELECT id FROM accounts WHERE kind = 'machine'")
        .get()?.id;
      if (account === undefined) throw new Error('there is no machine account');
      const record = createRecorder({ clock: daemon.clock, written: () => undefined });
      const find = findMemory;
      const unused = () => {
        throw new Error('a proposal changes no memory');
      };
      const memories = { find, write: unused, remove: unused, hide: unused, show: unused };
      const job = { id: 'dream_test', account, namespace: 'n' };
      propose(db, { clock: daemon.clock, memories, record }, { job, proposal });
      const newest = db.prepare<[], { id: string }>('SELECT max(id) AS id FROM dream_insights').get();
      return newest?.id ?? '';
    }),
  );
}
