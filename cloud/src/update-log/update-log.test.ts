import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backupDatabase } from '../db/backup-database.ts';
import { openDatabase } from '../db/open-database.ts';
import { createMemoryLog } from './memory-log.ts';
import { createSqliteLog } from './sqlite-log.store.ts';
import { updateLogBehaves } from './testing/update-log-behaves.ts';

describe.each([
  ['in memory', () => ({ log: createMemoryLog(), close: () => undefined })],
  [
    'in SQLite',
    () => {
      const db = openDatabase(':memory:');
      return { log: createSqliteLog(db), close: () => db.close() };
    },
  ],
] as const)('a log %s', (_, open) => updateLogBehaves(open));

test('what is of another epoch leaves nothing behind, under however many names it comes', async () => {
  const db = openDatabase(':memory:');
  const log = createSqliteLog(db);
  await log.open('a');
  const writers = () => db.prepare<[], { n: number }>('SELECT count(*) AS n FROM log_writers').get()?.n;
  const entry = (n: number) => ({ kind: 'clear' as const, n, at: 1, clearedBefore: { ms: 1, counter: 0 } });
  const by = (incarnation: string, epoch: number) => ({
    room: 'a',
    epoch,
    device: 'd',
    incarnation,
    entry: entry(1),
  });
  const refused = await log.append(Array.from({ length: 50 }, (_, n) => by(`run${n}`, 7)));
  expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(['stale_epoch']));
  expect(writers()).toBe(0);
  expect(await log.append([by('run0', 0), by('run0', 0)])).toMatchObject([
    { kind: 'stored' },
    { kind: 'known' },
  ]);
  expect(writers()).toBe(1);
  db.close();
});

describe('the name of a log', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-relay-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const file = (name: string) => path.join(folder, name);
  const nameOf = () => {
    const db = openDatabase(file('relay.db'), file('relay.mark'));
    db.close();
    return db.logId;
  };

  test('stays over starts', () => {
    expect(nameOf()).toBe(nameOf());
  });

  test('is new for a backup that is put in its place, even of the same run', async () => {
    const db = openDatabase(file('relay.db'), file('relay.mark'));
    await backupDatabase(file('relay.db'), file('backup.db'));
    db.close();
    fs.copyFileSync(file('backup.db'), file('relay.db'));
    const restored = nameOf();
    expect(restored).not.toBe(db.logId);
    expect(nameOf()).toBe(restored);
  });

  test('is new where the mark is missing: nobody can tell', () => {
    const first = nameOf();
    fs.rmSync(file('relay.mark'));
    expect(nameOf()).not.toBe(first);
  });

  test('is new for a copy of the files from an earlier start', () => {
    const first = nameOf();
    fs.copyFileSync(file('relay.db'), file('copy.db'));
    expect(nameOf()).toBe(first);
    fs.copyFileSync(file('copy.db'), file('relay.db'));
    expect(nameOf()).not.toBe(first);
  });
});

test('a large room is removed while others are served, and what an end in between left goes with the next one', async () => {
  const opened = openDatabase(':memory:');
  let writes = Infinity;
  const db: typeof opened = {
    ...opened,
    write(run) {
      if (--writes < 0) throw new Error('the relay ended');
      return opened.write(run);
    },
  };
  const log = createSqliteLog(db);
  const rowsOf = (table: string) =>
    db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  const fill = async (room: string, count: number, bytes: number) => {
    await log.open(room);
    const body = new Uint8Array(bytes);
    const entry = (n: number) => ({ kind: 'update' as const, n, at: 1, bucket: 0, enc: false, body });
    for (let n = 1; n <= count; n++)
      await log.append([{ room, epoch: 0, device: 'd', incarnation: 'i', entry: entry(n) }]);
  };
  await fill('large', 12, 2 ** 21);
  await fill('many', 1200, 10);
  await fill('other', 3, 10);
  writes = 3;
  await expect(log.remove('large')).rejects.toThrow('the relay ended');
  expect(rowsOf('log_entries')).toBeGreaterThan(1203);
  // It is no room any more, whatever is left of it; one of its name would be another.
  expect(await log.state('large')).toBeUndefined();
  writes = Infinity;
  let turns = 0;
  let isGone = false;
  const served = (async () => {
    for (; !isGone; turns++) {
      expect((await log.state('other'))?.head).toBe(3);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await log.remove('many');
  isGone = true;
  await served;
  expect(turns).toBeGreaterThanOrEqual(5);
  expect([rowsOf('log_rooms'), rowsOf('log_entries')]).toEqual([1, 3]);
  opened.close();
});
