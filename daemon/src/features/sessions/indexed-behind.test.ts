import * as sessions from '@reverie/shared/contract/sessions/sessions';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { searchedBody } from './entry.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

const session = async () => (await daemon.call(sessions.createSession, { body: { agent: 'x' } })).id;
const write = (id: string, texts: readonly string[]) =>
  daemon.call(sessions.addEntries, {
    params: { id },
    body: { entries: texts.map((text, n) => ({ kind: 'answer' as const, item: `i${n}`, text })) },
  });
const found = async (q: string) =>
  (await daemon.call(sessions.searchSessions, { query: { q } })).hits.map(({ passage }) => passage.text);
const waiting = () =>
  daemon.withStore((store) =>
    store.read((db) =>
      Number(
        db.prepare<[], { count: number }>('SELECT count(*) AS count FROM unindexed_entries').get()?.count,
      ),
    ),
  );
/** An entry of 20,000 characters that begins with a word of its own. */
const entry = (n: number) => `zebra${n} ${'we decided to keep the parser. '.repeat(650)}`;
const many = Array.from({ length: 12 }, (_, n) => entry(n));

test('many long entries are written whole, and found as soon as they are', async () => {
  const id = await session();
  const { ids } = await write(id, many);
  expect(ids).toHaveLength(12);
  const { total } = await daemon.call(sessions.listEntries, { params: { id }, query: { limit: 1 } });
  expect(total).toBe(12);
  for (const n of [0, 5, 11]) expect((await found(`zebra${n}`))[0]).toContain(`zebra${n}`);
  expect(waiting()).toBe(0);
});

test('what is replaced or deleted before it was indexed is not found, and what was left at the end is', async () => {
  const id = await session();
  await write(id, many);
  await found('zebra11');
  daemon.withStore((store) =>
    store.write((db) => {
      db.exec('DELETE FROM session_text_1');
      db.exec('INSERT INTO unindexed_entries (entry, account) SELECT n, account FROM session_entries');
    }),
  );
  await write(id, ['another text']);
  await daemon.restart();
  expect((await found('zebra7'))[0]).toContain('zebra7');
  expect(await found('"zebra0"')).toEqual([]);
  expect((await found('"another text"'))[0]).toContain('another text');
  await daemon.call(sessions.deleteSession, { params: { id } });
  expect([await found('zebra7'), waiting()]).toEqual([[], 0]);
});

test('of a script without blanks less of an entry can be searched for, and none of its letters is cut', () => {
  const chinese = searchedBody({ kind: 'answer', text: '漢字'.repeat(32_000) });
  expect(chinese.length).toBeLessThan(140_000);
  const english = searchedBody({ kind: 'answer', text: 'a word '.repeat(9_000) });
  expect(english.match(/word/g)).toHaveLength(9_000);
  const astral = searchedBody({ kind: 'answer', text: `x${'𠮷'.repeat(30_000)}` });
  expect(astral.isWellFormed()).toBe(true);
});
