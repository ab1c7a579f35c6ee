import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashedFiles } from '../../platform/home/hashed-files.ts';
import { writeBackup } from './backup-file.ts';
import { loadMigrations } from '../migrations.ts';
import { openStore, type Store } from '../open-store.ts';

let folder: string;
let store: Store;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-backup-'));
  store = openStore({ file: path.join(folder, 'reverie.db'), migrations: loadMigrations() });
});
afterEach(() => {
  store.close();
  fs.rmSync(folder, { recursive: true });
});

const attachments = () => hashedFiles(path.join(folder, 'attachments'));
const backups = () => path.join(folder, 'backups');
const left = () => fs.readdirSync(backups());

/** A copy of the store that something happens to before it is checked. */
const copied = (spoil: (file: string) => void) => async (file: string) => {
  await store.backup(file);
  spoil(file);
};
const change = (sql: string) => (file: string) => {
  const db = new Database(file);
  db.exec(sql);
  db.close();
};

const STRAY =
  'INSERT INTO namespaces (account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (7, ?, 3, 0, 0, 0, 0)';

test.each([
  ['disagrees with itself', change(`PRAGMA foreign_keys = OFF; ${STRAY.replace('?', "'n'")}`)],
  ['lacks its last pages', (file: string) => fs.truncateSync(file, 8192)],
  ['is no database', (file: string) => fs.writeFileSync(file, 'not a database at all '.repeat(400))],
])('a copy that %s becomes no backup, and nothing of it is left', async (_, spoil) => {
  const written = writeBackup(copied(spoil), {
    folder: backups(),
    name: 'one.db',
    now: 0,
    attachments: attachments(),
  });
  await expect(written).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining('copy is not sound') as string,
  });
  expect(left()).toEqual([]);
});

test('a copy that cannot be written becomes no backup, and a full disk is named', async () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const written = writeBackup(() => Promise.reject(full), {
    folder: backups(),
    now: 0,
    attachments: attachments(),
  });
  await expect(written).rejects.toMatchObject({ code: 'disk_full' });
  expect(left()).toEqual([]);
});

test('a sound copy has its name, its hash and the user’s own mode', async () => {
  const made = await writeBackup(
    copied(() => undefined),
    { folder: backups(), now: 0, attachments: attachments() },
  );
  expect(left()).toEqual(['reverie-1970-01-01T00-00-00-000Z.db']);
  const bytes = fs.readFileSync(made.file);
  expect(made).toMatchObject({
    bytes: bytes.length,
    memories: 0,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  expect(fs.statSync(made.file).mode & 0o777).toBe(0o600);
});
