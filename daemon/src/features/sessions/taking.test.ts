import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReadRecord, SessionFacts } from './formats/format.ts';
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

test('no folder, branch or version is longer than any system has them', () => {
  const long = 'x'.repeat(1_000_000);
  take({ folder: `/${long}`, branch: long, version: long });
  expect(session()).toMatchObject({ folder: null, branch: long.slice(0, 256), version: long.slice(0, 256) });
  take({ folder: '/work/api' });
  expect(session()?.folder).toBe('/work/api');
});

test('a session stays that of the folder it began in, and has the last branch', () => {
  take({ folder: '/work/api', branch: 'main' }, { folder: '/work/web', branch: 'limits' });
  expect(session()).toMatchObject({ folder: '/work/api', project: 'api', branch: 'limits' });
});
