import type { CodingSession, SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { expect, test } from 'vitest';
import { faultsOfLog } from './log.ts';
import type { Scene } from './play.ts';

const SCENE: Scene = {
  name: 'work',
  prompt: 'Look, please.',
  turns: [
    { says: 'I look.', does: { kind: 'memory', tool: 'memory_get', args: { key: 'a' }, says: 'first' } },
    { does: { kind: 'shell', command: 'exit 3', says: 'wrong', fails: true } },
    { says: 'Done.' },
  ],
};

const entry = (kind: SessionEntry['kind'], text: string, tool?: [name: string, failed?: boolean]) =>
  ({
    kind,
    text,
    tool: tool ? { name: tool[0], call: null, failed: tool[1] ?? null } : null,
  }) as SessionEntry;
const READ: readonly SessionEntry[] = [
  entry('prompt', 'Look, please.'),
  entry('answer', 'I look.'),
  entry('tool_call', 'key: a', ['mcp__reverie__memory_get']),
  entry('tool_result', 'the first one', ['mcp__reverie__memory_get']),
  entry('tool_call', 'exit 3', ['shell']),
  entry('tool_result', 'wrong', ['shell', true]),
  entry('answer', 'Done.'),
];
const SESSION = { others: 0, unknown_records: 0, unread_lines: 0, tokens: 3 * 1290 } as CodingSession;

const faultsOf = (entries: readonly SessionEntry[], session: Partial<CodingSession> = {}) =>
  faultsOfLog({ session: { ...SESSION, ...session }, entries }, [SCENE], { countsTokens: true });

test('a session that says what was scripted has no fault', () => {
  expect(faultsOf(READ)).toEqual([]);
});

test.each([
  ['an entry is missing', READ.toSpliced(3, 1)],
  ['one stands there twice', READ.toSpliced(3, 0, READ[2] as SessionEntry)],
  ['another answer', READ.with(6, entry('answer', 'Done!'))],
  ['a failure is not flagged', READ.with(5, entry('tool_result', 'wrong', ['shell', false]))],
  ['what went well is flagged', READ.with(3, entry('tool_result', 'the first one', ['memory_get', true]))],
  ['another tool', READ.with(2, entry('tool_call', 'key: a', ['exec']))],
  ['an unknown record between', READ.toSpliced(4, 0, entry('other', '{}'))],
])('a fault is found: %s', (_, entries) => {
  expect(faultsOf(entries)).not.toEqual([]);
});

test.each([{ tokens: 1290 }, { unknown_records: 1 }, { unread_lines: 1 }])(
  'a fault is found: %j',
  (session) => {
    expect(faultsOf(READ, session)).toHaveLength(1);
  },
);
