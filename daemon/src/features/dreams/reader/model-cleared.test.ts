import * as contract from '@reverie/shared/contract/dreams';
import { clearNamespace } from '@reverie/shared/contract/memories';
import { importMemories } from '@reverie/shared/contract/portable';
import { expect, test } from 'vitest';
import { type Asked, said, startFakeModelServer } from '../../../models/testing/fake-model-server.ts';
import { startTestDaemon } from '../../../testing.ts';
import { dream, dreamed } from '../testing.ts';

/** Enough for several sheets. */
const items = Array.from({ length: 80 }, (_, n) => {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString();
  const value = `The courier of firm ${n >> 1} left parcel ${n * 7919} with neighbour ${n % 7}, who was at home that day.`;
  return { key: `k${n}`, namespace: 'n', value, created_at: at, updated_at: at };
});
const promptOf = ({ body }: Asked): string => JSON.stringify(body['messages']);

test('a namespace that is cleared while a model reads it is forgotten: the same memories, stored again, are read again', async () => {
  const fake = await startFakeModelServer(() => said('{}'));
  const daemon = await startTestDaemon({
    env: {
      REVERIE_LLM_BASE_URL: fake.baseUrl,
      REVERIE_LLM_MODEL: 'judge',
      REVERIE_DREAM_BUDGET_TOKENS: '1000000',
    },
  });
  try {
    await daemon.call(importMemories, { body: { items } });
    const body = { namespace: 'n', strategies: ['contradict' as const] };
    const nothing = said('{"found":[]}');
    let asked = 0;
    fake.behave(async () => {
      asked += 1;
      if (asked === 3) await daemon.call(clearNamespace, { body: { namespace: 'n' } });
      return nothing;
    });
    const { id } = await daemon.call(contract.startDream, { body });
    const cleared = await dreamed(daemon.call, id);
    expect(cleared.status).toBe('complete');
    // What was read is gone.
    expect(cleared.reading).toBeNull();
    expect(cleared.strategies[0]?.reading).toBeUndefined();
    const before = fake.asked.map(promptOf);
    expect(before.length).toBeGreaterThan(4);

    await daemon.call(importMemories, { body: { items } });
    fake.asked.splice(0);
    fake.behave(() => nothing);
    expect((await dream(daemon.call, body)).status).toBe('complete');
    const again = fake.asked.map(promptOf);
    expect(before.filter((prompt) => !again.includes(prompt))).toEqual([]);

    // What was not cleared is not read twice.
    fake.asked.splice(0);
    await dream(daemon.call, body);
    expect(fake.asked).toEqual([]);
  } finally {
    await daemon.stop();
    await fake.stop();
  }
});
