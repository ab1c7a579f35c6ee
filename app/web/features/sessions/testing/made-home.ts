import type { CodingSession, SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import type { FakeHome } from './fake-daemon.ts';
import { madeEntry, madeSession, madeTurn, sessionId } from './made-session.ts';
import { madeSource } from './made-source.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const ASKED = [
  'Why does Halden get every webhook twice since Tuesday?',
  'Then give each delivery an idempotency key, and wait as long as their slowest receiver needs. Mira says that is 12 seconds.',
  'Write the release note for it. Two sentences, for people who do not read code.',
  'One more thing: the dashboard counts attempts as deliveries.',
] as const;

/** A live session of a few turns, which two people read. */
export const LIVE = sessionId(1);
/** A long one, of `LONG_ENTRIES` entries. */
export const LONG = sessionId(2);
export const LONG_ENTRIES = 10_000;

const people: CodingSession['participants'] = [
  { id: 'p_me', name: 'Ada', role: 'owner', online: true, self: true },
  { id: 'p_grace', name: 'Grace Hopper', role: 'editor', online: true, self: false },
  { id: 'p_mira', name: 'Mira', role: 'viewer', online: false, self: false },
];

/** A home as a person has one after some days, its times counted back from `now`. */
export function madeHome(now: number): Partial<FakeHome> {
  const ago = (ms: number) => new Date(now - ms).toISOString();
  const turns = (count: number) =>
    Array.from({ length: count }, (_, at) => madeTurn(at * 11 + 1, ASKED[at % ASKED.length] ?? '')).flat();
  const live = [
    ...turns(ASKED.length),
    madeEntry(60, 'summary', { text: 'The retry is ours. **Decided**: idempotency keys, 15 s timeout.' }),
    madeEntry(61, 'tool_call', {
      text: JSON.stringify({ description: 'Look for other places that retry', prompt: 'Find retries' }),
      tool: { name: 'Task', call: 'call-61', failed: null },
      child: sessionId(11),
    }),
    madeEntry(62, 'other', { text: '{"type":"queue-operation","operation":"enqueue"}' }),
  ];
  live.push(
    madeEntry(63, 'note', {
      text: 'This is what Halden saw, too. I would keep **15 seconds**.',
      reply_to: 'e_11',
      author: { id: 'p_grace', name: 'Grace Hopper', agent: null },
    }),
  );
  const long: SessionEntry[] = turns(Math.ceil(LONG_ENTRIES / 11)).slice(0, LONG_ENTRIES);
  const subagent = (of: string) => ({ id: of, kind: 'subagent' as const });
  const sessions = [
    madeSession(1, {
      title: 'Webhooks that are sent twice',
      status: 'live',
      branch: 'fix/idempotent-deliveries',
      participants: people,
      shared: true,
      tokens: 1_240_000,
      updated_at: ago(20_000),
    }),
    madeSession(2, {
      title: 'Move the billing tables to the new schema without an hour of downtime',
      agent: 'codex',
      models: ['gpt-5.4-codex'],
      tokens: 23_400_000,
      updated_at: ago(3 * HOUR_MS),
      status: 'idle',
    }),
    madeSession(3, { title: 'Fix the flaky login test', project: 'mira', updated_at: ago(4 * HOUR_MS) }),
    madeSession(4, {
      title: 'Try another queue',
      project: 'mira',
      agent: 'opencode',
      updated_at: ago(26 * HOUR_MS),
    }),
    madeSession(5, {
      title: 'Look at the logs',
      project: null,
      branch: null,
      tokens: 0,
      updated_at: ago(50 * HOUR_MS),
      parent: { id: sessionId(3), kind: 'continuation' },
    }),
    madeSession(11, {
      title: 'Look for other places that retry',
      updated_at: ago(60_000),
      parent: subagent(LIVE),
    }),
    madeSession(12, {
      title: 'Read the receiver’s documentation',
      updated_at: ago(90_000),
      parent: subagent(LIVE),
    }),
    madeSession(13, { title: 'Check the migration', updated_at: ago(3 * HOUR_MS), parent: subagent(LONG) }),
    ...Array.from({ length: 120 }, (_, at) =>
      madeSession(100 + at, {
        title: `Small change number ${at + 1}`,
        project: ['halden', 'mira', 'reverie'][at % 3] ?? null,
        updated_at: ago((60 + at * 5) * HOUR_MS),
        entries: 20 + at,
      }),
    ),
  ];
  return {
    sessions,
    entries: new Map([
      [LIVE, live],
      [LONG, long],
      [sessionId(11), turns(1)],
    ]),
    shares: new Map([
      [
        LIVE,
        {
          from: 'start',
          waiting: 2,
          invites: [
            {
              id: 'inv_1',
              role: 'editor',
              created_at: ago(HOUR_MS),
              expires_at: new Date(now + 5 * 24 * HOUR_MS).toISOString(),
            },
          ],
        },
      ],
    ]),
    preview: {
      entries: 44,
      bytes: 61_440,
      redactions: 4,
      by_rule: [
        { rule: 'aws', count: 3, is_new: false },
        { rule: 'jwt', count: 1, is_new: true },
      ],
      withheld: 1,
      approved: false,
      session: {
        title: ASKED[0],
        project: 'halden/api',
        branch: 'twice',
        agent: 'claude-code',
        models: ['opus'],
      },
      sample: [
        {
          id: 'e_1',
          at: ago(HOUR_MS),
          kind: 'prompt',
          text: ASKED[0],
          redactions: 0,
          author: { id: 'person', name: 'ada', agent: null },
          tool: null,
          files: [],
        },
        {
          id: 'e_9',
          at: ago(HOUR_MS),
          kind: 'tool_result',
          author: { id: 'claude-code', name: 'Claude Code', agent: 'claude-code' },
          tool: 'Bash',
          files: ['src/webhooks.ts'],
          text: 'AWS_SECRET_ACCESS_KEY=[REDACTED:aws]\nAuthorization: Bearer [REDACTED:jwt]\nHTTP/1.1 200 OK',
          redactions: 2,
        },
      ],
    },
    sources: madeSources(ago(30 * HOUR_MS)),
    formats: {
      formats: [
        ['claude-code', '2.4.1', 'assistant', true, 18_204],
        ['claude-code', '2.4.1', 'user', true, 9_120],
        ['claude-code', '2.4.1', 'queue-operation', false, 12],
        ['codex', '0.61.0', 'response_item', true, 4_410],
      ].map(([agent, version, record, known, count]) => ({
        agent: String(agent),
        version: String(version),
        record: String(record),
        known: known === true,
        count: Number(count),
        first_at: ago(90 * HOUR_MS),
        last_at: ago(MINUTE_MS),
      })),
      malformed: [{ agent: 'codex', lines: 3 }],
    },
  };
}

function madeSources(agreedAt: string): FakeHome['sources'] {
  return [
    madeSource('claude-code', {
      name: 'Claude Code',
      enabled: true,
      enabled_at: agreedAt,
      state: { kind: 'following' },
      memory: [
        {
          path: '/home/ada/halden/CLAUDE.md',
          what: 'instructions of the project',
          followed: false,
          follow: { path: '/home/ada/halden', format: 'agent-files', namespace: 'project/halden' },
        },
        {
          path: '/home/ada/.claude/projects/-home-ada-halden/memory',
          what: 'its own memory',
          follow: {
            path: '/home/ada/.claude/projects/-home-ada-halden/memory',
            format: 'claude-code',
            namespace: 'project/halden',
          },
          followed: true,
        },
      ],
    }),
    madeSource('codex', {
      name: 'Codex',
      enabled: true,
      enabled_at: agreedAt,
      state: { kind: 'reading', done: 130_000_000, of: 412_000_000 },
    }),
    madeSource('opencode', { name: 'opencode', sessions: 1, bytes: 8_400_000, sample: ['opencode.db'] }),
    madeSource('copilot', {
      name: 'Copilot CLI',
      state: { kind: 'failed', reason: 'The folder cannot be read: EACCES' },
      enabled: true,
    }),
    madeSource('cursor', { name: 'Cursor', found: false, sessions: 0, bytes: 0, sample: [] }),
  ];
}
