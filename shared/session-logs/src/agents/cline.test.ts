import { describe, expect, it } from 'vitest';
import { cline } from './cline.ts';
import { createCollector, type Collector } from '../testing/collector.ts';

const SESSION = '1795980937172_6otkx';
const T = Date.UTC(2026, 10, 29, 19, 35);

const message = (n: number, role: string, content: unknown) => ({
  id: `m${n}`,
  role,
  content,
  ts: T + n * 1000,
});
const result = (id: string, content: unknown) => [
  { type: 'tool_result', tool_use_id: id, name: 'run_commands', content },
];

function read(below: string, text: string, into: Collector = createCollector()): Collector {
  for (const record of cline.text?.({ kind: 'text', session: SESSION, path: below, text, changedAt: 1 }) ??
    [])
    into.take(record);
  return into;
}
const readMessages = (...messages: unknown[]) =>
  read(`${SESSION}/${SESSION}.messages.json`, JSON.stringify({ version: 1, agent: 'lead', messages }));

describe('Cline', () => {
  it('its folder is that of its own variables, or below .cline in the home folder', () => {
    expect(cline.root({}, '/home/ana')).toBe('/home/ana/.cline/data/sessions');
    expect(cline.root({ CLINE_DIR: '/x' }, '/home/ana')).toBe('/x/data/sessions');
    expect(cline.root({ CLINE_SESSION_DATA_DIR: '/y', CLINE_DIR: '/x' }, '/home/ana')).toBe('/y');
    for (const name of ['', '.messages'])
      expect(cline.fileAt(`${SESSION}/${SESSION}${name}.json`)).toEqual({ kind: 'text', session: SESSION });
    expect(cline.fileAt(`${SESSION}/other.json`)).toBeUndefined();
  });

  it('prompts, answers, thinking, calls with results, tokens and facts are read', () => {
    const collector = readMessages(
      message(1, 'user', [{ type: 'text', text: '<user_input mode="act">Make it</user_input>' }]),
      {
        ...message(2, 'assistant', [
          { type: 'thinking', thinking: 'I look first.' },
          { type: 'text', text: 'I will look around.' },
          { type: 'tool_use', id: 'call_1', name: 'run_commands', input: { commands: ['ls', 'exit 3'] } },
          {
            type: 'tool_use',
            id: 'call_2',
            name: 'read_files',
            input: { files: [{ path: '/home/ana/app/a.txt' }] },
          },
          {
            type: 'tool_use',
            id: 'call_3',
            name: 'editor',
            input: { path: '/a.txt', old_text: 'x', new_text: 'y' },
          },
          { type: 'tool_use', id: 'call_4', name: 'reverie__memory_get', input: { key: 'from-agent' } },
        ]),
        modelInfo: { id: 'fake-model' },
        metrics: { inputTokens: 1000, outputTokens: 56, cacheReadTokens: 200, cacheWriteTokens: 34 },
      },
      message(
        3,
        'user',
        result('call_1', [{ query: 'ls', result: 'no\n', error: 'exited with 3', success: false }]),
      ),
      message(4, 'user', result('call_2', '{"query":"/a","result":"1 | line","success":true}')),
      message(5, 'user', result('call_4', '{"content":[{"type":"text","text":"Deploys."}]}')),
    );
    const { entries, usage } = collector.session(SESSION);
    expect(entries.map(({ item, kind, text, byPerson }) => [item, kind, text, byPerson])).toEqual([
      ['m1', 'prompt', 'Make it', true],
      ['call_1', 'tool_call', 'ls\nexit 3', false],
      ['call_2', 'tool_call', 'files: [{"path":"/home/ana/app/a.txt"}]', false],
      ['call_3', 'tool_call', '/a.txt\n-x\n+y', false],
      ['call_4', 'tool_call', 'key: from-agent', false],
      ['m2', 'thinking', 'I look first.', false],
      ['m2:1', 'answer', 'I will look around.', false],
      ['call_1:result', 'tool_result', 'no\n', false],
      ['call_2:result', 'tool_result', '1 | line', false],
      ['call_4:result', 'tool_result', 'Deploys.', false],
    ]);
    expect(entries[2]?.files).toEqual(['/home/ana/app/a.txt']);
    expect(entries.slice(7).map(({ tool }) => tool?.failed)).toEqual([true, false, false]);
    expect(usage).toEqual([{ item: 'm2', model: 'fake-model', input: 1234, output: 56 }]);
    const described = {
      cwd: '/home/ana/app',
      metadata: { git: { branch: 'main' }, sessionHistoryOrigin: { version: '3.0.65' }, title: 'x' },
    };
    read(`${SESSION}/${SESSION}.json`, JSON.stringify(described), collector);
    expect(collector.session(SESSION).facts).toEqual({
      folder: '/home/ana/app',
      branch: 'main',
      version: '3.0.65',
      title: { text: 'Make it', rank: 10 },
    });
  });

  it('what is written anew ends in the same entries, and odd messages fail nothing', () => {
    const odd = [
      message(1, 'oracle', 'It will rain'),
      message(2, 'user', 'Plain'),
      message(3, 'assistant', [7, {}, { type: 'tool_use' }, { type: 'tool_result', content: 7 }]),
      message(4, 'user', 7),
      { role: 7 },
      7,
    ];
    const collector = readMessages(...odd);
    expect(collector.session(SESSION).entries.map(({ item, kind }) => [item, kind])).toEqual([
      ['m1', 'other'],
      ['m2', 'prompt'],
      ['m3', 'other'],
      ['m3:1', 'tool_call'],
      ['m3:2', 'tool_result'],
    ]);
    expect(collector.malformed).toBe(2);
    expect([...collector.types].filter(([, { known }]) => !known).map(([type]) => type)).toEqual(['oracle']);
    const before = collector.session(SESSION).entries;
    read(`${SESSION}/${SESSION}.messages.json`, JSON.stringify({ messages: odd }), collector);
    expect(collector.session(SESSION).entries).toEqual(before);
    expect(read(`${SESSION}/${SESSION}.json`, '{').malformed).toBe(1);
  });
});
