import { describe, expect, it } from 'vitest';
import { pi } from './pi.ts';
import { collect, type Collector } from '../testing/collector.ts';
import { PI_FILE, PI_SESSION, piHeader, piLine, piMessage } from '../testing/pi-lines.ts';

const read = (...lines: (string | object)[]): Collector => collect(pi, PI_FILE, { lines });

describe('pi', () => {
  it('its folder is that of its own variables, or .pi in the home folder', () => {
    expect(pi.root({}, '/home/ana')).toBe('/home/ana/.pi/agent/sessions');
    expect(pi.root({ PI_CODING_AGENT_DIR: '/x' }, '/home/ana')).toBe('/x/sessions');
    expect(pi.root({ PI_CODING_AGENT_SESSION_DIR: '/y' }, '/home/ana')).toBe('/y');
    expect(pi.fileAt(PI_FILE)).toEqual({ kind: 'lines', session: PI_SESSION });
    expect(pi.fileAt('2026-11-28T08-21-26-145Z_mine.jsonl')).toEqual({ kind: 'lines', session: 'mine' });
    expect(pi.fileAt('--home-ana--/notes.md')).toBeUndefined();
  });

  it('prompts, answers, thinking, calls with results, tokens and facts are read', () => {
    const collector = read(
      piHeader(),
      piLine('1', 'model_change', { provider: 'fake', modelId: 'fake-model' }),
      piMessage('2', { role: 'system', content: '', sections: { preamble: 'You are …' } }),
      piMessage('3', { role: 'user', content: [{ type: 'text', text: 'Make it' }] }),
      piLine('4', 'custom_message', { customType: 'reverie', content: 'A brief', display: false }),
      piMessage('5', {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I look first.' },
          { type: 'text', text: 'I will look around.' },
          { type: 'toolCall', id: 'call_1', name: 'bash', arguments: { command: 'ls; exit 3' } },
          {
            type: 'toolCall',
            id: 'call_2',
            name: 'edit',
            arguments: { path: '/home/ana/app/a.txt', edits: [{ oldText: 'x', newText: 'y' }] },
          },
        ],
        model: 'fake-model',
        usage: { input: 1000, output: 56, cacheRead: 200, cacheWrite: 34 },
        stopReason: 'toolUse',
      }),
      piMessage('6', {
        role: 'toolResult',
        toolCallId: 'call_1',
        toolName: 'bash',
        content: [{ type: 'text', text: 'README.md' }],
        isError: true,
      }),
      piMessage('7', {
        role: 'toolResult',
        toolCallId: 'call_2',
        toolName: 'edit',
        content: [{ type: 'text', text: 'Replaced' }],
        isError: false,
      }),
      piLine('8', 'session_info', { name: 'Making it' }),
    );
    const { entries, usage, facts } = collector.session(PI_SESSION);
    expect(entries.map(({ item, kind, text, byPerson }) => [item, kind, text, byPerson])).toEqual([
      ['3', 'prompt', 'Make it', true],
      ['5', 'thinking', 'I look first.', false],
      ['5:1', 'answer', 'I will look around.', false],
      ['call_1', 'tool_call', 'ls; exit 3', false],
      ['call_2', 'tool_call', '/home/ana/app/a.txt\n-x\n+y', false],
      ['call_1:result', 'tool_result', 'README.md', false],
      ['call_2:result', 'tool_result', 'Replaced', false],
    ]);
    expect(entries[4]?.files).toEqual(['/home/ana/app/a.txt']);
    expect(entries.slice(5).map(({ tool }) => tool)).toEqual([
      { name: 'bash', call: 'call_1', failed: true },
      { name: 'edit', call: 'call_2', failed: false },
    ]);
    expect(usage).toEqual([{ item: '5', model: 'fake-model', input: 1234, output: 56 }]);
    expect(facts).toEqual({ folder: '/home/ana/app', title: { text: 'Making it', rank: 50 } });
    expect([...collector.types].filter(([, { known }]) => !known)).toEqual([]);
  });

  it('summaries, a command of the person, and what an extension shows are read; a fork names its parent', () => {
    const collector = read(
      piHeader({ parentSession: `C:\\pi\\2026-11-28T08-00-00-000Z_earlier.jsonl` }),
      piLine('1', 'compaction', { summary: 'They made it.', firstKeptEntryId: '1', tokensBefore: 7 }),
      piLine('2', 'branch_summary', { summary: 'Tried another way.', fromId: '1' }),
      piMessage('3', { role: 'bashExecution', command: 'git status', output: 'clean', exitCode: 0 }),
      piLine('4', 'custom_message', { customType: 'mine', content: 'Look at this', display: true }),
    );
    const { entries, facts } = collector.session(PI_SESSION);
    expect(facts.parent).toEqual({ session: 'earlier', kind: 'fork' });
    expect(entries.map(({ kind, text, byPerson }) => [kind, text, byPerson])).toEqual([
      ['summary', 'They made it.', false],
      ['summary', 'Tried another way.', false],
      ['tool_call', 'git status', true],
      ['tool_result', 'clean', false],
      ['prompt', 'Look at this', false],
    ]);
  });

  it('unknown records are counted, and are entries `other` where somebody speaks; odd lines fail nothing', () => {
    const collector = read(
      piHeader(),
      piLine('1', 'holo_deck', { x: 1 }),
      piMessage('2', { role: 'oracle', content: 'It will rain' }),
      piMessage('3', { role: 'assistant', content: [7, {}, { type: 'toolCall' }], usage: 7 }),
      piMessage('4', { role: 'toolResult', content: 7 }),
      '{"type":7}',
      '[',
    );
    expect([...collector.types].filter(([, { known }]) => !known).map(([type]) => type)).toEqual([
      'holo_deck',
      'message/oracle',
    ]);
    expect(collector.session(PI_SESSION).entries.filter(({ kind }) => kind === 'other')).toMatchObject([
      { item: '2', text: expect.stringContaining('It will rain') as string },
      { item: '3' },
    ]);
    expect(collector.malformed).toBe(2);
  });
});
