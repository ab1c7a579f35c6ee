import path from 'node:path';
import type { Client } from '@reverie/shared/client';
import * as contract from '@reverie/shared/contract/knowledge';
import { storeBatch } from '@reverie/shared/contract/memories';
import { health } from '@reverie/shared/contract/system';
import { expect, test } from 'vitest';
import { killedDaemons } from '../../testing/killed.ts';

const temporary = killedDaemons();
const { start } = temporary;

async function pending(call: Client): Promise<number> {
  return (await call(health, {})).indexing.facts_pending;
}

const MEMORIES = 600;

test('kill -9 while facts are found loses none of them and finds none twice', async () => {
  const folder = path.join(temporary.folder, 'home');
  const cities = ['Porto', 'Rome', 'Kiel'];
  const items = Array.from({ length: MEMORIES }, (_, n) => ({
    key: `k${n}`,
    value: `Person${String.fromCharCode(97 + (n % 26))} lives in ${cities[n % 3] ?? ''}. The server s-${n} listens on port ${5000 + n}.`,
  }));
  let { daemon, call } = await start(folder);
  await call(storeBatch, { body: { items } });
  let kills = 0;
  for (let left = MEMORIES; left > 0 && kills < 4; kills += 1) {
    // Some were read, and some are still to be: that is the moment.
    do left = await pending(call);
    while (left > MEMORIES * (0.8 - 0.2 * kills));
    daemon.kill('SIGKILL');
    await daemon.ended;
    ({ daemon, call } = await start(folder));
  }
  expect(kills).toBeGreaterThan(1);
  while ((await pending(call)) > 0);
  const { facts } = await call(contract.listFacts, { query: { predicate: 'port', limit: 1000 } });
  expect(facts.map(({ key, object }) => `${key} ${object}`).sort()).toEqual(
    items.map(({ key }, n) => `${key} ${5000 + n}`).sort(),
  );
});
