import { setTimeout as pause } from 'node:timers/promises';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Client } from '@reverie/shared/client';
import * as contract from '@reverie/shared/contract/dreams/dreams';
import type { StrategyName } from '@reverie/shared/contract/dreams/dream-strategies';
import { storeBatch } from '@reverie/shared/contract/memories/memories';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { propose } from './insights/proposing.service.ts';
import type { Proposal } from './proposal.ts';
import type { DreamMemories, InsightDeps } from './deps.ts';

/** Waits until a dream is over, as a caller would. */
export async function dreamed(call: Client, id: string): Promise<contract.DreamJob> {
  for (;;) {
    const job = await call(contract.dreamStatus, { params: { id } });
    if (job.status === 'complete' || job.status === 'failed') return job;
    // Who asks without a rest keeps the core from a thread that stands back.
    await pause(5);
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
  body: { namespace: string; strategies?: StrategyName[]; task?: string; now?: string },
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

/** What a test lends to put a proposal into its database. */
export interface Proposing {
  withStore<T>(run: (store: Store) => T): T;
  clock: Pick<Clock, 'now'>;
  /** Of the store of memories. */
  find: DreamMemories['find'];
  /** Of the event log. */
  record: InsightDeps['record'];
  /** Whose namespace; the machine's where it is left out. */
  account?: AccountId;
}

/** Puts a proposal into the namespace `n` of an account, as a dream would; answers the id of the newest insight. */
export function proposeIn(
  { withStore, clock, find, record, account: given }: Proposing,
  proposal: Proposal,
): string {
  const unused = () => {
    throw new Error('a proposal changes no memory');
  };
  const memories = { find, write: unused, remove: unused, hide: unused, show: unused };
  return withStore((store) =>
    store.write((db) => {
      const machine = "SELECT id FROM accounts WHERE kind = 'machine'";
      const account = given ?? db.prepare<[], { id: AccountId }>(machine).get()?.id;
      if (account === undefined) throw new Error('there is no machine account');
      const job = { id: 'dream_test', account, namespace: 'n' };
      propose(db, { clock, memories, record }, { job, proposal });
      const newest = db.prepare<[], { id: string }>('SELECT max(id) AS id FROM dream_insights').get();
      return newest?.id ?? '';
    }),
  );
}
