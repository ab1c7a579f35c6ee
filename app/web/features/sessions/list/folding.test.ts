import { expect, test } from 'vitest';
import { madeSession, sessionId } from '../testing/made-session.ts';
import { foldedOf } from './folding.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-25T12:00:00.000Z');
const ago = (days: number) => new Date(NOW - days * DAY_MS).toISOString();
const subagentOf = (id: string) => ({ parent: { id, kind: 'subagent' as const } });

const lines = (items: ReturnType<typeof foldedOf>) =>
  items.map((item) =>
    item.kind === 'session'
      ? `${'  '.repeat(item.depth)}${item.session.title}${item.folded > 0 ? ` +${item.folded}` : ''}`
      : `${item.kind}: ${item.label}`,
  );

test('sessions stand by day, and within a day by project, the newest first', () => {
  const sessions = [
    madeSession(4, { updated_at: ago(0), project: 'halden' }),
    madeSession(3, { updated_at: ago(0), project: 'mira' }),
    madeSession(2, { updated_at: ago(0), project: 'halden' }),
    madeSession(1, { updated_at: ago(1), project: null }),
  ];
  expect(lines(foldedOf(sessions, new Set(), NOW))).toEqual([
    'day: Today',
    'project: halden',
    'Session 4',
    'Session 2',
    'project: mira',
    'Session 3',
    'day: Yesterday',
    'project: No project',
    'Session 1',
  ]);
});

test('subagents are folded below their session, and theirs below them', () => {
  const sessions = [
    madeSession(1, { updated_at: ago(0) }),
    madeSession(2, { updated_at: ago(1), ...subagentOf(sessionId(1)) }),
    madeSession(3, { updated_at: ago(1), ...subagentOf(sessionId(2)) }),
    madeSession(4, { updated_at: ago(0), ...subagentOf(sessionId(99)) }),
  ];
  const folded = (...opened: number[]) =>
    lines(foldedOf(sessions, new Set(opened.map(sessionId)), NOW)).slice(2);
  expect(folded()).toEqual(['Session 1 +1', 'Session 4']);
  expect(folded(1)).toEqual(['Session 1 +1', '  Session 2 +1', 'Session 4']);
  expect(folded(1, 2)).toEqual(['Session 1 +1', '  Session 2 +1', '    Session 3', 'Session 4']);
});

test('sessions that name each other end', () => {
  const sessions = [
    madeSession(1, subagentOf(sessionId(2))),
    madeSession(2, subagentOf(sessionId(1))),
    madeSession(3, subagentOf(sessionId(3))),
  ];
  expect(lines(foldedOf(sessions, new Set([1, 2, 3].map(sessionId)), NOW))).toEqual([]);
});
