import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@reverie/shared/client';
import { dreamStatus, startDream } from '@reverie/shared/contract/dreams/dreams';
import { sendMessage } from '@reverie/shared/contract/events/inbox';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { evaluateRecalls, judgeRecall, recordRecall } from '@reverie/shared/contract/agents/recalls';
import type { Sent } from '@reverie/shared/contract/route';
import { z } from 'zod';

const Home = z.object({
  memories: z.array(
    z.object({
      namespace: z.string(),
      key: z.string(),
      value: z.string(),
      days_ago: z.number(),
      metadata: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
  messages: z.array(
    z.object({
      namespace: z.string(),
      from: z.string(),
      kind: z.string(),
      payload: z.record(z.string(), z.unknown()),
    }),
  ),
});

const DAY_MS = 86_400_000;

/** Stores what `home.json` has, as old as it says from now, and lets a dream look through it. */
export async function furnish(call: Client): Promise<void> {
  const home = Home.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'home.json'), 'utf8')));
  const items = home.memories.map(({ days_ago, ...memory }) => {
    const at = new Date(Date.now() - days_ago * DAY_MS).toISOString();
    return { ...memory, created_at: at, updated_at: at };
  });
  await call(importMemories, { body: { items } });
  for (const { namespace, ...body } of home.messages)
    await call(sendMessage, { params: { namespace }, body });
  for (const namespace of new Set(items.map((item) => item.namespace))) {
    const { id } = await call(startDream, { body: { namespace } });
    while (['queued', 'running'].includes((await call(dreamStatus, { params: { id } })).status))
      await new Promise((again) => setTimeout(again, 200));
  }
  await furnishRecalls(call, items);
}

/** Stores the one short note of somebody who began today. */
export async function furnishOne(call: Client): Promise<void> {
  const value = 'The spare key hangs behind the second beam in the shed.';
  await call(importMemories, { body: { items: [{ namespace: 'work', key: 'spare-key', value }] } });
}

/** What two agents were shown, judged and looked for again. */
async function furnishRecalls(
  call: Client,
  memories: readonly { key: string; namespace: string; value: string }[],
): Promise<void> {
  const [first, second, ...rest] = memories;
  if (!first || !second) return;
  const shown = (some: readonly { key: string; namespace: string }[], reason: string) =>
    some.map(({ key, namespace }, at) => ({ key, namespace, reason, score: 0.93 - at / 10 }));
  const recall = async (body: Sent<typeof recordRecall>['body']) =>
    (await call(recordRecall, { body })).id ?? '';
  const { namespace } = first;
  const query = first.value.slice(0, 60);
  const tokens = 640;
  const searched = await recall({
    way: 'search',
    agent: 'claude-code',
    namespace,
    query,
    tokens,
    memories: shown([first, second], 'fits the search'),
  });
  const astray = await recall({
    way: 'ask',
    agent: 'codex',
    namespace: '*',
    query: 'When does the lease end?',
    tokens: 210,
    memories: shown([second], 'quoted in an answer'),
  });
  await recall({
    way: 'start',
    agent: 'claude-code',
    session: 's',
    namespace,
    tokens: 1_240,
    memories: shown(rest.slice(0, 5), 'new'),
  });
  await call(judgeRecall, { params: { id: searched }, body: { verdict: 'helped', key: first.key } });
  await call(evaluateRecalls, {});
  await call(judgeRecall, { params: { id: astray }, body: { verdict: 'helped' } });
  await call(evaluateRecalls, {});
}
