import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as search from '@reverie/shared/contract/search/search';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { gather } from '../ranking/rank.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  const values = {
    car: 'Anna bought a red vehicle last spring.',
    bread: 'Knead the dough for ten minutes, then let it rest.',
    rest: 'Take ten minutes of rest after lunch.',
  };
  for (const [key, value] of Object.entries(values))
    await daemon.call(contract.setMemory, { body: { key, value } });
});
afterAll(() => daemon.stop());

describe('why a memory was found', () => {
  const hits = async (query: string, explain: boolean) =>
    (await daemon.call(search.searchMemories, { body: { query, explain } })).results;

  it('names the streams with their ranks, and what the score is made of', async () => {
    const [bread] = await hits('knead dough', true);
    expect(bread?.key).toBe('bread');
    expect(bread?.why?.streams).toEqual([
      { name: 'words', rank: 1 },
      { name: 'vectors', rank: 1 },
    ]);
    expect(bread?.why?.boosts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['meaning', 'words', 'rare words']),
    );
    const [car] = await hits('automobile', true);
    expect(car).toMatchObject({ key: 'car', why: { streams: [{ name: 'vectors', rank: 1 }] } });
  });

  it('is not said where nobody asked', async () => {
    const found = await hits('dough', false);
    expect(found.length).toBeGreaterThan(0);
    for (const hit of found) expect(hit).not.toHaveProperty('why');
  });
});

describe('gathering', () => {
  it('keeps one candidate a memory, with every stream that found it and the chunk that the words found', () => {
    const vectors = [
      { memoryId: 1, chunkId: 11, score: 0.9 },
      { memoryId: 2, chunkId: 21, score: 0.5 },
    ];
    const words = [{ memoryId: 1, chunkId: 12, score: 7 }];
    const wanted = {
      memoryId: 1,
      chunkId: 12,
      words: 7,
      streams: expect.arrayContaining([
        { name: 'words', rank: 1 },
        { name: 'vectors', rank: 1 },
      ]) as unknown,
    };
    for (const streams of [
      [
        { name: 'words', hits: words },
        { name: 'vectors', hits: vectors },
      ],
      [
        { name: 'vectors', hits: vectors },
        { name: 'words', hits: words },
      ],
    ]) {
      const found = gather(streams);
      expect(found.find(({ memoryId }) => memoryId === 1)).toMatchObject(wanted);
      expect(found.find(({ memoryId }) => memoryId === 2)).toMatchObject({ chunkId: 21, words: 0 });
      expect(found).toHaveLength(2);
    }
  });
});
