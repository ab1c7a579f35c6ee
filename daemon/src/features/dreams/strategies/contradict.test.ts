import { describe, expect, it } from 'vitest';
import { contradict } from './contradict.ts';
import { devFindings, devSet } from './fixtures/dev-set.ts';
import { toldPairs } from './fixtures/told-pairs.ts';
import { contextOf, viewOf, type Written } from './fixtures/view.ts';
import { contradicting, together } from './fixtures/worded-pairs.ts';

const keysOf = async (written: readonly Written[]) =>
  (await contradict.run(viewOf(written), contextOf())).map(({ evidence }) =>
    evidence.map(({ key }) => key).sort(),
  );
const found = async (written: readonly Written[], pairs: readonly (readonly Written[])[]) => {
  const got = await keysOf(written);
  return pairs.filter((pair) => got.some((keys) => pair.every(({ key }) => keys.includes(key))));
};
/** Of what else is in a namespace depends how rare a word is. */
const beside = (written: readonly Written[]) => [...devSet, ...written];

/** Known to be missed: two ends of a lease share too little beside the date for the strength that precision asks for. */
const isMissed = ({ value }: Written) => value.startsWith('Lease of the studio');

describe('contradict', () => {
  it.fails('sees two ends of one lease', async () => {
    const pairs = contradicting.filter(([older]) => isMissed(older));
    expect(await found(beside(pairs.flat()), pairs)).toHaveLength(1);
  });

  it.each(
    contradicting
      .filter(([older]) => !isMissed(older))
      .map((pair) => [pair[0].value, pair[1].value, pair] as const),
  )('sees that both cannot hold: %s / %s', async (_, __, pair) => {
    expect(await found(beside(pair), [pair])).toHaveLength(1);
  });

  it.each(together.map((pair) => [pair[0].value, pair[1].value, pair] as const))(
    'sees that both can hold: %s / %s',
    async (_, __, pair) => {
      expect(await found(beside(pair), [pair])).toEqual([]);
    },
  );

  it('finds three of four among longer texts with twins, and takes no twin for a side', async () => {
    const written = beside(toldPairs.flat());
    const sides = toldPairs.map((group) => group.slice(0, 2));
    expect((await found(written, sides)).length / sides.length).toBeGreaterThanOrEqual(0.7);
    const twins = toldPairs.flatMap(([a, b, c]) =>
      a && b && c
        ? [
            [a, c],
            [b, c],
          ]
        : [],
    );
    expect(await found(written, twins)).toEqual([]);
  });

  it('finds those of the development set', async () => {
    const got = await keysOf(devSet);
    const wanted = (devFindings.contradict ?? []).map((keys) => [...keys].sort());
    const hits = wanted.filter((keys) => got.some((other) => other.join() === keys.join()));
    expect(hits.length / wanted.length).toBeGreaterThanOrEqual(0.9);
    expect(hits.length / got.length).toBeGreaterThanOrEqual(0.9);
  });

  it('says both values and dates, quotes word for word, and says so again in the same way', async () => {
    const view = viewOf(devSet);
    const values = new Map(view.memories().map(({ key, value }) => [key, value]));
    const proposals = await contradict.run(view, contextOf());
    const cron = proposals.find(({ evidence }) => evidence.some(({ key }) => key === 'work/cron'));
    expect(cron?.title).toContain('02:30 (17 March 2026) or 03:30 (6 April 2026)?');
    for (const { evidence } of proposals)
      for (const { key, sentence } of evidence) expect(values.get(key)).toContain(sentence);
    expect(await contradict.run(viewOf(devSet), contextOf())).toEqual(proposals);
  });
});
