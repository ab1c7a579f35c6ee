import { importMemories } from '@reverie/shared/contract/portable';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories';
import { searchMemories } from '@reverie/shared/contract/search';
import { status } from '@reverie/shared/contract/system';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyDatabase } from '../../db/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

const found = async (query: string) => {
  const { results } = await daemon.call(searchMemories, { body: { query } });
  return results.map(({ key }) => key);
};
/** Some 100,000 characters, with a word that stands nowhere else at the beginning, and at the end. */
const long = (word: string) => `${word}first ${'the boiler is warm today. '.repeat(4_000)} ${word}last`;
/** Chunks that the text index does not have yet. */
const waiting = () =>
  daemon.withStore((store) =>
    store.read((db) =>
      db
        .prepare<[], { key: string; chunks: number }>(
          `SELECT m.key, count(*) AS chunks FROM chunks c JOIN memories m ON m.id = c.memory_id
           WHERE c.model = 'unindexed' GROUP BY m.key ORDER BY m.key`,
        )
        .all(),
    ),
  );

test('a long text is found as soon as it is written, from its first word to its last', async () => {
  await daemon.call(setMemory, { body: { key: 'long', value: long('zebra') } });
  expect(await found('zebrafirst')).toEqual(['long']);
  expect(await found('zebralast')).toEqual(['long']);
  expect(waiting()).toEqual([]);
});

test('it is on the disk before it is indexed, and not cut yet', async () => {
  const seen: { key: string; chunks: number }[] = [];
  const writing = daemon.call(setMemory, { body: { key: 'long', value: long('zebra') } });
  while (seen.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(...waiting());
  }
  await writing;
  expect(seen).toEqual([{ key: 'long', chunks: 1 }]);
});

test('what was left at the end is indexed after the next start', async () => {
  await daemon.call(setMemory, { body: { key: 'long', value: long('zebra') } });
  while ((await daemon.call(status, {})).indexing.pending > 0) await pause(2);
  // As if it had ended right behind the write: all but the first chunk are still to be cut, and none has words.
  daemon.withStore((store) =>
    store.write((db) => {
      db.exec('DELETE FROM text_1');
      const chunks = Number(
        db.prepare<[], { count: number }>('SELECT count(*) AS count FROM chunks').get()?.count,
      );
      db.exec('DELETE FROM chunks WHERE position > 0');
      db.exec("UPDATE chunks SET model = 'unindexed', scale = NULL, vector = NULL");
      db.prepare('UPDATE namespaces SET chunks = chunks - ?').run(chunks - 1);
    }),
  );
  await daemon.restart();
  expect(await found('zebralast')).toEqual(['long']);
  while ((await daemon.call(status, {})).indexing.pending > 0) await pause(2);
  expect(waiting()).toEqual([]);
  expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
});

test('a batch of many is found, and what is deleted or overwritten meanwhile is not', async () => {
  const items = Array.from({ length: 40 }, (_, n) => ({
    key: `note ${n}`,
    namespace: 'default',
    value: `word${n} ${'some text that is here. '.repeat(200)}`,
  }));
  await daemon.call(importMemories, { body: { items } });
  await daemon.call(deleteMemory, { body: { key: 'note 39' } });
  await daemon.call(setMemory, { body: { key: 'note 38', value: 'short now' } });
  expect(await found('word37')).toContain('note 37');
  expect(await found('"word39"')).toEqual([]);
  expect(await found('"word38"')).toEqual([]);
  expect(await found('"short now"')).toEqual(['note 38']);
  expect(waiting()).toEqual([]);
});
