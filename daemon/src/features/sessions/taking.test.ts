import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ReadRecord, SessionFacts } from '@reverie/session-logs/format';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { statusOf } from './sessions.service.ts';
import { findSessionOfSource, saveSession } from './sessions.store.ts';
import { takeReads } from './taking.service.ts';
import { type BareSessions, bareSessions } from './testing/bare-sessions.ts';

let bare: BareSessions;
beforeEach(() => {
  bare = bareSessions();
});
afterEach(() => bare.deps.store.close());

const of = { agent: 'codex', source: 's1' } as const;
function take(...facts: SessionFacts[]): void {
  const { deps, account } = bare;
  const reads = facts.map((one): ReadRecord => ({ session: of.source, kind: 'facts', facts: one }));
  const taking = { account, agent: of.agent, agentName: 'Codex', reads, bodies: new Map(), isNews: false };
  deps.store.write((db) => takeReads(db, deps, taking));
}
const title = (text: string, rank: number): SessionFacts => ({ title: { text, rank } });
const session = () => bare.deps.store.read((db) => findSessionOfSource(db, bare.account, of));

test('of two titles the one of the higher rank stands, of equal ranks the later one', () => {
  take(title('first words', 1));
  take(title('a summary', 3), title('later words', 1));
  expect(session()?.title).toBe('a summary');
  take(title('later words', 2));
  expect(session()?.title).toBe('a summary');
  take(title('a newer summary', 3));
  expect(session()?.title).toBe('a newer summary');
});

test('a time of a log that cannot be makes a session neither live for long nor first for ever', () => {
  const { deps, account } = bare;
  const at = [Date.UTC(9999, 0), 8.64e15, Number.NaN, -1, deps.clock.now() - 5.5];
  const reads = at.map((time, n): ReadRecord => {
    const entry = { item: `e${n}`, at: time, kind: 'prompt', text: 'x', byPerson: true } as const;
    return { session: of.source, kind: 'entry', entry };
  });
  const taking = { account, agent: of.agent, agentName: 'Codex', reads, bodies: new Map(), isNews: false };
  const taken = () => deps.store.write((db) => takeReads(db, deps, taking));
  taken();
  const now = deps.clock.now();
  expect(session()).toMatchObject({ started_at: now - 6, updated_at: now, entries: at.length });
  const before = session();
  deps.clock.advance(86_400_000);
  // The log is read again, and its times are as wrong as before.
  taken();
  expect(session()).toEqual(before);
  const stored = session();
  expect(stored && statusOf(stored, deps.clock.now())).not.toBe('live');
});

test('times that could not be, stored before they were clamped, are mended once', () => {
  const [sane, wrong] = [Date.UTC(2026, 3), Date.UTC(9999, 0)];
  const before = loadMigrations().slice(0, 27);
  const store = openStore({ file: ':memory:', migrations: before });
  onTestFinished(() => store.close());
  store.write((db) => {
    db.exec(`INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 0);
      INSERT INTO sessions (n, id, account, agent, title_rank, namespace, models, tokens, entries, others, seq, role, started_at, updated_at, ended_at)
      VALUES (1, 'cs_a', 1, 'codex', 0, 'n', '[]', 0, 2, 0, 2, 'owner', ${sane}, ${wrong}, ${wrong}), (2, 'cs_b', 1, 'codex', 0, 'n', '[]', 0, 1, 0, 1, 'owner', ${sane}, ${sane + 5}, NULL);
      INSERT INTO session_entries (n, account, session, id, item, seq, at, place, kind, author, author_name, files, redactions, format, hash, bytes, text)
      VALUES (1, 1, 1, 'ent_a', 'a', 1, ${sane + 9}, 1, 'note', 'p', 'p', '[]', 0, 'api', x'00', 1, 'x'), (2, 1, 1, 'ent_b', 'b', 2, ${wrong}, 2, 'note', 'p', 'p', '[]', 0, 'api', x'00', 1, 'x'),
        (3, 1, 2, 'ent_c', 'c', 1, -8, 1, 'note', 'p', 'p', '[]', 0, 'api', x'00', 1, 'x');`);
    db.exec(loadMigrations()[27]?.sql ?? '');
  });
  const rows = (sql: string) => store.read((db) => db.prepare(sql).all());
  expect(rows('SELECT started_at, updated_at, ended_at FROM sessions ORDER BY n')).toEqual([
    { started_at: sane, updated_at: sane + 9, ended_at: sane + 9 },
    { started_at: sane, updated_at: sane + 5, ended_at: null },
  ]);
  expect(rows('SELECT at FROM session_entries ORDER BY n')).toEqual([
    { at: sane + 9 },
    { at: sane },
    { at: 0 },
  ]);
});

test('a title that a person gave stands, whatever the log says later', () => {
  take(title('a summary', 3));
  const { store } = bare.deps;
  store.write((db) => {
    const row = findSessionOfSource(db, bare.account, of);
    if (row) saveSession(db, { ...row, title: 'Mine', title_rank: 1_000 });
  });
  take(title('a newer summary', 3));
  expect(session()?.title).toBe('Mine');
});

test('what an agent logs while it is asked as a model is no session', () => {
  take({ folder: '/tmp/reverie-model-aB3xYz/reverie-model-aB3xYz' });
  expect(session()).toBeUndefined();
  take({ branch: 'main' });
  expect(session()).toBeUndefined();
});

test('a session stays that of the folder it began in, and has the last branch', () => {
  take({ folder: '/work/api', branch: 'main' }, { folder: '/work/web', branch: 'limits' });
  expect(session()).toMatchObject({ folder: '/work/api', project: 'api', branch: 'limits' });
});
