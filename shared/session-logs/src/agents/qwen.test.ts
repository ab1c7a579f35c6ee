import { describe, expect, it } from 'vitest';
import { qwen } from './qwen.ts';
import { collect, type Collector } from '../testing/collector.ts';
import {
  QWEN_FILE,
  QWEN_SESSION,
  qwenAnswer,
  qwenLine,
  qwenPrompt,
  qwenResult,
  qwenSystem,
} from '../testing/qwen-lines.ts';

const read = (...lines: (string | object)[]): Collector => collect(qwen, QWEN_FILE, { lines });
const told = (collector: Collector, session = QWEN_SESSION) =>
  collector.session(session).entries.map(({ item, kind, text, byPerson }) => [item, kind, text, byPerson]);

describe('Qwen Code', () => {
  it('its folder is QWEN_HOME, or .qwen in the home folder; chats and subagents are sessions', () => {
    expect(qwen.root({}, '/home/ana')).toBe('/home/ana/.qwen');
    expect(qwen.root({ QWEN_HOME: '/x' }, '/home/ana')).toBe('/x');
    expect(qwen.fileAt(QWEN_FILE)).toEqual({ kind: 'lines', session: QWEN_SESSION });
    expect(qwen.fileAt(`projects/-home-ana-app/subagents/${QWEN_SESSION}/agent-looker.jsonl`)).toEqual({
      kind: 'lines',
      session: 'agent-looker',
      parent: QWEN_SESSION,
    });
    for (const other of ['usage/token-usage.jsonl', 'projects/-home-ana-app/meta.json', 'settings.json'])
      expect(qwen.fileAt(other)).toBeUndefined();
  });

  it('prompts, answers, thinking, calls with results, tokens and facts are read', () => {
    const collector = read(
      qwenPrompt(1, 'Make it'),
      qwenSystem(2, 'attribution_snapshot', { snapshot: {} }),
      qwenSystem(3, 'ui_telemetry', {
        uiEvent: { 'event.name': 'qwen-code.api_response', response_text: 'x' },
      }),
      qwenAnswer(4, [
        { text: 'I look first.', thought: true },
        { text: 'I will look around.' },
        { functionCall: { id: 'call_1', name: 'run_shell_command', args: { command: 'ls; exit 3' } } },
        {
          functionCall: {
            id: 'call_2',
            name: 'tool_call',
            args: { name: 'mcp__reverie__memory_get', arguments: { key: 'from-agent' } },
          },
        },
      ]),
      qwenResult(5, { id: 'call_1', response: { error: 'Exit Code: 3' }, status: 'error' }),
      qwenResult(6, { id: 'call_2', response: { output: 'Deploys happen on Tuesdays.' } }),
      qwenSystem(7, 'custom_title', { customTitle: 'Making it', titleSource: 'auto' }),
    );
    const { entries, usage, facts } = collector.session(QWEN_SESSION);
    expect(told(collector)).toEqual([
      ['q1', 'prompt', 'Make it', true],
      ['call_1', 'tool_call', 'ls; exit 3', false],
      ['call_2', 'tool_call', 'key: from-agent', false],
      ['q4', 'thinking', 'I look first.', false],
      ['q4:1', 'answer', 'I will look around.', false],
      ['call_1:result', 'tool_result', 'Exit Code: 3', false],
      ['call_2:result', 'tool_result', 'Deploys happen on Tuesdays.', false],
    ]);
    expect(entries.slice(5).map(({ tool }) => tool)).toEqual([
      { name: 'run_shell_command', call: 'call_1', failed: true },
      { name: 'mcp__reverie__memory_get', call: 'call_2', failed: false },
    ]);
    expect(usage).toEqual([{ item: 'q4', model: 'fake-model', input: 1234, output: 60 }]);
    expect(facts).toEqual({
      folder: '/home/ana/app',
      branch: 'main',
      version: '0.24.4',
      title: { text: 'Making it', rank: 30 },
    });
    expect([...collector.types].filter(([, { known }]) => !known)).toEqual([]);
  });

  it('what the program says in a person’s place is theirs only where they typed it', () => {
    const collector = read(
      qwenPrompt(1, 'A task ended: …', {
        subtype: 'notification',
        systemPayload: { displayText: 'A task ended' },
      }),
      qwenPrompt(2, 'wrapped: and the tests', {
        subtype: 'mid_turn_user_message',
        systemPayload: { displayText: 'and the tests' },
      }),
    );
    expect(told(collector)).toEqual([
      ['q1', 'prompt', 'A task ended', false],
      ['q2', 'prompt', 'and the tests', true],
    ]);
  });

  it('what sums up is a summary, and what was rewound is taken back', () => {
    const compressedHistory = [
      { role: 'user', parts: [{ text: '<state_snapshot>They made it.</state_snapshot>\n\nGo on.' }] },
      { role: 'model', parts: [{ text: 'Got it.' }] },
    ];
    const collector = read(
      qwenPrompt(1, 'Make it'),
      qwenAnswer(2, [{ text: 'Made.' }]),
      qwenSystem(3, 'chat_compression', { compressedHistory }),
      qwenPrompt(4, 'And another'),
      qwenAnswer(5, [{ text: 'No.' }]),
      { ...qwenSystem(6, 'rewind'), parentUuid: 'q3' },
      { ...qwenPrompt(7, 'And a third'), parentUuid: 'q6' },
    );
    expect(told(collector)).toEqual([
      ['q1', 'prompt', 'Make it', true],
      ['q2', 'answer', 'Made.', false],
      ['q3', 'summary', 'They made it.', false],
      ['q7', 'prompt', 'And a third', true],
    ]);
    expect(told(read(qwenPrompt(1, 'Make it'), { ...qwenSystem(2, 'rewind'), parentUuid: null }))).toEqual(
      [],
    );
  });

  it('a subagent is a session of its own, whose prompts an agent wrote', () => {
    const file = `projects/-home-ana-app/subagents/${QWEN_SESSION}/agent-looker.jsonl`;
    const collector = collect(qwen, file, {
      lines: [qwenPrompt(1, 'Look around'), qwenAnswer(2, [{ text: 'All is well.' }])],
    });
    expect(collector.session('agent-looker').facts.parent).toEqual({
      session: QWEN_SESSION,
      kind: 'subagent',
    });
    expect(told(collector, 'agent-looker')).toEqual([
      ['q1', 'prompt', 'Look around', false],
      ['q2', 'answer', 'All is well.', false],
    ]);
  });

  it('unknown records are counted, and are entries `other` where somebody speaks; odd lines fail nothing', () => {
    const collector = read(
      qwenSystem(1, 'holo_deck', { x: 1 }),
      qwenLine(2, 'oracle', { message: { role: 'oracle', content: 'It will rain' } }),
      qwenLine(3, 'assistant', { message: 7, usageMetadata: 7 }),
      qwenLine(4, 'tool_result', { message: { parts: [7, {}, { functionResponse: { response: 7 } }] } }),
      '{"type":7}',
      '[',
    );
    expect([...collector.types].filter(([, { known }]) => !known).map(([type]) => type)).toEqual([
      'system/holo_deck',
      'oracle',
    ]);
    expect(told(collector).map(([item, kind]) => [item, kind])).toEqual([
      ['q2', 'other'],
      ['q4:1', 'tool_result'],
    ]);
    expect(collector.malformed).toBe(2);
  });
});
