import { afterEach, describe, expect, test } from 'vitest';
import path from 'node:path';
import { temporaryFolder } from '../testing.ts';
import { createBackgroundEmbedder } from './background-embedder.ts';
import { encodeMixed, quantise } from './embedder.ts';
import { loadStaticTable } from './static-table.ts';

const embedder = createBackgroundEmbedder({ now: Date.now });
afterEach(() => embedder.rest());

describe('the background embedder', () => {
  test('makes the same vectors as the table itself, in order, also for two requests at once', async () => {
    const table = loadStaticTable();
    const texts = ['Anna bought a red vehicle', '', 'the doctor is on holiday'].map((text) => [
      { text, weight: 1 },
      { text: 'yesterday', weight: 0.3 },
    ]);
    const expected = texts.map((parts) => quantise(encodeMixed(table, parts)));
    const [all, first] = await Promise.all([embedder.encode(texts), embedder.encode(texts.slice(0, 1))]);
    expect(all).toEqual(expected);
    expect(first).toEqual(expected.slice(0, 1));
  });

  test('a request that was under way when the thread ended fails, and the next one starts another', async () => {
    const cut = embedder.encode([[{ text: 'long '.repeat(100_000), weight: 1 }]]);
    embedder.rest();
    await expect(cut).rejects.toThrow('the embedding thread ended');
    await expect(embedder.encode([[{ text: 'again', weight: 1 }]])).resolves.toHaveLength(1);
  });

  const parts = (...texts: string[]) => texts.map((text) => [{ text, weight: 1 }]);
  const script = (name: string) => new URL(`./testing/${name}-worker.ts`, import.meta.url);

  test.each(['HANGS', 'ENDS'])(
    'a text on which the thread %s has no vector, the others have theirs',
    async (what) => {
      const one = createBackgroundEmbedder({ now: () => 0, batchMs: 2_000, script: script('poisoned') });
      const vectors = await one.encode(parts('before', `it ${what}`, 'after'));
      expect(vectors.map(({ data, scale }) => [...data].map((x) => x * scale))).toEqual([
        [1, 0],
        [0, 0],
        [1, 0],
      ]);
      expect(one.state()).toMatchObject({ state: 'ok', error: null });
      one.rest();
    },
  );

  test('a text alone on which the thread ran out of time once is tried again', async () => {
    const { folder, remove } = temporaryFolder();
    const one = createBackgroundEmbedder({ now: () => 0, batchMs: 2_000, script: script('poisoned') });
    const [vector] = await one.encode(parts(`ONCE ${path.join(folder, 'was')}`));
    expect([...(vector?.data ?? [])]).toEqual([127, 0]);
    one.rest();
    remove();
  });

  test.each(['unloadable', 'missing'])(
    'a thread that is %s is left alone for a while, longer each time, and says so',
    async (name) => {
      let now = 1_000;
      const one = createBackgroundEmbedder({ now: () => now, loadingMs: 500, script: script(name) });
      await expect(one.encode(parts('a'))).rejects.toThrow();
      expect(one.state()).toMatchObject({ state: 'down', since: 1_000 });
      expect(one.state().error).not.toBeNull();
      const first = (one.retryAt?.() ?? 0) - now;
      expect(first).toBeGreaterThan(0);
      now += first;
      expect(one.retryAt?.()).toBe(now);
      await expect(one.encode(parts('a'))).rejects.toThrow();
      await expect(one.encode(parts('a'))).rejects.toThrow();
      expect((one.retryAt?.() ?? 0) - now).toBeGreaterThan(first);
      one.rest();
    },
  );
});
