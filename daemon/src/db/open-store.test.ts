import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore, type ReadDb, type Store } from './open-store.ts';

/** What `PRAGMA synchronous` answers: each commit waits for the disk, or only folding the log in does. */
const FULL = 2;
const NORMAL = 1;

const migrations = [{ version: 1, sql: 'CREATE TABLE said (value TEXT NOT NULL) STRICT' }];
const pragma = (db: ReadDb, name: string) =>
  Object.values(db.prepare<[], Record<string, unknown>>(`PRAGMA ${name}`).get() ?? {})[0];
const inStore = (store: Store, name: string) => store.read((db) => pragma(db, name));

let folder: string;
let file: string;
let store: Store;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-store-'));
  file = path.join(folder, 'reverie.db');
  store = openStore({ file, migrations });
});
afterEach(() => {
  store.close();
  fs.rmSync(folder, { recursive: true });
});

describe('a commit', () => {
  test('waits for the disk, and what is deleted is overwritten', () => {
    expect(inStore(store, 'synchronous')).toBe(FULL);
    expect(store.write((db) => pragma(db, 'synchronous'))).toBe(FULL);
    expect(inStore(store, 'journal_mode')).toBe('wal');
    expect(inStore(store, 'secure_delete')).toBe(1);
    expect(inStore(store, 'foreign_keys')).toBe(1);
  });

  test('waits for the disk again after one that did not, and after one that failed', () => {
    expect(store.writeRepeatable((db) => pragma(db, 'synchronous'))).toBe(NORMAL);
    expect(store.write((db) => pragma(db, 'synchronous'))).toBe(FULL);
    expect(() =>
      store.writeRepeatable(() => {
        throw new Error('broken off');
      }),
    ).toThrow('broken off');
    expect(store.write((db) => pragma(db, 'synchronous'))).toBe(FULL);
  });

  test('inside of one that waits, waits', () => {
    const within = store.write(() => store.writeRepeatable((db) => pragma(db, 'synchronous')));
    expect(within).toBe(FULL);
  });

  test('waits for the disk on every further connection to the file, and after a start', () => {
    const second = openStore({ file, migrations });
    expect(inStore(second, 'synchronous')).toBe(FULL);
    second.close();
    store.close();
    store = openStore({ file, migrations });
    expect(inStore(store, 'synchronous')).toBe(FULL);
  });
});

test('what was to be told after a commit is told once it is there, and never of one that was undone', () => {
  const told: string[] = [];
  const count = () =>
    store.read((db) => db.prepare<[], { n: number }>('SELECT count(*) AS n FROM said').get()?.n);
  store.write((db) => {
    db.exec("INSERT INTO said (value) VALUES ('one')");
    store.write((inner) => inner.afterCommit(() => void told.push(`inner ${count()}`)));
    db.afterCommit(() => void told.push(`outer ${count()}`));
    expect(told).toEqual([]);
  });
  expect(told).toEqual(['inner 1', 'outer 1']);
  expect(() =>
    store.write((db) => {
      db.exec("INSERT INTO said (value) VALUES ('two')");
      db.afterCommit(() => void told.push('undone'));
      throw new Error('broken off');
    }),
  ).toThrow('broken off');
  expect([count(), told.length]).toEqual([1, 2]);
});
