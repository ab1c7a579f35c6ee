import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store, type WriteDb } from './open-store.ts';

let folder: string;
let file: string;
let store: Store;
let time = 0;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-remaking-'));
  file = path.join(folder, 'reverie.db');
  const up =
    'CREATE TABLE said (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value TEXT NOT NULL) STRICT';
  time = 0;
  store = openStore({ file, migrations: [{ version: 1, sql: up }], now: () => time });
});
afterEach(() => {
  store.close();
  fs.rmSync(folder, { recursive: true });
});

/** Writes, overwrites and deletes texts of changing length, as a home does over days; answers what stands and what was deleted. */
function live(): { standing: string[]; deleted: string[] } {
  let state = 1;
  const below = (max: number) => (state = (state * 48_271) % 2_147_483_647) % max;
  const there: { id: number; words: string[] }[] = [];
  const deleted: string[] = [];
  const one = (db: WriteDb, n: number) => {
    const word = `word${n}.`;
    const value = `${word} `.repeat(1 + below(60));
    const index = below(Math.max(1, there.length));
    const old = there[index];
    const dice = below(4);
    if (dice < 2 || !old) {
      const { lastInsertRowid } = db
        .prepare<[string, string]>('INSERT INTO said (key, value) VALUES (?, ?)')
        .run(`key${n}.${' '.repeat(below(100))}`, value);
      there.push({ id: Number(lastInsertRowid), words: [`key${n}.`, word] });
    } else if (dice === 2) {
      db.prepare<[number]>('DELETE FROM said WHERE id = ?').run(old.id);
      deleted.push(...old.words);
      there.splice(index, 1);
    } else {
      db.prepare<[string, number]>('UPDATE said SET value = ? WHERE id = ?').run(value, old.id);
      deleted.push(...old.words.splice(1, 1, word));
    }
  };
  for (let n = 0; n < 12_000; n += 40)
    store.write((db) => {
      for (let i = n; i < n + 40; i += 1) one(db, i);
    });
  return { standing: there.flatMap(({ words }) => words), deleted };
}

test('after the sweep nothing deleted stands between the rows of the pages, and the file is whole', () => {
  const { standing, deleted } = live();
  expect(deleted.length).toBeGreaterThan(4000);
  store.checkpoint();
  expect(store.emptying.state()).toEqual({ kind: 'emptied' });
  const bytes = fs.readFileSync(file).toString('latin1');
  const found = new Set(bytes.match(/(?:key|word)\d+\./g));
  expect(deleted.filter((word) => found.has(word))).toEqual([]);
  expect(standing.filter((word) => !found.has(word))).toEqual([]);
  expect(fs.statSync(`${file}-wal`).size).toBe(0);
  expect(
    store.read((db) => db.prepare<[], { integrity_check: string }>('PRAGMA integrity_check').all()),
  ).toEqual([{ integrity_check: 'ok' }]);
});

test('while another program reads, nothing is made anew; then it is, as the retry comes', () => {
  live();
  const reader = new Database(file, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM said').get();
  store.write((db) => db.exec("INSERT INTO said (key, value) VALUES ('late', 'late')"));
  const pages = () =>
    store.read((db) => db.prepare<[], { freelist_count: number }>('PRAGMA freelist_count').get());
  store.write((db) => db.exec('DELETE FROM said WHERE id > 10'));
  const before = pages();
  expect(before?.freelist_count).toBeGreaterThan(0);
  store.checkpoint();
  expect(store.emptying.state()).toMatchObject({ kind: 'waiting' });
  expect(pages()).toEqual(before);
  reader.exec('COMMIT');
  reader.close();
  store.emptying.retry();
  expect(store.emptying.state()).toEqual({ kind: 'emptied' });
  expect(pages()).toEqual({ freelist_count: 0 });
});

test('a larger file is made anew once nobody has written for a while', () => {
  const filler = 'x'.repeat(3000);
  store.write((db) => {
    const add = db.prepare<[string, string]>('INSERT INTO said (key, value) VALUES (?, ?)');
    for (let n = 0; n < 4000; n += 1) add.run(`filler${n}`, filler);
  });
  store.write((db) => db.exec("DELETE FROM said WHERE key LIKE 'filler1%'"));
  const free = () =>
    store.read((db) => db.prepare<[], { freelist_count: number }>('PRAGMA freelist_count').get())
      ?.freelist_count;
  store.checkpoint();
  store.emptying.retry();
  expect(store.emptying.state()).toEqual({ kind: 'emptied' });
  expect(free()).toBeGreaterThan(0);
  time += 4_000;
  store.write((db) => db.exec("INSERT INTO said (key, value) VALUES ('late', 'late')"));
  time += 4_000;
  store.emptying.retry();
  expect(free()).toBeGreaterThan(0);
  time += 1_000;
  store.emptying.retry();
  expect(free()).toBe(0);
  expect(fs.statSync(`${file}-wal`).size).toBe(0);
});
