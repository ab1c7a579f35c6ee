import { describe, expect, it } from 'vitest';
import { copilot } from './copilot.ts';
import { collect, type Collector } from '../testing/collector.ts';

const FILE = 'session-state/5f1c/events.jsonl';
const T = Date.UTC(2026, 7, 1);

function event(id: string, type: string, data: object) {
  return { id, type, data, timestamp: new Date(T + Number.parseInt(id, 36) * 1000).toISOString() };
}

function read(...lines: (string | object)[]): Collector {
  return collect(copilot, FILE, { lines });
}

describe('Copilot CLI', () => {
  it('its folder is COPILOT_HOME, or .copilot in the home folder; both layouts are sessions', () => {
    expect(copilot.root({}, '/home/ana')).toBe('/home/ana/.copilot');
    expect(copilot.root({ COPILOT_HOME: '/x' }, '/home/ana')).toBe('/x');
    expect(copilot.fileAt(FILE)).toEqual({ kind: 'lines', session: '5f1c' });
    expect(copilot.fileAt('session-state/5f1c.jsonl')).toEqual({ kind: 'lines', session: '5f1c' });
    expect(copilot.fileAt('session-state/5f1c/workspace.yaml')).toEqual({ kind: 'text', session: '5f1c' });
    expect(copilot.fileAt('session-store.db')).toBeUndefined();
  });

  it('prompts, answers, reasoning, calls with results and facts are read', () => {
    const request = {
      toolCallId: 'call_1',
      name: 'edit',
      arguments: '{"path":"/a/b.ts","old_str":"x","new_str":"y"}',
    };
    const collector = read(
      event('1', 'session.start', {
        sessionId: '5f1c',
        copilotVersion: '1.0.2',
        context: { cwd: '/home/ana/app', branch: 'main' },
      }),
      event('2', 'user.message', { content: 'Fix it', transformedContent: '<x>Fix it</x>' }),
      event('3', 'assistant.message', { content: '', reasoningText: 'Hm', toolRequests: [request] }),
      event('4', 'assistant.reasoning', { content: 'Hm' }),
      event('5', 'tool.execution_start', {
        toolCallId: 'call_1',
        toolName: 'edit',
        arguments: { path: '/a/b.ts' },
      }),
      event('6', 'tool.execution_complete', {
        toolCallId: 'call_1',
        success: false,
        error: { message: 'no such text' },
      }),
      event('7', 'user.message', { content: 'Skill text', source: 'skill-review' }),
      event('8', 'assistant.message', { content: 'Done' }),
    );
    const { entries, facts } = collector.session('5f1c');
    expect(entries.map(({ kind, text, byPerson }) => `${kind}: ${text}${byPerson ? ' !' : ''}`)).toEqual([
      'prompt: Fix it !',
      'tool_call: /a/b.ts\n-x\n+y',
      'thinking: Hm',
      'tool_result: no such text',
      'prompt: Skill text',
      'answer: Done',
    ]);
    expect(entries[1]).toMatchObject({
      item: 'call_1',
      files: ['/a/b.ts'],
      tool: { name: 'edit', call: 'call_1' },
    });
    expect(entries[3]).toMatchObject({ item: 'call_1:result', tool: { name: 'edit', failed: true } });
    expect(facts).toEqual({
      folder: '/home/ana/app',
      branch: 'main',
      version: '1.0.2',
      title: { text: 'Fix it', rank: 10 },
    });
  });

  it('tokens are those that the last shutdown tells, which counts what was before the session was resumed', () => {
    const shutdown = (id: string, inputTokens: number, outputTokens: number) =>
      event(id, 'session.shutdown', {
        modelMetrics: { 'gpt-5.6': { requests: { count: 2 }, usage: { inputTokens, outputTokens } } },
      });
    expect(read(shutdown('1', 100, 20), shutdown('2', 150, 30)).session('5f1c').usage).toEqual([
      { item: 'shutdown:gpt-5.6', model: 'gpt-5.6', input: 150, output: 30 },
    ]);
  });

  it('what a subagent does is a session of its own, linked from its result', () => {
    const collector = read(
      event('1', 'subagent.started', { toolCallId: 'call_9', agentName: 'explore' }),
      event('2', 'assistant.message', { content: 'Looking', parentToolCallId: 'call_9' }),
      event('3', 'tool.execution_complete', {
        toolCallId: 'call_9',
        success: true,
        result: { content: 'Found' },
      }),
    );
    expect(collector.session('5f1c:call_9').entries).toMatchObject([{ kind: 'answer', text: 'Looking' }]);
    expect(collector.session('5f1c:call_9').facts.parent).toEqual({ session: '5f1c', kind: 'subagent' });
    expect(collector.session('5f1c').entries).toMatchObject([{ text: 'Found', child: '5f1c:call_9' }]);
  });

  it.each([
    [{ success: true, shellExecution: { exitCode: 3 } }, true],
    [{ success: true, shellExecution: { exitCode: 0 } }, false],
    [{ success: true, shellExecution: { exitCode: 'none' } }, false],
    [{ success: false, shellExecution: { exitCode: 0 } }, true],
  ])('a command that its tool ran well failed where its exit code says so: %j', (outcome, failed) => {
    const result = { toolCallId: 'call_1', result: { content: 'going wrong' }, ...outcome };
    const collector = read(event('1', 'tool.execution_complete', result));
    expect(collector.session('5f1c').entries).toMatchObject([{ kind: 'tool_result', tool: { failed } }]);
  });

  it('titles are those of the workspace file, under a name of the session', () => {
    const collector = read(event('2', 'user.message', { content: 'Fix it' }));
    const file = {
      kind: 'text',
      session: '5f1c',
      path: 'session-state/5f1c/workspace.yaml',
      changedAt: T,
    } as const;
    for (const record of copilot.text?.({ ...file, text: 'id: 5f1c\nsummary: "Fixing it"\n' }) ?? [])
      collector.take(record);
    expect(collector.session('5f1c').facts.title?.text).toBe('Fixing it');
    collector.take(undefined);
    collect(copilot, FILE, {
      lines: [event('3', 'session.title_changed', { title: 'Mine' })],
      into: collector,
    });
    expect(collector.session('5f1c').facts.title?.text).toBe('Mine');
  });

  it('unknown events are entries `other` where somebody speaks, the others are known, and odd lines fail nothing', () => {
    const collector = read(
      event('1', 'holo.deck', { x: 1 }),
      event('4', 'assistant.whisper', { content: 'psst' }),
      event('2', 'session.info', {}),
      event('3', 'assistant.turn_start', {}),
      '{"type":"user.message","data":7}',
      '{"type":"assistant.message","data":{"toolRequests":[7,{}],"content":{"a":1}}}',
      '{"type":"tool.execution_complete","data":{"toolCallId":8}}',
      '{"type":7}',
      '[',
    );
    expect([...collector.types].filter(([, { known }]) => !known).map(([type]) => type)).toEqual([
      'holo.deck',
      'assistant.whisper',
    ]);
    expect(collector.session('5f1c').entries.filter(({ kind }) => kind === 'other')).toMatchObject([
      { item: '4' },
    ]);
    expect(collector.malformed).toBe(2);
  });
});
