import { describe, expect, it } from 'vitest';
import { gemini } from './gemini.ts';
import { collect, type Collector, createCollector } from '../testing/collector.ts';
import {
  GEMINI_FILE,
  GEMINI_SESSION,
  geminiAnswer,
  geminiCall,
  geminiHeader,
  geminiMessage,
  geminiPrompt,
  geminiSet,
} from '../testing/gemini-lines.ts';

const read = (...lines: (string | object)[]): Collector => collect(gemini, GEMINI_FILE, { lines });
const told = (collector: Collector, session = GEMINI_SESSION) =>
  collector.session(session).entries.map(({ item, kind, text, byPerson }) => [item, kind, text, byPerson]);

describe('Gemini CLI', () => {
  it('its folder is .gemini/tmp in the home folder or GEMINI_CLI_HOME; chats and subagents are sessions', () => {
    expect(gemini.root({}, '/home/ana')).toBe('/home/ana/.gemini/tmp');
    expect(gemini.root({ GEMINI_CLI_HOME: '/x' }, '/home/ana')).toBe('/x/.gemini/tmp');
    expect(gemini.fileAt(GEMINI_FILE)).toEqual({ kind: 'lines', folderIn: 'app/.project_root' });
    expect(gemini.fileAt('app/chats/session-2025-11-28T08-18-e381a5b3.json')).toMatchObject({ kind: 'text' });
    expect(gemini.fileAt(`app/chats/${GEMINI_SESSION}/looker-1.jsonl`)).toEqual({
      kind: 'lines',
      session: 'looker-1',
      parent: GEMINI_SESSION,
      folderIn: 'app/.project_root',
    });
    for (const other of ['app/.project_root', 'app/logs.json', 'bin/rg', `${GEMINI_FILE}.tmp-7`])
      expect(gemini.fileAt(other)).toBeUndefined();
  });

  it('prompts, answers, thinking, calls with results and tokens are read, each once', () => {
    const command = geminiCall('fc_1', {
      name: 'run_shell_command',
      args: { command: 'echo no; exit 3' },
      response: { output: '<untrusted_context>\nOutput: no\nExit Code: 3\n</untrusted_context>' },
    });
    const edit = geminiCall('fc_2', {
      name: 'replace',
      args: { file_path: '/home/ana/app/a.txt', old_string: 'x', new_string: 'y' },
      response: { output: 'Replaced' },
    });
    const thoughts = [{ subject: 'Looking', description: 'I look first.' }];
    const collector = read(
      geminiHeader(),
      geminiSet({ messages: [geminiPrompt(1, '<session_context>\nThis is …</session_context>')] }),
      geminiPrompt(2, '<hook_context>A brief</hook_context>\n\nMake it'),
      geminiSet({ lastUpdated: '2026-11-28T08:18:02.000Z' }),
      geminiAnswer(3, 'I will look around.', { thoughts }),
      geminiAnswer(3, 'I will look around.', { thoughts, toolCalls: [command, edit] }),
      geminiMessage(4, 'user', {
        content: [{ functionResponse: { id: 'fc_1', response: { output: 'no' } } }],
      }),
      geminiMessage(5, 'info', { content: 'Update available' }),
      geminiAnswer(6, 'Made.'),
      geminiSet({ summary: 'Making it' }),
    );
    const { entries, usage, facts } = collector.session(GEMINI_SESSION);
    expect(told(collector)).toEqual([
      ['g2', 'prompt', 'Make it', true],
      ['fc_1', 'tool_call', 'echo no; exit 3', false],
      ['fc_2', 'tool_call', '/home/ana/app/a.txt\n-x\n+y', false],
      ['g3', 'answer', 'I will look around.', false],
      ['g3:thinking', 'thinking', 'Looking\nI look first.', false],
      ['g6', 'answer', 'Made.', false],
      ['fc_1:result', 'tool_result', 'Output: no\nExit Code: 3', false],
      ['fc_2:result', 'tool_result', 'Replaced', false],
    ]);
    expect(entries.slice(6).map(({ tool }) => tool)).toEqual([
      { name: 'run_shell_command', call: 'fc_1', failed: true },
      { name: 'replace', call: 'fc_2', failed: false },
    ]);
    expect(usage[0]).toEqual({ item: 'g3', model: 'gemini-2.5-pro', input: 1234, output: 60 });
    expect(facts).toEqual({ title: { text: 'Making it', rank: 30 } });
    expect(collector.malformed).toBe(0);
  });

  it('what sums up is a summary, what the model alone is shown is nothing, and what was rewound is taken back', () => {
    const collector = read(
      geminiHeader(),
      geminiPrompt(1, 'Make it'),
      geminiAnswer(2, 'Made.'),
      geminiSet({
        messages: [
          geminiPrompt(3, '<state_snapshot>They made it.</state_snapshot>'),
          geminiAnswer(4, 'Got it.'),
          geminiPrompt(1, 'Make it, masked'),
        ],
      }),
      geminiPrompt(5, 'And another'),
      geminiAnswer(6, 'No.'),
      { $rewindTo: 'g5' },
      { $rewindTo: 'never' },
      geminiPrompt(7, 'And a third'),
    );
    expect(told(collector)).toEqual([
      ['g1', 'prompt', 'Make it', true],
      ['g2', 'answer', 'Made.', false],
      ['g3', 'summary', 'They made it.', false],
      ['g7', 'prompt', 'And a third', true],
    ]);
  });

  it('the working folder is that of the file beside it; a subagent is linked from its result', () => {
    const path = `app/chats/${GEMINI_SESSION}/looker-1.jsonl`;
    const file = {
      kind: 'lines',
      session: 'looker-1',
      parent: GEMINI_SESSION,
      path,
      folder: '/home/ana/app',
    } as const;
    expect(gemini.lines?.(file).read({ ...geminiHeader(), kind: 'subagent' }, '')?.reads).toEqual([
      {
        session: 'looker-1',
        kind: 'facts',
        facts: { folder: '/home/ana/app', parent: { session: GEMINI_SESSION, kind: 'subagent' } },
      },
    ]);
    const call = geminiCall('fc_1', { name: 'looker', args: {}, response: { output: 'All is well.' } });
    const collector = read(
      geminiHeader(),
      geminiAnswer(1, '', { toolCalls: [{ ...call, agentId: 'looker-1' }] }),
    );
    expect(collector.session(GEMINI_SESSION).entries[1]).toMatchObject({ child: 'looker-1' });
  });

  it('a chat of before is one object with the same messages', () => {
    const collector = createCollector();
    const text = JSON.stringify({
      ...geminiHeader(),
      messages: [geminiPrompt(1, 'Make it'), geminiAnswer(2, 'Made.')],
    });
    const path = GEMINI_FILE.slice(0, -1);
    for (const record of gemini.text?.({ kind: 'text', path, text, changedAt: 1 }) ?? [])
      collector.take(record);
    expect(told(collector)).toEqual([
      ['g1', 'prompt', 'Make it', true],
      ['g2', 'answer', 'Made.', false],
    ]);
    for (const record of gemini.text?.({ kind: 'text', path, text: '{', changedAt: 1 }) ?? [])
      collector.take(record);
    expect(collector.malformed).toBe(1);
  });

  it('unknown records are counted, and are entries `other` where somebody speaks; odd lines fail nothing', () => {
    const collector = read(
      geminiHeader(),
      geminiMessage(1, 'holo_deck', { x: 1 }),
      geminiMessage(2, 'oracle', { role: 'model', content: 'It will rain' }),
      geminiMessage(3, 'gemini', { content: [7], thoughts: 7, toolCalls: [7, {}], tokens: 7 }),
      geminiMessage(4, 'user', { content: 7 }),
      '{"type":7}',
      '[',
    );
    expect([...collector.types].filter(([, { known }]) => !known).map(([type]) => type)).toEqual([
      'holo_deck',
      'oracle',
    ]);
    expect(told(collector).map(([item, kind]) => [item, kind])).toEqual([
      ['g2', 'other'],
      ['g3:call-0', 'tool_call'],
    ]);
    expect(collector.malformed).toBe(2);
  });
});
