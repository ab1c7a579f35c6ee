import * as contract from '@reverie/shared/contract/dreams';
import { clearNamespace } from '@reverie/shared/contract/memories';
import { importMemories } from '@reverie/shared/contract/portable';
import { expect, test } from 'vitest';
import { type ModelRequest, said, startFakeModelServer } from '../../../models/testing/fake-model-server.ts';
import { startTestDaemon } from '../../../testing.ts';
import { dream, dreamed } from '../testing.ts';
import { contradicting, parcels, readingWith } from '../testing/parcels.ts';

const items = parcels('k');
const promptOf = ({ body }: ModelRequest): string => JSON.stringify(body['messages']);

test('a namespace that is cleared while a model reads it is forgotten: the same memories, stored again, are read again', async () => {
  const fake = await startFakeModelServer(() => said('{}'));
  const daemon = await startTestDaemon({ env: readingWith(fake.baseUrl) });
  try {
    await daemon.call(importMemories, { body: { items } });
    const nothing = said('{"found":[]}');
    let asked = 0;
    fake.behave(async () => {
      asked += 1;
      if (asked === 3) await daemon.call(clearNamespace, { body: { namespace: 'n' } });
      return nothing;
    });
    const { id } = await daemon.call(contract.startDream, { body: contradicting });
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
    expect((await dream(daemon.call, contradicting)).status).toBe('complete');
    const again = fake.asked.map(promptOf);
    expect(before.filter((prompt) => !again.includes(prompt))).toEqual([]);

    // What was not cleared is not read twice.
    fake.asked.splice(0);
    await dream(daemon.call, contradicting);
    expect(fake.asked).toEqual([]);
  } finally {
    await daemon.stop();
    await fake.stop();
  }
});
