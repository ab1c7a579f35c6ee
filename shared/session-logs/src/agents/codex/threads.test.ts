import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { CODEX_FILE, CODEX_SESSION, legacyPrompt, metaLine } from '../../testing/codex-lines.ts';
import { type Collector, collect, createCollector } from '../../testing/collector.ts';
import { codex } from './codex.ts';

const made: (() => void)[] = [];

afterEach(() => {
  for (const end of made.splice(0)) end();
});

function database(name: string, schema: string) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'codex-'));
  const absolute = path.join(folder, name);
  const db = new Database(absolute);
  db.exec(schema);
  made.push(() => {
    db.close();
    fs.rmSync(folder, { recursive: true });
  });
  const reader = codex.database?.({ kind: 'database', path: name, absolute });
  if (!reader) throw new Error('Codex has databases');
  const take = (into: Collector = createCollector()) => {
    for (const record of reader.changed()) into.take(record);
    return into;
  };
  return { db, reader, take };
}

describe('state_N.sqlite', () => {
  const schema = 'CREATE TABLE threads (id TEXT PRIMARY KEY, title TEXT, first_user_message TEXT, name TEXT)';

  it('has titles: a name stands above the index, a made title above the first prompt, and the prompt itself is none', () => {
    const { db, take, reader } = database('state_5.sqlite', schema);
    db.prepare('INSERT INTO threads VALUES (?, ?, ?, ?)').run('t1', 'Limits', 'Add limits', 'Mine');
    db.prepare('INSERT INTO threads VALUES (?, ?, ?, ?)').run('t2', 'Limits', 'Add limits', null);
    db.prepare('INSERT INTO threads VALUES (?, ?, ?, ?)').run('t3', 'Add limits', 'Add limits', '');
    const collector = take();
    expect(collector.session('t1').facts.title).toEqual({ text: 'Mine', rank: 45 });
    expect(collector.session('t2').facts.title).toEqual({ text: 'Limits', rank: 20 });
    expect(collector.session('t3').facts.title).toBeUndefined();
    expect([...reader.changed()]).toEqual([]);
    db.exec(`UPDATE threads SET name = 'Other' WHERE id = 't1'`);
    expect(take(collector).session('t1').facts.title?.text).toBe('Other');
  });

  it('a version without names, without the table, or with other columns fails nothing', () => {
    const older = database('state_3.sqlite', 'CREATE TABLE threads (id TEXT PRIMARY KEY, title TEXT)');
    older.db.exec(`INSERT INTO threads VALUES ('t1', 'Limits')`);
    expect(older.take().session('t1').facts.title?.text).toBe('Limits');
    expect(database('state_9.sqlite', 'CREATE TABLE other (x)').take().malformed).toBe(0);
  });
});

describe('thread_history_N.sqlite', () => {
  const schema = `
    CREATE TABLE thread_items (thread_id TEXT, turn_id TEXT, item_id TEXT, rollout_ordinal INTEGER, created_at_ms INTEGER,
      item_type TEXT, item_json TEXT, updated_at_ordinal INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE thread_history_projection_state (thread_id TEXT PRIMARY KEY, next_rollout_byte_offset INTEGER);`;
  const T = 1_780_000_000_000;

  function filled(thread: string) {
    const made = database('thread_history_1.sqlite', schema);
    const items = [
      { type: 'userMessage', id: 'u1', content: [{ type: 'text', text: 'Add limits' }] },
      {
        type: 'commandExecution',
        id: 'c1',
        command: 'ls',
        aggregatedOutput: 'a',
        exitCode: 1,
        status: 'failed',
      },
      { type: 'reasoning', id: 'r1', summary: ['**Where**'], content: [] },
      { type: 'agentMessage', id: 'a1', text: 'Done' },
    ];
    items.forEach((item, n) =>
      made.db
        .prepare('INSERT INTO thread_items VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(thread, 'turn', item.id, n, T + n, item.type, JSON.stringify(item), n),
    );
    return made;
  }

  it('threads that stand there alone are read, as the same items as in a rollout', () => {
    const { take, reader } = filled(CODEX_SESSION);
    const collector = take();
    expect(collector.session().entries.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'prompt: Add limits',
      'tool_call: ls',
      'tool_result: a',
      'thinking: **Where**',
      'answer: Done',
    ]);
    const rollout = collect(codex, CODEX_FILE, { lines: [metaLine(), ...legacyPrompt('Add limits')] });
    expect(rollout.session().entries[0]?.item).toBe(collector.session().entries[0]?.item);
    expect([...reader.changed()]).toEqual([]);
  });

  it('threads that are made from a rollout are left to it', () => {
    const { db, take } = filled(CODEX_SESSION);
    db.prepare('INSERT INTO thread_history_projection_state VALUES (?, ?)').run(CODEX_SESSION, 100);
    expect(take().sessions().size).toBe(0);
  });

  it('new items are told; rows that cannot be read fail nothing', () => {
    const { db, take } = filled('t1');
    const collector = take();
    db.prepare('INSERT INTO thread_items VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
      't1',
      't',
      'x',
      9,
      T + 9,
      'x',
      '{"a":',
      9,
    );
    const more = JSON.stringify({ type: 'AgentWhisper', id: 'h', text: 'psst' });
    db.prepare('INSERT INTO thread_items VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
      't1',
      't',
      'h',
      10,
      T + 10,
      'x',
      more,
      10,
    );
    take(collector);
    expect(collector.malformed).toBe(1);
    expect(collector.session('t1').entries).toHaveLength(6);
    expect(collector.session('t1').entries.at(-1)).toMatchObject({ kind: 'other', text: more });
  });
});
