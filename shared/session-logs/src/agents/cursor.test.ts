import { describe, expect, it } from 'vitest';
import { cursor } from './cursor.ts';
import { collect, createCollector } from '../testing/collector.ts';

const FILE = 'projects/home-ana-app/agent-transcripts/7d3e/7d3e.jsonl';

function user(text: string) {
  return { role: 'user', message: { content: [{ type: 'text', text }] } };
}

function assistant(...content: object[]) {
  return { role: 'assistant', message: { content } };
}

function readText(text: string) {
  const collector = createCollector();
  const path = 'projects/home-ana-app/agent-transcripts/7d3e.txt';
  for (const record of cursor.text?.({ kind: 'text', session: '7d3e', path, text, changedAt: 77 }) ?? []) {
    collector.take(record);
  }
  return collector;
}

describe('Cursor', () => {
  it.each([
    ['projects/p/agent-transcripts/7d3e.jsonl', { kind: 'lines', session: '7d3e' }],
    [FILE, { kind: 'lines', session: '7d3e' }],
    [
      'projects/p/agent-transcripts/7d3e/subagents/9a.jsonl',
      { kind: 'lines', session: '9a', parent: '7d3e' },
    ],
    ['projects/p/agent-transcripts/7d3e.txt', { kind: 'text', session: '7d3e' }],
    ['chats/0cc1/7d3e/meta.json', { kind: 'text', session: '7d3e' }],
    ['chats/0cc1/7d3e/store.db', undefined],
    ['mcp.json', undefined],
  ])('%s', (path, file) => {
    expect(cursor.root({}, '/home/ana')).toBe('/home/ana/.cursor');
    expect(cursor.fileAt(path)).toEqual(file);
  });

  it('lines are read; equal texts are told apart by how often they came', () => {
    const collector = collect(cursor, FILE, {
      lines: [
        user('<timestamp>Monday</timestamp>\n<user_query>\nGo on\n</user_query>'),
        assistant(
          { type: 'text', text: 'Looking' },
          { type: 'tool_use', name: 'Read', input: { path: '/a/b.ts' } },
        ),
        user('<user_query>Go on</user_query>'),
      ],
    });
    const { entries, facts } = collector.session('7d3e');
    expect(entries.map(({ kind, text }) => `${kind}: ${text}`).sort()).toEqual([
      'answer: Looking',
      'prompt: Go on',
      'prompt: Go on',
      'tool_call: path: /a/b.ts',
    ]);
    expect(entries.find(({ kind }) => kind === 'tool_call')?.files).toEqual(['/a/b.ts']);
    expect(facts.title?.text).toBe('Go on');
  });

  it('a subagent knows its parent, and no person wrote its prompt', () => {
    const path = 'projects/p/agent-transcripts/7d3e/subagents/9a.jsonl';
    const { entries, facts } = collect(cursor, path, { lines: [user('Look')] }).session('9a');
    expect(facts.parent).toEqual({ session: '7d3e', kind: 'subagent' });
    expect(entries).toMatchObject([{ kind: 'prompt', byPerson: false }]);
  });

  it('a text transcript is read by its marks', () => {
    const collector = readText(
      'user:\n<user_query>\nFix it\n</user_query>\n\nassistant:\n[Thinking]Hm\n  more\nLooking\n[Tool call] Read\n  path=/a/b.ts\n[Tool result] Read\n  text of it\nDone\n',
    );
    expect(collector.session('7d3e').entries.every(({ at }) => at === 77)).toBe(true);
    expect(
      collector
        .session('7d3e')
        .entries.map(({ kind, text }) => `${kind}: ${text}`)
        .sort(),
    ).toEqual([
      'answer: Done',
      'answer: Looking',
      'prompt: Fix it',
      'thinking: Hm\nmore',
      'tool_call: path: /a/b.ts',
      'tool_result: text of it',
    ]);
  });

  it('the title is that of the chat', () => {
    const file = { kind: 'text', session: '7d3e', path: 'chats/0cc1/7d3e/meta.json', changedAt: 1 } as const;
    const [record] = cursor.text?.({ ...file, text: '{"schemaVersion":1,"title":"Fixing"}' }) ?? [];
    expect(record?.reads).toMatchObject([{ session: '7d3e', facts: { title: { text: 'Fixing' } } }]);
    expect([...(cursor.text?.({ ...file, text: '{' }) ?? [])]).toEqual([undefined]);
  });

  it('unknown and odd lines fail nothing', () => {
    const lines = [
      '{',
      '7',
      '{}',
      '{"role":"user"}',
      '{"role":"assistant","message":{"content":[7,{"type":8}]}}',
      '{"type":"turn_ended"}',
      '{"role":"oracle","message":{"content":"It will rain"}}',
    ];
    const collector = collect(cursor, FILE, { lines });
    expect(collector.malformed).toBe(2);
    expect(collector.session('7d3e').entries.map(({ kind }) => kind)).toEqual(['other', 'other']);
    expect([...collector.types].filter(([, { known }]) => !known).map(([type]) => type)).toEqual([
      'unnamed',
      'oracle',
    ]);
    expect(readText('no roles at all').session('7d3e').entries).toEqual([]);
  });
});
