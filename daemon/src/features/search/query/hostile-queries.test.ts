import { askMemory } from '@reverie/shared/contract/search/ask';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';

let daemon: TestDaemon;
const WORDS = ['ab', 'cd'];
const word = (n: number) => WORDS[(n * n + (n >> 3)) % 2] ?? '';

beforeAll(async () => {
  daemon = await startTestDaemon();
  const value = `${'a_'.repeat(200_000)} ${Array.from({ length: 200_000 }, (_, n) => word(n)).join(' ')}`;
  await daemon.call(setMemory, { body: { key: 'made for it', value } });
  await daemon.call(setMemory, { body: { key: 'deploy', value: 'We deploy on Tuesdays.' } });
}, seconds(120));
afterAll(() => daemon.stop());

const search = (query: string, explain = false) =>
  daemon.call(searchMemories, { body: { query, explain, limit: 1 } });
const ask = (question: string, explain = false) =>
  daemon.call(askMemory, { body: { question, explain, limit: 1 } });

const phrases = Array.from(
  { length: 150 },
  (_, p) => `"${Array.from({ length: 14 }, (_word, n) => word(p * 31 + n * 7)).join(' ')}"`,
).join(' ');
const hostile: [string, string][] = [
  ['one compound word', 'a_'.repeat(4000)],
  ['compound words of sixteen', `${'a_'.repeat(15)}a `.repeat(250)],
  ['one phrase', `"${'a '.repeat(4000)}"`],
  ['many phrases', phrases],
  ['one word again and again', 'cd '.repeat(2700)],
];

/** How many times more of the processor one takes than the other: the least of six each, in turn, so that what else the machine does is not measured. */
async function times(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<number> {
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
  for (let n = 0; n < 6; n += 1)
    for (const [at, run] of [one, other].entries()) {
      const from = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(from);
      least[at] = Math.min(least[at] ?? 0, user + system);
    }
  return least[0] / least[1];
}

describe('a query of 8 kB in a text of its own blocks', () => {
  test.each(hostile)(
    '%s takes no longer than others do, by more than an order of magnitude',
    async (_, query) => {
      const ordinary = 'When do we deploy?';
      expect(
        await times(
          () => search(query),
          () => search(ordinary),
        ),
      ).toBeLessThan(30);
      expect(
        await times(
          () => ask(query),
          () => ask(ordinary),
        ),
      ).toBeLessThan(30);
    },
    seconds(120),
  );

  test.each(hostile.slice(0, 4))('%s says under `explain` what was left out', async (_, query) => {
    const { cut } = await search(query, true);
    expect(cut?.of).toBeGreaterThan(cut?.terms ?? Number.POSITIVE_INFINITY);
    const { understood } = await ask(query, true);
    expect(understood?.cut).toEqual({ characters: 1000, of: query.length });
  });
});

test('of an ordinary query nothing is left out', async () => {
  expect(await search('When do we deploy?', true)).not.toHaveProperty('cut');
  const { understood } = await ask('When do we deploy?', true);
  expect(understood).not.toHaveProperty('cut');
  // What can be looked for beside what cannot still is.
  const mixed = await search(`${'a_'.repeat(4000)} Tuesdays`, true);
  expect(mixed.cut).toEqual({ terms: 1, of: 2 });
  expect(mixed.results[0]?.key).toBe('deploy');
});

const search8 = (queries: string[], explain = false) =>
  daemon.call(searchMemories, { body: { query: 'When do we deploy?', queries, explain, limit: 1 } });

test.each(hostile)(
  'seven wordings of %s together look for 64 terms at most, the query first, and take no longer than seven others, by more than an order of magnitude',
  async (_, text) => {
    const seven = Array.from({ length: 7 }, (_wording, n) => `${n} ${text}`.slice(0, 8192));
    const { cut, results } = await search8(seven, true);
    expect(cut?.terms ?? 0).toBeLessThanOrEqual(64);
    expect(results[0]?.key).toBe('deploy');
    const ordinary = Array.from({ length: 7 }, (_wording, n) => `On which day ${n} do we deploy?`);
    expect(
      await times(
        () => search8(seven),
        () => search8(ordinary),
      ),
    ).toBeLessThan(30);
  },
  seconds(120),
);
