import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import type { DatabaseReader } from '../../format.ts';
import { type Collector, createCollector } from '../../testing/collector.ts';
import { opencode } from './opencode.ts';

const SCHEMA = `
  CREATE TABLE project (id TEXT PRIMARY KEY, worktree TEXT NOT NULL, time_updated INTEGER);
  CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, directory TEXT, title TEXT NOT NULL,
    version TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE INDEX part_session_idx ON part (session_id);`;

const T = 1_780_000_000_000;
const opened: (() => void)[] = [];

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

function database() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opencode-'));
  const file = path.join(folder, 'opencode.db');
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.exec(SCHEMA);
  opened.push(() => {
    db.close();
    fs.rmSync(folder, { recursive: true });
  });
  const session = (id: string, fields: { title?: string; parent?: string; directory?: string | null } = {}) =>
    db
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        id,
        'p1',
        fields.parent ?? null,
        fields.directory ?? null,
        fields.title ?? 'Limits',
        '1.2.0',
        T,
        T,
      );
  const message = (id: string, data: object, at = T) =>
    db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(id, 'ses_1', at, at, JSON.stringify(data));
  const part = (id: string, of: string, { at = T, ...data }: { at?: number; [name: string]: unknown }) =>
    db
      .prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)')
      .run(id, of, 'ses_1', T, at, JSON.stringify(data));
  db.prepare('INSERT INTO project VALUES (?, ?, ?)').run('p1', '/home/ana/app', T);
  return { db, file, session, message, part };
}

function readerOf(file: string): DatabaseReader {
  const reader = opencode.database?.({ kind: 'database', path: 'opencode.db', absolute: file });
  if (!reader) throw new Error('opencode has a database');
  return reader;
}

function take(reader: DatabaseReader, into: Collector = createCollector()): Collector {
  for (const record of reader.changed()) into.take(record);
  return into;
}

describe('opencode', () => {
  it('its database is in the folder of data, or where OPENCODE_DB says', () => {
    expect(opencode.root({}, '/home/ana')).toBe('/home/ana/.local/share/opencode');
    expect(opencode.root({ XDG_DATA_HOME: '/data' }, '/home/ana')).toBe('/data/opencode');
    expect(opencode.root({ OPENCODE_DB: '/srv/oc/opencode.db' }, '/home/ana')).toBe('/srv/oc');
    expect(opencode.fileAt('opencode-nightly.db')).toEqual({ kind: 'database' });
    expect(opencode.fileAt('opencode.db-wal')).toBeUndefined();
    expect(opencode.fileAt('storage/part/x.json')).toBeUndefined();
  });

  it('prompts, replies, reasoning, calls with results, usage and facts are read', () => {
    const { file, session, message, part } = database();
    session('ses_1');
    message('msg_1', { role: 'user' });
    part('prt_1', 'msg_1', { type: 'text', text: 'Fix it' });
    part('prt_2', 'msg_1', { type: 'text', text: 'Called the Read tool', synthetic: true });
    part('prt_3', 'msg_1', {
      type: 'file',
      mime: 'image/png',
      url: `data:image/png;base64,${'A'.repeat(16)}`,
    });
    message(
      'msg_2',
      {
        role: 'assistant',
        modelID: 'claude',
        tokens: { input: 10, output: 5, reasoning: 2, cache: { read: 3, write: 4 } },
      },
      T + 1,
    );
    part('prt_4', 'msg_2', { type: 'step-start' });
    part('prt_5', 'msg_2', { type: 'reasoning', text: 'Hm' });
    const state = {
      status: 'completed',
      input: { filePath: '/a/b.ts' },
      output: 'text',
      time: { start: T + 5, end: T + 6 },
    };
    part('prt_6', 'msg_2', { type: 'tool', tool: 'read', callID: 'call_1', state });
    const failed = {
      status: 'error',
      input: { command: 'ls' },
      error: 'no',
      time: { start: T + 7, end: T + 8 },
    };
    part('prt_7', 'msg_2', { type: 'tool', tool: 'bash', callID: 'call_2', state: failed });
    part('prt_8', 'msg_2', { type: 'text', text: 'Done', time: { start: T + 9 } });
    const { entries, usage, facts } = take(readerOf(file)).session('ses_1');
    expect(entries.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'prompt: Fix it\n[image/png, 12 bytes]',
      'thinking: Hm',
      'tool_call: filePath: /a/b.ts',
      'tool_result: text',
      'tool_call: ls',
      'tool_result: no',
      'answer: Done',
    ]);
    expect(entries[2]).toMatchObject({
      item: 'prt_6',
      files: ['/a/b.ts'],
      tool: { name: 'read', call: 'call_1' },
    });
    expect(entries[5]).toMatchObject({ item: 'prt_7:result', tool: { failed: true } });
    expect(usage).toEqual([{ item: 'msg_2', model: 'claude', input: 17, output: 7 }]);
    expect(facts).toEqual({ title: { text: 'Limits', rank: 40 }, folder: '/home/ana/app', version: '1.2.0' });
  });

  it('a placeholder is no title, a directory is better than a worktree, and a parent makes a subagent', () => {
    const { file, session, message, part } = database();
    session('ses_1', {
      title: 'New session - 2026-03-22T10:00:00.000Z',
      directory: '/home/ana/web',
      parent: 'ses_0',
    });
    message('msg_1', { role: 'user' });
    part('prt_1', 'msg_1', { type: 'text', text: 'Fix it' });
    expect(take(readerOf(file)).session('ses_1').facts).toMatchObject({
      title: { text: 'Fix it', rank: 10 },
      folder: '/home/ana/web',
      parent: { session: 'ses_0', kind: 'subagent' },
    });
  });

  it('only what changed is told the next time: parts that are edited in place, and messages that are deleted', () => {
    const { db, file, session, message, part } = database();
    session('ses_1');
    message('msg_1', { role: 'user' });
    part('prt_1', 'msg_1', { type: 'text', text: 'Fix it' });
    message('msg_2', { role: 'assistant' }, T + 1);
    part('prt_2', 'msg_2', { type: 'text', text: 'Do' });
    const reader = readerOf(file);
    const collector = take(reader);
    expect([...reader.changed()]).toEqual([]);
    part('prt_2', 'msg_2', { type: 'text', text: 'Done', at: T + 9 });
    take(reader, collector);
    expect(collector.session('ses_1').entries.map(({ text }) => text)).toEqual(['Fix it', 'Done']);
    db.exec(`DELETE FROM part WHERE message_id = 'msg_2'; DELETE FROM message WHERE id = 'msg_2'`);
    take(reader, collector);
    expect(collector.session('ses_1').entries.map(({ text }) => text)).toEqual(['Fix it']);
    expect(take(readerOf(file)).session('ses_1').entries).toEqual(collector.session('ses_1').entries);
  });

  it('parts and roles that nobody knows are entries `other`', () => {
    const { file, session, message, part } = database();
    session('ses_1');
    message('msg_1', { role: 'assistant' });
    part('prt_1', 'msg_1', { type: 'hologram', x: 1 });
    message('msg_2', { role: 'oracle' });
    const collector = take(readerOf(file));
    expect(collector.session('ses_1').entries.map(({ kind }) => kind)).toEqual(['other', 'other']);
    expect([...collector.types].filter(([, { known }]) => !known).map(([type]) => type)).toEqual([
      'part/hologram',
      'message/oracle',
    ]);
  });

  it('rows that hold no JSON, a file that is no database and one that is away fail nothing', () => {
    const { db, file, session } = database();
    session('ses_1');
    db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run('msg_1', 'ses_1', T, T, '{"role":');
    expect(take(readerOf(file)).malformed).toBe(1);
    const other = path.join(path.dirname(file), 'other.db');
    fs.writeFileSync(other, 'no database at all, but long enough to be looked at'.repeat(100));
    expect([...readerOf(other).changed()]).toEqual([undefined]);
    expect([...readerOf(path.join(path.dirname(file), 'away.db')).changed()]).toEqual([undefined]);
  });

  it('the database is closed, also where the reading ends early', () => {
    const { file, session, message, db } = database();
    session('ses_1');
    message('msg_1', { role: 'user' });
    for (const record of readerOf(file).changed()) {
      expect(record).toBeDefined();
      break;
    }
    // The last connection that closes takes the log away; with another one open it would stay.
    db.close();
    expect(fs.existsSync(`${file}-wal`)).toBe(false);
  });
});
