import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Home, homeAt } from '../../platform/home/home.ts';
import { replaceDatabase, replaceSteps } from './replace-database.ts';

let home: Home;
let incoming: string;

beforeEach(() => {
  home = homeAt(fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-replace-')));
  incoming = path.join(home.folder, 'incoming.db');
  makeDatabase(incoming, 'new', 300);
});

afterEach(() => fs.rmSync(home.folder, { recursive: true }));

/** So many rows of a word, in one statement. */
const SERIES = 'WITH RECURSIVE n (i) AS (SELECT ? UNION ALL SELECT i - 1 FROM n WHERE i > 1) SELECT ? FROM n';

function makeDatabase(file: string, word: string, rows: number): void {
  const db = new Database(file);
  db.exec('CREATE TABLE word (word TEXT)');
  db.prepare(`INSERT INTO word ${SERIES}`).run(rows, word);
  db.close();
}

/** What a database holds, once SQLite says that it is whole. */
function contentOf(file: string): string {
  const db = new Database(file);
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    const rows = db.prepare('SELECT word, count(*) AS rows FROM word GROUP BY word').all();
    return (rows as { word: string; rows: number }[]).map(({ word, rows }) => `${rows} ${word}`).join(', ');
  } finally {
    db.close();
  }
}

/** An old database whose newest rows stand in its write-ahead log only, as a kill leaves it. */
const LEAVE_LOG = `
  const db = new Database(home.database);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE IF NOT EXISTS word (word TEXT)');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.prepare('INSERT INTO word ${SERIES}').run(200, 'old');
`;

/** Runs a piece of program in a process of its own, which kills itself. */
function inProcess(body: string): void {
  const url = (file: string) => JSON.stringify(pathToFileURL(file).href);
  const program = `
    const { default: Database } = await import(${JSON.stringify(import.meta.resolve('better-sqlite3'))});
    const { replaceDatabase } = await import(${url(path.join(import.meta.dirname, 'replace-database.ts'))});
    const { homeAt } = await import(${url(path.join(import.meta.dirname, '../../platform/home/home.ts'))});
    const home = homeAt(${JSON.stringify(home.folder)});
    const kill = () => process.kill(process.pid, 'SIGKILL');
    ${body}
    kill();`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(ended.stderr).toBe('');
  expect(ended.signal).toBe('SIGKILL');
}

describe('replacing the database', () => {
  test('keeps the old one with what stood in its log only', () => {
    inProcess(LEAVE_LOG);
    expect(fs.statSync(`${home.database}-wal`).size).toBeGreaterThan(0);
    const aside = replaceDatabase(home, { file: incoming });
    expect(contentOf(home.database)).toBe('300 new');
    expect(contentOf(aside ?? '')).toBe('200 old');
    expect(fs.existsSync(incoming)).toBe(false);
  });

  test('answers undefined where there was none', () => {
    expect(replaceDatabase(home, { file: incoming })).toBeUndefined();
    expect(contentOf(home.database)).toBe('300 new');
  });

  test.each(replaceSteps)('killed before "%s" leaves one of the two, whole', (step) => {
    inProcess(LEAVE_LOG);
    inProcess(
      `replaceDatabase(home, { file: ${JSON.stringify(incoming)}, before: (step) => step === ${JSON.stringify(step)} && kill() });`,
    );
    expect(contentOf(home.database)).toBe(step === 'flush' ? '300 new' : '200 old');
    const kept = fs.existsSync(home.backups) ? fs.readdirSync(home.backups) : [];
    if (step === 'flush') expect(contentOf(path.join(home.backups, kept[0] ?? ''))).toBe('200 old');
    // And it can be done again.
    if (step !== 'flush') {
      replaceDatabase(home, { file: incoming });
      expect(contentOf(home.database)).toBe('300 new');
    }
  });

  test('sets a database aside that nothing can read, with its log', () => {
    fs.writeFileSync(home.database, 'this is no database at all'.repeat(100));
    fs.writeFileSync(`${home.database}-wal`, 'nor is this a log');
    const aside = replaceDatabase(home, { file: incoming });
    // Before anything opens it: SQLite would take a log that is left away, or in.
    expect(fs.existsSync(`${home.database}-wal`)).toBe(false);
    expect(contentOf(home.database)).toBe('300 new');
    expect(fs.readFileSync(aside ?? '', 'utf8')).toMatch(/^this is no database/);
    expect(fs.readFileSync(`${aside}-wal`, 'utf8')).toBe('nor is this a log');
  });
});
