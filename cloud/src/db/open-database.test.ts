import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryHome } from '../testing/process.ts';
import { type Database, openDatabase } from './open-database.ts';

const pragma = (db: Database, name: string) =>
  Object.values(db.prepare<[], Record<string, unknown>>(`PRAGMA ${name}`).get() ?? {})[0];

test('each commit waits for the disk, and what is removed is overwritten, at each start', () => {
  const { home, remove } = temporaryHome();
  const file = path.join(home, 'relay.db');
  for (const start of ['the first', 'a later one']) {
    const db = openDatabase(file);
    // 2 is FULL: NORMAL and OFF answer entries that a power cut may take.
    expect([start, pragma(db, 'synchronous')]).toEqual([start, 2]);
    expect(db.write(() => pragma(db, 'synchronous'))).toBe(2);
    expect(pragma(db, 'journal_mode')).toBe('wal');
    expect(pragma(db, 'secure_delete')).toBe(1);
    expect(pragma(db, 'foreign_keys')).toBe(1);
    db.close();
  }
  remove();
});
