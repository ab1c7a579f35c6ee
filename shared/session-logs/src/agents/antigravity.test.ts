import { describe, expect, it } from 'vitest';
import { antigravity } from './antigravity.ts';
import { collect } from '../testing/collector.ts';

const ID = '0b7e0000-0000-4000-8000-000000000001';
const FILE = `antigravity-cli/brain/${ID}/.system_generated/logs/transcript.jsonl`;

function step(index: number, source: string, { type, ...fields }: { type: string; [name: string]: unknown }) {
  return {
    step_index: index,
    source,
    type,
    status: 'DONE',
    created_at: new Date(Date.UTC(2026, 8, 1, 0, 0, index)).toISOString(),
    ...fields,
  };
}

describe('Antigravity', () => {
  it.each([
    [FILE, { kind: 'lines', session: ID }],
    [`antigravity/brain/${ID}/.system_generated/logs/transcript.jsonl`, { kind: 'lines', session: ID }],
    [`antigravity/brain/${ID}/task.md`, { kind: 'text', session: ID }],
    ['antigravity-cli/history.jsonl', { kind: 'lines' }],
    [`antigravity-cli/conversations/${ID}.db`, undefined],
    [`antigravity-cli/conversations/${ID}.pb`, undefined],
    [`antigravity/brain/${ID}/task.md.metadata.json`, undefined],
    ['GEMINI.md', undefined],
  ])('%s', (path, file) => {
    expect(antigravity.root({}, '/home/ana')).toBe('/home/ana/.gemini');
    expect(antigravity.fileAt(path)).toEqual(file);
  });

  it('steps of the transcript are prompts, answers, thinking, calls and results', () => {
    const collector = collect(antigravity, FILE, {
      lines: [
        step(0, 'USER_EXPLICIT', {
          type: 'USER_INPUT',
          content: '<USER_REQUEST>\nFix it\n</USER_REQUEST>\n<META>x</META>',
        }),
        step(1, 'SYSTEM', { type: 'CONVERSATION_HISTORY', content: 'earlier' }),
        step(2, 'MODEL', {
          type: 'PLANNER_RESPONSE',
          content: 'Looking',
          thinking: 'Hm',
          tool_calls: [{ name: 'view_file', args: { AbsolutePath: '/a/b.ts' } }],
        }),
        step(3, 'MODEL', { type: 'VIEW_FILE', content: 'text of it' }),
        step(4, 'MODEL', { type: 'RUN_COMMAND', content: 'exit 1', status: 'ERROR' }),
      ],
    });
    const { entries, facts } = collector.session(ID);
    expect(entries.map(({ item, kind, text }) => [item, kind, text])).toEqual([
      ['step-0', 'prompt', 'Fix it'],
      ['step-2', 'answer', 'Looking'],
      ['step-2:call-0', 'tool_call', 'AbsolutePath: /a/b.ts'],
      ['step-2:thinking', 'thinking', 'Hm'],
      ['step-3', 'tool_result', 'text of it'],
      ['step-4', 'tool_result', 'exit 1'],
    ]);
    expect(entries[2]?.files).toEqual(['/a/b.ts']);
    expect(entries[5]?.tool).toEqual({ name: 'run_command', failed: true });
    expect(facts.title?.text).toBe('Fix it');
  });

  it('the working folder is that of the history', () => {
    const line = { display: 'Fix it', timestamp: 1, workspace: '/home/ana/app', conversationId: ID };
    const collector = collect(antigravity, 'antigravity-cli/history.jsonl', {
      lines: [line, { display: 'x' }, '['],
    });
    expect(collector.session(ID).facts).toEqual({ folder: '/home/ana/app' });
    expect(collector.malformed).toBe(1);
  });

  it('a document is one entry, whose newest state stands', () => {
    const file = { kind: 'text', session: ID, path: `antigravity/brain/${ID}/task.md` } as const;
    const items = ['- [ ] one', '- [x] one'].flatMap((text, n) => [
      ...(antigravity.text?.({ ...file, text, changedAt: n }) ?? []),
    ]);
    expect(items.map((record) => record?.reads)).toMatchObject([
      [{ session: ID, entry: { item: 'document-task.md', text: '- [ ] one' } }],
      [{ session: ID, entry: { item: 'document-task.md', text: '- [x] one' } }],
    ]);
  });

  it('unknown sources are entries `other` where they say something, and odd lines fail nothing', () => {
    const lines = [
      step(0, 'ORACLE', { type: 'X', content: 'It will rain' }),
      step(2, 'TELEMETRY', { type: 'X', bytes: 7 }),
      '{"source":7}',
      '{}',
      '[',
      step(1, 'MODEL', { type: 'PLANNER_RESPONSE', content: 7, tool_calls: [7, {}] }),
    ];
    const collector = collect(antigravity, FILE, { lines });
    expect(collector.malformed).toBe(3);
    expect(collector.session(ID).entries.map(({ kind }) => kind)).toEqual(['other', 'tool_call']);
    expect([...collector.types].filter(([, { known }]) => !known).map(([type]) => type)).toEqual([
      'ORACLE/X',
      'TELEMETRY/X',
    ]);
  });
});
