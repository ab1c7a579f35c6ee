import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@reverie/shared/client';
import {
  type DreamJob,
  dreamStatus,
  type Insight,
  listInsights,
  startDream,
} from '@reverie/shared/contract/dreams/dreams';
import { listMemories } from '@reverie/shared/contract/memories/memories';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { health } from '@reverie/shared/contract/system/system';

export interface Imported {
  key: string;
  value: string;
  created_at: string;
  metadata?: Record<string, unknown> | undefined;
}

/** Stores memories with their times, and waits until the background has read them. */
export async function fill(client: Client, memories: readonly Imported[]): Promise<void> {
  for (let from = 0; from < memories.length; from += 1000) {
    const items = memories.slice(from, from + 1000).map((item) => ({ ...item, updated_at: item.created_at }));
    await client(importMemories, { body: { items } });
  }
  const isStuck = watchFor(PATIENCE);
  for (;;) {
    const { indexing } = await client(health, {});
    if (Object.values(indexing).every((waiting) => waiting === 0)) return;
    if (isStuck(indexing)) throw new Error(`The background got no further: ${JSON.stringify(indexing)}`);
    await pause(200);
  }
}

/** How long the background may take without getting further, and a dream without being heard of, in ms. */
const PATIENCE = 300_000;

/** Makes a watch that is shown a state again and again, and answers whether it has been the same for more than `ms` milliseconds. */
export function watchFor(ms: number, now = () => performance.now()): (state: unknown) => boolean {
  let last = { state: '', at: 0 };
  return (state) => {
    const shown = JSON.stringify(state);
    if (shown !== last.state) last = { state: shown, at: now() };
    return now() - last.at > ms;
  };
}

/** Dreams with every strategy; answers the job once it is over. */
export async function dream(client: Client, body: { now?: string }): Promise<DreamJob> {
  const { id } = await client(startDream, { body });
  const isStuck = watchFor(PATIENCE);
  for (;;) {
    const job = await client(dreamStatus, { params: { id } });
    if (isOver(job)) return job;
    if (isStuck(job)) throw new Error(`The dream ${id} got no further: ${JSON.stringify(job)}`);
    await pause(50);
  }
}

/** A dream that is over; undefined while it is not. */
export async function overOf(client: Client, id: string): Promise<DreamJob | undefined> {
  const job = await client(dreamStatus, { params: { id } });
  return isOver(job) ? job : undefined;
}

const isOver = ({ status }: DreamJob): boolean => status === 'complete' || status === 'failed';

export async function insightsOf(client: Client): Promise<Insight[]> {
  const all: Insight[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 200, ...(cursor !== undefined && { cursor }) };
    const { insights, next } = await client(listInsights, { query });
    all.push(...insights);
    if (next === null) return all;
    cursor = next;
  }
}

/** A digest of all that the memories of a namespace say, in order. */
export async function digestOf(client: Client): Promise<string> {
  const hash = createHash('sha256');
  for (let offset = 0; ;) {
    const { memories, total } = await client(listMemories, { body: { limit: 1000, offset } });
    for (const memory of memories) hash.update(JSON.stringify(memory));
    offset += memories.length;
    if (offset >= total) return hash.digest('hex');
  }
}

/** A model's reply that changes nothing. */
export function nothingFound(): string {
  return '{"findings":[]}';
}
