import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadMigrations } from '../migrations.ts';
import { openStore } from '../open-store.ts';
import { type Home, homeAt } from '../../platform/home/home.ts';
import { finishCandidate, prepareCandidate } from './candidate.ts';
import { isMoved, packInto, unpackFrom } from './moved-home.ts';

let home: Home;
let folder: string;
let backup: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-candidate-'));
  home = homeAt(path.join(folder, 'home'));
  fs.mkdirSync(home.folder);
  backup = path.join(folder, 'backup.db');
  const store = openStore({ file: backup, migrations: loadMigrations() });
  store.write((db) => db.exec("INSERT INTO meta (name, value) VALUES ('log_id', 'log_old')"));
  store.close();
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

function change(sql: string): void {
  const db = new Database(backup);
  db.exec(sql);
  db.close();
}

const logIdOf = (file: string): unknown => {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT value FROM meta WHERE name = 'log_id'").pluck().get();
  } finally {
    db.close();
  }
};

describe('a database that comes in', () => {
  test('is copied, checked and given a log_id of its own; the file stays as it is', async () => {
    fs.chmodSync(backup, 0o444);
    const before = fs.readFileSync(backup);
    const candidate = await prepareCandidate(home, backup);
    expect(candidate.verified).toMatchObject({ memories: 0, logId: 'log_old', problems: [] });
    finishCandidate(candidate, () => undefined);
    expect(logIdOf(candidate.file)).toMatch(/^log_[0-9a-f-]{36}$/);
    expect(fs.statSync(candidate.file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(backup).equals(before)).toBe(true);
    expect(fs.readdirSync(home.folder)).toEqual([path.basename(candidate.file)]);
    expect(fs.readdirSync(folder).sort()).toEqual(['backup.db', 'home']);
    candidate.discard();
    expect(fs.readdirSync(home.folder)).toEqual([]);
  });

  test.each<[string, RegExp, () => void]>([
    ['is not there', /There is no file/, () => fs.rmSync(backup)],
    ['is text', /is no database/, () => fs.writeFileSync(backup, 'hello')],
    ['is newer', /of version 9999.*newer Reverie/s, () => change('PRAGMA user_version = 9999')],
    ['is of another program', /another program/, () => change('DROP TABLE memories')],
    [
      'disagrees with itself',
      /damaged \(.*counts of 1 namespaces/,
      () =>
        change(
          `INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (7, 'acc_7', 'bot', 'free', 0);
           CREATE TABLE text_7_content (id INTEGER PRIMARY KEY);
           INSERT INTO namespaces (account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (7, 'n', 3, 0, 0, 0, 0)`,
        ),
    ],
    ['was cut off', /damaged/, () => fs.truncateSync(backup, 8192)],
    ['is in use', /write-ahead log beside it/, () => fs.writeFileSync(`${backup}-wal`, 'x')],
  ])('is refused when it %s, and nothing is left', async (_what, message, spoil) => {
    spoil();
    await expect(prepareCandidate(home, backup)).rejects.toThrow(message);
    expect(fs.readdirSync(home.folder)).toEqual([]);
  });

  test('what an earlier one left behind by a crash is removed', async () => {
    fs.writeFileSync(path.join(home.folder, 'incoming-abc.db'), 'x');
    await prepareCandidate(home, backup);
    expect(fs.existsSync(path.join(home.folder, 'incoming-abc.db'))).toBe(false);
  });
});

describe('a packed home', () => {
  test('brings its files, and leaves no trace of them in the database', async () => {
    const key = `rv_live_${'secret'.repeat(6)}`;
    const old = homeAt(path.join(folder, 'old'));
    fs.mkdirSync(old.folder);
    fs.writeFileSync(old.ownerKey, `${key}\n`, { mode: 0o600 });
    fs.writeFileSync(old.config, '{"port":0}');
    expect(isMoved(backup)).toBe(false);
    packInto(backup, old);
    expect(isMoved(backup)).toBe(true);
    expect(fs.readFileSync(backup).includes(key)).toBe(true);
    const candidate = await prepareCandidate(home, backup);
    finishCandidate(candidate, (db) => {
      expect([...unpackFrom(db)]).toEqual([
        ['config', '{"port":0}'],
        ['ownerKey', `${key}\n`],
      ]);
    });
    expect(isMoved(candidate.file)).toBe(false);
    expect(fs.readFileSync(candidate.file).includes(key)).toBe(false);
  });
});
