import { grepMemory } from '@reverie/shared/contract/search/grep';
import { storeBatch } from '@reverie/shared/contract/memories/memories';
import { addEntries, createSession } from '@reverie/shared/contract/sessions/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { LONGEST_TURN, turnsOf } from '../../testing/turns.ts';

const MEMORIES = 20_000;
const ENTRIES = 20_000;
const text = (number: number) =>
  `${'Words that stand in many notes, one after the other. '.repeat(16)}\nnumber-${number}.`;

let daemon: TestDaemon;
let session = '';

beforeAll(async () => {
  daemon = await startTestDaemon();
  for (let from = 0; from < MEMORIES; from += 1_000) {
    const items = Array.from({ length: 1_000 }, (_, at) => ({
      namespace: 'large',
      key: `n/${from + at}`,
      value: text(from + at),
    }));
    await daemon.call(storeBatch, { body: { items } });
  }
  ({ id: session } = await daemon.call(createSession, { body: { agent: 'codex', namespace: 'large' } }));
  for (let from = 0; from < ENTRIES; from += 500) {
    const entries = Array.from({ length: 500 }, (_, at) => ({
      kind: 'answer' as const,
      text: text(from + at),
    }));
    await daemon.call(addEntries, { params: { id: session }, body: { entries } });
  }
});
afterAll(() => daemon.stop());

test.each(['memories', 'sessions'] as const)(
  '20,000 %s are looked through without holding up others',
  async (source) => {
    const query = { source, namespace: 'large' } as const;
    let found: unknown;
    const turns = await turnsOf(async () => {
      found = await daemon.call(grepMemory, { query: { ...query, pattern: 'number-17.' } });
    });
    expect(found).toMatchObject(
      source === 'memories'
        ? { lines: [{ key: 'n/17', line: 2 }], looked_at: MEMORIES }
        : { looked_at: ENTRIES },
    );
    expect(turns.longest).toBeLessThan(LONGEST_TURN);
    const all = await turnsOf(() =>
      daemon.call(grepMemory, {
        query: { ...query, pattern: String.raw`number-\d+\.$`, regex: 'true', limit: 200 },
      }),
    );
    expect(all.longest).toBeLessThan(LONGEST_TURN);
  },
);
