import * as contract from '@reverie/shared/contract/dreams';
import { importMemories } from '@reverie/shared/contract/portable';
import { expect, test } from 'vitest';
import {
  type ModelRequest,
  type ModelReply,
  said,
  startFakeModelServer,
} from '../../../models/testing/fake-model-server.ts';
import { startTestDaemon } from '../../../testing.ts';
import { dream } from '../testing.ts';
import { contradicting, parcels, readingWith } from '../testing/parcels.ts';
import { promptIn, quotesOn } from '../testing/quoting.ts';

const items = parcels('kept');

/** The two parcels of one firm, for each firm that has both on a sheet. */
function firmsOn({ body }: ModelRequest): { keys: string; notes: string[] }[] {
  const lines = JSON.stringify(body['messages']).matchAll(/(n\d+) [^|]+ \| kept(\d+) /gu);
  const firms = Map.groupBy(lines, ([, , n]) => Number(n) >> 1);
  return [...firms.values()]
    .filter(({ length }) => length === 2)
    .map((of) => ({
      keys: of.map(([, , n = '']) => `kept${n}`).join(' '),
      notes: of.map(([, note = '']) => note),
    }));
}

const answer = (asked: ModelRequest): ModelReply =>
  said(
    JSON.stringify({
      found: firmsOn(asked).map(({ notes }) => ({
        quotes: quotesOn(promptIn(asked), notes),
        what: 'parcel',
      })),
    }),
  );

test('what a model found in a dream that was cancelled before it was proposed is found by the next one', async () => {
  const fake = await startFakeModelServer(() => said('{}'));
  const daemon = await startTestDaemon({ env: readingWith(fake.baseUrl) });
  try {
    await daemon.call(importMemories, { body: { items } });
    const last = Promise.withResolvers<undefined>();
    const before: ModelRequest[] = [];
    fake.behave((asked) => {
      if (before.length < 4) {
        before.push(asked);
        return Promise.resolve(answer(asked));
      }
      last.resolve(undefined);
      return new Promise<ModelReply>(() => undefined);
    });
    const { id } = await daemon.call(contract.startDream, { body: contradicting });
    await last.promise;
    await daemon.call(contract.cancelDream, { params: { id } });
    const told = new Set(before.flatMap(firmsOn).map(({ keys }) => keys));
    expect(told.size).toBeGreaterThan(10);

    fake.behave((asked) => Promise.resolve(answer(asked)));
    expect((await dream(daemon.call, contradicting)).status).toBe('complete');
    const { insights } = await daemon.call(contract.listInsights, { query: { namespace: 'n', limit: 200 } });
    const proposed = new Set(insights.map(({ evidence }) => evidence.join(' ')));
    expect([...told].filter((keys) => !proposed.has(keys))).toEqual([]);
  } finally {
    await daemon.stop();
    await fake.stop();
  }
});
