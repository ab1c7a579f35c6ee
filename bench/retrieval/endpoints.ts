import { setTimeout as wait } from 'node:timers/promises';

import { askMemory } from '@reverie/shared/contract/search/ask';
import { clearNamespace } from '@reverie/shared/contract/memories/memories';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { health } from '@reverie/shared/contract/system/system';

import type { AskInput, Batch, Found, Hit, System } from './benchmark.ts';
import type { Daemon } from './daemon.ts';

/** One way to ask the daemon: the memories that it answers, best first. */
type Endpoint = (daemon: Daemon, input: AskInput) => Promise<Hit[]>;

/** `POST /memory-search`. It knows no time of asking: memories later than the question's `now` stand among the rest. */
const search: Endpoint = async ({ client }, { namespace, text, limit }) => {
  const { results } = await client(searchMemories, { body: { query: text, namespace, limit } });
  return results.map(({ key, score }) => ({ key, score }));
};

/** `POST /memory/ask` without a model, its citations in their order; none where it says that nothing in memory answers. */
const ask: Endpoint = async ({ client }, { namespace, text, limit, now }) => {
  const { citations } = await client(askMemory, {
    body: { question: text, namespace, limit, ...(now !== undefined && { now }) },
  });
  return citations.map(({ key, score }) => ({ key, score }));
};

/** The endpoints that are measured, by name; one that is added here is measured beside the others. */
export const endpoints: Readonly<Record<string, Endpoint>> = { search, ask };

const IMPORT_ITEMS = 500;
const INDEXING_LIMIT_MS = 120_000;

/** Stores a batch through the HTTP API, with its times, and waits until every vector is made. */
export async function fillDaemon(daemon: Pick<Daemon, 'client'>, { namespace, items }: Batch): Promise<void> {
  for (let at = 0; at < items.length; at += IMPORT_ITEMS) {
    const some = items.slice(at, at + IMPORT_ITEMS).map(({ key, value, metadata, created_at }) => ({
      key,
      value,
      namespace,
      metadata,
      ...(created_at !== undefined && { created_at, updated_at: created_at }),
    }));
    const { created } = await daemon.client(importMemories, { body: { items: some } });
    if (created !== some.length)
      throw new Error(`${namespace}: ${some.length} were sent, ${created} were created`);
  }
  const until = performance.now() + INDEXING_LIMIT_MS;
  for (;;) {
    const { indexing } = await daemon.client(health, {});
    if (indexing.pending === 0) return;
    if (performance.now() > until)
      throw new Error(`${namespace}: ${indexing.pending} vectors were still missing after two minutes`);
    await wait(20);
  }
}

/** Forgets a batch, so that the next one is alone in the account. */
export async function emptyDaemon({ client }: Daemon, { namespace }: Batch): Promise<void> {
  await client(clearNamespace, { body: { namespace } });
}

/** The daemon, asked by one of its endpoints. Only the first of several fills and empties it. */
export function daemonSystem(daemon: Daemon, name: string, { fills }: { fills: boolean }): System {
  const ask = endpoints[name];
  if (!ask) throw new Error(`There is no endpoint ${name}; there are ${Object.keys(endpoints).join(', ')}`);
  return {
    name,
    async fill(batch) {
      if (fills) await fillDaemon(daemon, batch);
      // The first search after a write loads the vectors of the namespace; its time is the latency bench's matter.
      await ask(daemon, { namespace: batch.namespace, text: 'warm', limit: 1, now: undefined });
    },
    async ask(input): Promise<Found> {
      const from = performance.now();
      const hits = await ask(daemon, input);
      return { hits, clientMs: performance.now() - from, serverMs: daemon.lastServerMs() };
    },
    async empty(batch) {
      if (fills) await emptyDaemon(daemon, batch);
    },
  };
}
