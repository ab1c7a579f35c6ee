import { describe, expect, it } from 'vitest';
import {
  CODEX_FILE,
  CODEX_SESSION,
  CODEX_START,
  codexTime,
  completedLine,
  contextLine,
  eventLine,
  itemLine,
  legacyAnswer,
  legacyCommand,
  legacyPrompt,
  messageLine,
  metaLine,
  migrated,
  scriptLines,
} from '../../testing/codex-lines.ts';
import { type Collector, collect, createCollector, readerOf } from '../../testing/collector.ts';
import { codex } from './codex.ts';

function read(...lines: (string | object)[]): Collector {
  return collect(codex, CODEX_FILE, { lines });
}

function said(collector: Collector, id?: string): string[] {
  return collector.session(id).entries.map((entry) => `${entry.kind}: ${entry.text}`);
}

/** A UUID of version 7 that was made so many seconds after the session began. */
function turnId(second: number): string {
  const hex = (CODEX_START + second * 1000).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`;
}

describe('where sessions of Codex are', () => {
  it('its folder is CODEX_HOME, or .codex in the home folder', () => {
    expect(codex.root({}, '/home/ana')).toBe('/home/ana/.codex');
    expect(codex.root({ CODEX_HOME: '/srv/codex' }, '/home/ana')).toBe('/srv/codex');
  });

  it.each([
    [CODEX_FILE, { kind: 'lines', session: CODEX_SESSION }],
    [`${CODEX_FILE}.zst`, { kind: 'lines.zst', session: CODEX_SESSION }],
    [
      `archived_sessions/rollout-2026-08-15T14-00-00-${CODEX_SESSION}.jsonl`,
      { kind: 'lines', session: CODEX_SESSION },
    ],
    ['session_index.jsonl', { kind: 'lines' }],
    ['state_5.sqlite', { kind: 'database' }],
    ['thread_history_1.sqlite', { kind: 'database' }],
    ['state_5.sqlite-wal', undefined],
    ['history.jsonl', undefined],
    ['logs_2.sqlite', undefined],
    ['config.toml', undefined],
    ['sessions/2026/08/15/notes.jsonl', undefined],
  ])('%s', (path, file) => {
    expect(codex.fileAt(path)).toEqual(file);
  });
});

describe('two logs in one file', () => {
  it('each text stands in both, and is one entry, whichever comes first', () => {
    const answer = legacyAnswer('Done.');
    const once = ['prompt: Add rate limiting', 'answer: Done.'];
    expect(said(read(metaLine(), ...legacyPrompt('Add rate limiting'), ...answer))).toEqual(once);
    expect(said(read(metaLine(), ...legacyPrompt('Add rate limiting'), ...answer.toReversed()))).toEqual(
      once,
    );
  });

  it('what is said twice is two entries', () => {
    const collector = read(
      metaLine(),
      ...legacyPrompt('Go on', 1),
      ...legacyAnswer('Done.', 2),
      ...legacyPrompt('Go on', 3),
      ...legacyAnswer('Done.', 4),
    );
    expect(said(collector)).toEqual(['prompt: Go on', 'answer: Done.', 'prompt: Go on', 'answer: Done.']);
  });

  it('what was injected is no prompt, neither as user nor as developer', () => {
    const injected = [
      '<environment_context>\n<cwd>/x</cwd></environment_context>',
      '<user_instructions>x</user_instructions>',
      '<permissions instructions>x</permissions instructions>',
      '<collaboration_mode>x</collaboration_mode>',
      '# AGENTS.md instructions for /x',
    ];
    const collector = read(
      metaLine(),
      ...injected.map((text) => messageLine('user', text)),
      messageLine('developer', 'Be brief.'),
      ...injected.map((message) => eventLine('user_message', { message })),
      ...legacyPrompt(
        '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nFix it',
      ),
    );
    expect(said(collector)).toEqual(['prompt: Fix it']);
  });

  it('images stand as their kind and size, or their place', () => {
    const images = [`data:image/png;base64,${'A'.repeat(16)}`];
    const event = eventLine('user_message', { message: 'Look', images, local_images: ['/tmp/a.png'] });
    expect(said(read(metaLine(), event))).toEqual([
      'prompt: Look\n[image/png, 12 bytes]\n[image, /tmp/a.png]',
    ]);
  });

  it('commentary on the way to an answer is thinking', () => {
    const commentary = {
      role: 'assistant',
      phase: 'commentary',
      content: [{ type: 'output_text', text: 'Looking' }],
    };
    const answer = { ...commentary, phase: 'final_answer', content: [{ type: 'output_text', text: 'Done' }] };
    expect(said(read(metaLine(), itemLine('message', commentary), itemLine('message', answer)))).toEqual(
      expect.arrayContaining(['thinking: Looking', 'answer: Done']),
    );
  });

  it('of reasoning the summary is read, once, and nothing where all is encrypted', () => {
    const summary = [
      { type: 'summary_text', text: '**Where**' },
      { type: 'summary_text', text: '**How**' },
    ];
    const collector = read(
      metaLine(),
      eventLine('agent_reasoning', { text: '**Where**' }),
      eventLine('agent_reasoning', { text: '**How**' }, 2),
      itemLine('reasoning', { id: 'rs_1', summary, encrypted_content: 'gAAA' }, 3),
      itemLine('reasoning', { id: 'rs_2', summary: [], encrypted_content: 'gAAA' }, 3),
    );
    expect(said(collector)).toEqual(['thinking: **Where**', 'thinking: **How**']);
  });
});

describe('calls', () => {
  it('arguments are JSON in a text, the displayed result stands, and its exit says whether it failed', () => {
    const collector = read(
      metaLine(),
      ...legacyCommand('call_1', { command: 'npm test', output: 'red', exit: 1 }),
    );
    expect(collector.session().entries).toMatchObject([
      { item: 'call_1', kind: 'tool_call', text: 'npm test', tool: { name: 'exec_command', call: 'call_1' } },
      {
        item: 'call_1:result',
        kind: 'tool_result',
        text: 'red',
        tool: { name: 'exec_command', failed: true },
      },
    ]);
  });

  it.each([
    ['Process exited with code 0\nWall time: 1\nOutput:\nREADME.md', 'README.md', false],
    ['Exit code: 2\nWall time: 1 seconds\nOutput:\nno', 'no', true],
    ['{"output":"no\\n","metadata":{"exit_code":1}}', 'no\n', true],
    ['plain words', 'plain words', undefined],
    [[{ type: 'input_text', text: 'seen' }], 'seen', undefined],
    [{ content: 'no', success: false }, 'no', true],
  ])('without a displayed result that of the model is read: %j', (output, text, failed) => {
    const collector = read(
      metaLine(),
      itemLine('function_call', {
        name: 'shell',
        arguments: '{"command":["bash","-lc","ls"]}',
        call_id: 'c',
      }),
      itemLine('function_call_output', { call_id: 'c', output }, 2),
    );
    expect(collector.session().entries).toMatchObject([{ text: 'ls' }, { text }]);
    expect(collector.session().entries[1]?.tool?.failed).toBe(failed);
  });

  it('the displayed result stands, whichever log tells it first: that of the model may be cut', () => {
    const [call, displayed] = legacyCommand('c1', { command: 'ls', output: 'all of it', exit: 1 });
    const cut = itemLine('function_call_output', { call_id: 'c1', output: 'all…' });
    for (const lines of [
      [displayed, cut],
      [cut, displayed],
    ]) {
      const collector = read(metaLine(), call ?? {}, ...lines.map((line) => line ?? {}));
      expect(collector.session().entries.find(({ item }) => item === 'c1:result')).toMatchObject({
        text: 'all of it',
        tool: { failed: true },
      });
    }
  });

  it('arguments that are no JSON stand as they are', () => {
    const collector = read(
      metaLine(),
      itemLine('function_call', { name: 'x', arguments: '{"a":', call_id: 'c' }),
    );
    expect(said(collector)).toEqual(['tool_call: {"a":']);
  });

  it('the files of apply_patch are those of its patch, as a tool of its own and within a command', () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-x\n+y\n*** Add File: src/c.ts\n+z\n*** End Patch';
    const collector = read(
      metaLine(),
      itemLine('custom_tool_call', { name: 'apply_patch', input: patch, call_id: 'c1' }, 1),
      itemLine(
        'function_call',
        { name: 'shell', arguments: JSON.stringify({ command: ['apply_patch', patch] }), call_id: 'c2' },
        2,
      ),
      eventLine(
        'patch_apply_end',
        {
          call_id: 'c1',
          success: true,
          stdout: 'Success',
          changes: { '/x/src/a.ts': { type: 'update', unified_diff: '-x\n+y' } },
        },
        3,
      ),
    );
    const { entries } = collector.session();
    expect(entries.map(({ files }) => files)).toEqual([
      ['src/a.ts', 'src/b.ts', 'src/c.ts'],
      ['src/a.ts', 'src/b.ts', 'src/c.ts'],
      ['/x/src/a.ts'],
    ]);
    expect(entries[0]?.text).toBe(patch);
    expect(entries[2]).toMatchObject({ text: 'Success', tool: { name: 'apply_patch', failed: false } });
  });

  it('a search of the web is one entry, though one log gives it no id', () => {
    const action = { type: 'search', query: 'sqlite wal' };
    const collector = read(
      metaLine(),
      itemLine('web_search_call', { status: 'completed', action }),
      eventLine('web_search_end', { call_id: 'ws_1', query: 'sqlite wal', action }, 2),
    );
    expect(said(collector)).toEqual(['tool_call: sqlite wal']);
  });

  it('tools of MCP have their server in their name', () => {
    const collector = read(
      metaLine(),
      eventLine('mcp_tool_call_end', {
        call_id: 'm1',
        invocation: { server: 'reverie', tool: 'recall', arguments: { query: 'x' } },
        result: { Ok: { content: [{ type: 'text', text: 'found' }], isError: false } },
      }),
    );
    expect(collector.session().entries).toMatchObject([
      { text: 'query: x', tool: { name: 'recall' } },
      { text: 'found', tool: { failed: false } },
    ]);
  });
});

describe('history in pages', () => {
  it('items of turns are read where the events of the other mode are missing', () => {
    const collector = read(
      metaLine({ history_mode: 'paginated' }),
      messageLine('user', '<environment_context>x</environment_context>'),
      messageLine('user', 'Add it'),
      completedLine('UserMessage', { id: 'u-1', content: [{ type: 'Text', text: 'Add it' }] }),
      completedLine('Reasoning', { id: 'r-1', summary_text: ['**Where**'], raw_content: [] }, 2),
      completedLine(
        'CommandExecution',
        {
          id: 'c-1',
          command: ['bash', '-lc', 'ls'],
          aggregated_output: 'a',
          exit_code: 0,
          status: 'completed',
        },
        3,
      ),
      completedLine(
        'FileChange',
        { id: 'c-2', changes: { 'a.ts': { type: 'add', content: 'x' } }, status: 'completed' },
        4,
      ),
      completedLine(
        'McpToolCall',
        { id: 'c-3', server: 's', tool: 't', arguments: {}, status: 'failed', error: { message: 'no' } },
        5,
      ),
      completedLine('Plan', { id: 'p-1', text: 'First this' }, 6),
      completedLine('AgentMessage', { id: 'a-1', content: [{ type: 'Text', text: 'Done' }] }, 7),
      messageLine('assistant', 'Done', 7),
    );
    expect(said(collector)).toEqual([
      'prompt: Add it',
      'thinking: **Where**',
      'tool_call: ls',
      'tool_result: a',
      'tool_call: *** a.ts\n+x',
      'tool_result: *** a.ts\n+x',
      'tool_call: ',
      'tool_result: no',
      'answer: First this',
      'answer: Done',
    ]);
    expect(collector.session().entries.find(({ item }) => item === 'c-3:result')?.tool?.failed).toBe(true);
    expect([...collector.types.values()].every(({ known }) => known)).toBe(true);
  });

  it('a file that migrate-rollouts rewrote has the same entries', () => {
    const lines = [
      metaLine(),
      contextLine('t1'),
      ...legacyPrompt('Go on', 1),
      eventLine('agent_reasoning', { text: '**One**' }, 2),
      eventLine('agent_reasoning', { text: '**Two**' }, 2),
      itemLine(
        'reasoning',
        { summary: ['**One**', '**Two**'].map((text) => ({ type: 'summary_text', text })) },
        2,
      ),
      ...legacyCommand('call_1', { command: 'ls', output: 'a' }, 3),
      ...legacyAnswer('Done.', 4),
      ...legacyPrompt('Not this', 5),
      ...legacyAnswer('Done.', 6),
      eventLine('thread_rolled_back', { num_turns: 1 }, 7),
      ...legacyPrompt('Go on', 8),
      ...legacyAnswer('Done.', 9),
    ];
    const legacy = read(...lines);
    const paginated = read(...migrated(lines));
    expect(paginated.session().entries).toEqual(legacy.session().entries);
    expect(said(legacy)).toEqual([
      'prompt: Go on',
      'thinking: **One**',
      'thinking: **Two**',
      'tool_call: ls',
      'tool_result: a',
      'answer: Done.',
      'prompt: Go on',
      'answer: Done.',
    ]);
    // One after the other into one store, as a watcher meets them.
    const both = collect(codex, CODEX_FILE, { lines: migrated(lines), into: legacy });
    expect(both.session().entries).toEqual(paginated.session().entries);
  });
});

describe('turns, compaction, usage', () => {
  it('turns that were rolled back are gone, with all that was in them', () => {
    const collector = read(
      metaLine(),
      ...legacyPrompt('One', 1),
      ...legacyAnswer('First', 2),
      ...legacyPrompt('Two', 3),
      ...legacyCommand('call_2', { command: 'rm x', output: '' }, 4),
      ...legacyPrompt('Three', 5),
      eventLine('thread_rolled_back', { num_turns: 2 }, 6),
      ...legacyPrompt('Two', 7),
    );
    expect(said(collector)).toEqual(['prompt: One', 'answer: First', 'prompt: Two']);
    const all = read(metaLine(), ...legacyPrompt('One'), eventLine('thread_rolled_back', { num_turns: 9 }));
    expect(said(all)).toEqual([]);
  });

  it('a compaction is a summary; what it puts in place of the rest is not read again', () => {
    const collector = read(
      metaLine(),
      ...legacyPrompt('One'),
      {
        timestamp: codexTime(3),
        type: 'compacted',
        payload: {
          message: 'We did this.',
          replacement_history: [{ type: 'message', role: 'user', content: [] }],
        },
      },
      eventLine('context_compacted', {}, 4),
    );
    expect(said(collector)).toEqual(['prompt: One', 'summary: We did this.']);
  });

  it('tokens are counted once a reply, under the model of its turn', () => {
    const count = (total: number, output: number) =>
      eventLine('token_count', {
        info: {
          total_token_usage: { total_tokens: total },
          last_token_usage: { input_tokens: 4200, cached_input_tokens: 3600, output_tokens: output },
        },
      });
    const collector = read(
      metaLine(),
      contextLine('t1'),
      count(4380, 180),
      count(4380, 180),
      contextLine('t2', { model: 'gpt-5.6-mini' }),
      count(9000, 420),
      eventLine('token_count', { info: null }),
    );
    expect(collector.session().usage).toEqual([
      { item: 'tokens-4380', model: 'gpt-5.6', input: 4200, output: 180 },
      { item: 'tokens-9000', model: 'gpt-5.6-mini', input: 4200, output: 420 },
    ]);
  });

  it('folder, branch and version are told, the folder of the newest turn', () => {
    const collector = read(metaLine(), contextLine('t1'), contextLine('t2', { cwd: '/home/ana/web' }));
    expect(collector.session().facts).toEqual({
      folder: '/home/ana/web',
      branch: 'main',
      version: '0.144.3',
    });
  });
});

describe('code mode', () => {
  const command = (id: string, words: string, exit = 0) =>
    completedLine('CommandExecution', {
      id,
      command: ['/bin/bash', '-lc', words],
      aggregated_output: `${words}!`,
      exit_code: exit,
      status: exit === 0 ? 'completed' : 'failed',
    });
  const running = (words: string) => `text(await tools.exec_command({ cmd: ${JSON.stringify(words)} }))`;

  it('what a script does stands for it, and says whether it failed', () => {
    const collector = read(
      metaLine(),
      ...scriptLines('c1', { script: running('echo "a"'), did: [command('exec-1', 'echo "a"')] }),
      ...scriptLines('c2', { script: running('exit 3'), did: [command('exec-2', 'exit 3', 3)] }, 3),
      ...scriptLines(
        'c3',
        {
          script: 'text(await tools.apply_patch(patch))',
          did: [
            completedLine(
              'FileChange',
              { id: 'exec-3', changes: { 'a.ts': { type: 'add', content: 'x' } }, status: 'completed' },
              4,
            ),
          ],
        },
        4,
      ),
      ...scriptLines(
        'c4',
        {
          script: 'text(await tools[name]({ question: "Which?" }))',
          did: [
            completedLine(
              'McpToolCall',
              {
                id: 'exec-4',
                server: 'reverie',
                tool: 'memory_ask',
                arguments: { question: 'Which?' },
                status: 'completed',
                result: { content: [{ type: 'text', text: 'This' }] },
              },
              5,
            ),
          ],
        },
        5,
      ),
    );
    expect(
      collector.session().entries.map(({ item, text, tool }) => [item, tool?.name, tool?.failed, text]),
    ).toEqual([
      ['exec-1', 'shell', undefined, 'echo "a"'],
      ['exec-1:result', 'shell', false, 'echo "a"!'],
      ['exec-2', 'shell', undefined, 'exit 3'],
      ['exec-2:result', 'shell', true, 'exit 3!'],
      ['exec-3', 'apply_patch', undefined, '*** a.ts\n+x'],
      ['exec-3:result', 'apply_patch', false, '*** a.ts\n+x'],
      ['exec-4', 'memory_ask', undefined, 'question: Which?'],
      ['exec-4:result', 'memory_ask', false, 'This'],
    ]);
  });

  it('a script that did nothing else stays, and one that failed says so, unless what it did says it', () => {
    const failed = 'Script failed\nWall time 0.0 seconds\nOutput:\n';
    const collector = read(
      metaLine(),
      ...scriptLines('c1', { script: 'text(1 + 1)' }),
      ...scriptLines('c2', { script: 'oops(', output: failed }, 3),
      ...scriptLines(
        'c3',
        { script: running('ls; oops'), did: [command('exec-3', 'ls; oops')], output: failed },
        4,
      ),
      ...scriptLines('c4', { script: running('no'), did: [command('exec-4', 'no', 1)], output: failed }, 5),
    );
    expect(
      collector
        .session()
        .entries.map(({ item, tool }) => [item, tool?.failed])
        .sort(),
    ).toEqual([
      ['c1', undefined],
      ['c1:result', false],
      ['c2', undefined],
      ['c2:result', true],
      ['c3', undefined],
      ['c3:result', true],
      ['exec-3', undefined],
      ['exec-3:result', false],
      ['exec-4', undefined],
      ['exec-4:result', true],
    ]);
  });

  it('of scripts that run at once the one is folded that names what was done, also once it went on behind its output', () => {
    const [asked, paused] = scriptLines('c1', {
      script: running('sleep 9'),
      output: 'Script running with cell ID 7',
    });
    const [second, ended] = scriptLines('c2', { script: 'text(1 + 1)' });
    const [third, done] = scriptLines('c3', { script: running('ls') });
    const collector = read(
      metaLine(),
      ...[second, asked, third].flatMap((line) => line ?? []),
      command('exec-3', 'ls'),
      ...[paused, done, ended].flatMap((line) => line ?? []),
      command('exec-1', 'sleep 9'),
    );
    expect(
      collector
        .session()
        .entries.map(({ item }) => item)
        .sort(),
    ).toEqual(['c2', 'exec-1', 'exec-3'].flatMap((item) => [item, `${item}:result`]));
  });

  it('a script that was broken off stays; what a person ran, or a later turn, is not its doing', () => {
    const [broken] = scriptLines('c1', { script: 'text(await tools.exec_command({ cmd }))' });
    const collector = read(
      metaLine(),
      broken ?? {},
      command('typed-1', 'ls'),
      eventLine('task_started', { turn_id: turnId(9) }, 9),
      ...scriptLines(
        'c2',
        { script: 'await tools.exec_command({ cmd })', did: [command('exec-2', 'ls')] },
        9,
      ),
    );
    expect(
      collector
        .session()
        .entries.map(({ item }) => item)
        .sort(),
    ).toEqual(['c1', 'exec-2', 'exec-2:result', 'typed-1', 'typed-1:result']);
  });

  it('the summary of a compaction, which the model writes as an answer, is a summary alone', () => {
    const compacted = {
      timestamp: codexTime(4),
      type: 'compacted',
      payload: { message: 'Before: Half done.' },
    };
    const lines = [
      metaLine(),
      ...legacyPrompt('Do it'),
      ...legacyAnswer('Doing it.'),
      messageLine('assistant', 'Half done.', 3),
      compacted,
      completedLine('ContextCompaction', { id: 'x' }, 4),
    ];
    const expected = ['prompt: Do it', 'answer: Doing it.', 'summary: Before: Half done.'];
    expect(said(read(...lines))).toEqual(expected);
    // An answer that was displayed stays, and so does one where nothing is compacted.
    expect(said(read(...lines.filter((line) => !JSON.stringify(line).includes('"Half done."'))))).toEqual(
      expected,
    );
    expect(said(read(...lines.slice(0, -2)))).toEqual([...expected.slice(0, 2), 'answer: Half done.']);
  });

  it('a subagent that begins is what its call came to; without one it has a name', () => {
    const started = (id: string, child: string) =>
      completedLine(
        'SubAgentActivity',
        { id, kind: 'started', agent_thread_id: child, agent_path: `/root/${id}` },
        3,
      );
    const collector = read(
      metaLine(),
      itemLine('function_call', { name: 'spawn_agent', arguments: '{"message":"Look"}', call_id: 'c1' }),
      started('c1', '019f-child'),
      itemLine('function_call_output', { call_id: 'c1', output: '{"task_name":"/root/c1"}' }, 4),
      started('e2', '019f-other'),
    );
    expect(
      collector.session().entries.map(({ item, tool, text, child }) => [item, tool?.name, text, child]),
    ).toEqual([
      ['c1', 'spawn_agent', 'message: Look', undefined],
      ['agent-019f-other:result', 'spawn_agent', '/root/e2', '019f-other'],
      ['c1:result', 'spawn_agent', '/root/c1', '019f-child'],
    ]);
  });
});

describe('forks and subagents', () => {
  const parent = '019fe8f0-0000-7ff0-90af-653b66eba9f4';

  it('a fork leaves out the turns that it repeats, whose ids are older than it is, or missing', () => {
    const collector = read(
      metaLine({ forked_from_id: parent }),
      metaLine({ id: parent, cwd: '/elsewhere' }),
      contextLine(undefined),
      ...legacyPrompt('From before ids'),
      contextLine(turnId(-900)),
      ...legacyPrompt('From the parent'),
      eventLine('task_started', { turn_id: 'rollout-7' }),
      ...legacyPrompt('From a migrated parent'),
      eventLine('task_started', { turn_id: turnId(5) }),
      contextLine(turnId(5)),
      ...legacyPrompt('New'),
    );
    expect(said(collector)).toEqual(['prompt: New']);
    expect(collector.session().facts.parent).toEqual({ session: parent, kind: 'fork' });
    expect(collector.session().facts.folder).toBe('/home/ana/api');
  });

  it('a subagent knows its parent, and leaves out what it repeats behind a second session_meta', () => {
    const source = {
      subagent: { thread_spawn: { parent_thread_id: parent, depth: 1, agent_role: 'explorer' } },
    };
    const collector = read(
      metaLine({ source }),
      metaLine({ id: parent }),
      contextLine(turnId(-900)),
      ...legacyPrompt('From the parent'),
      contextLine(turnId(1)),
      ...legacyPrompt('Look around'),
    );
    expect(said(collector)).toEqual(['prompt: Look around']);
    expect(collector.session().facts.parent).toEqual({ session: parent, kind: 'subagent' });
  });

  it('where the file says at which ordinal its own history begins, that is so', () => {
    const at = (ordinal: number, lines: object[]) => lines.map((line) => ({ ...line, ordinal }));
    const collector = read(
      metaLine({ subagent_history_start_ordinal: 5 }),
      ...at(4, [contextLine(turnId(1)), ...legacyPrompt('From the parent')]),
      ...at(5, legacyPrompt('Own')),
    );
    expect(said(collector)).toEqual(['prompt: Own']);
  });

  it('the result of spawning names the session of the subagent', () => {
    const collector = read(
      metaLine(),
      itemLine('function_call', { name: 'spawn_agent', arguments: '{"message":"Look"}', call_id: 'c1' }),
      itemLine('function_call_output', { call_id: 'c1', output: '{"agent_id":"019f-child"}' }, 2),
      eventLine(
        'collab_agent_spawn_end',
        { call_id: 'c2', new_thread_id: '019f-other', prompt: 'Look', status: 'completed' },
        3,
      ),
      eventLine(
        'sub_agent_activity',
        { event_id: 'e1', kind: 'started', agent_thread_id: '019f-third', agent_path: '/root/w' },
        4,
      ),
    );
    expect(
      collector
        .session()
        .entries.map(({ kind, child }) => [kind, child])
        .filter(([, child]) => child),
    ).toEqual([
      ['tool_result', '019f-child'],
      ['tool_result', '019f-other'],
      ['tool_result', '019f-third'],
    ]);
  });
});

describe('titles', () => {
  it('a name given in the rollout > the index, whose last name stands > the first prompt', () => {
    const prompt = read(metaLine(), ...legacyPrompt('Add rate\nlimiting'));
    expect(prompt.session().facts.title?.text).toBe('Add rate limiting');
    const index = (name: string) => ({ id: CODEX_SESSION, thread_name: name, updated_at: codexTime(1) });
    collect(codex, 'session_index.jsonl', {
      lines: [index('Old'), index('Limits'), index('')],
      into: prompt,
    });
    expect(prompt.session().facts.title?.text).toBe('Limits');
    const named = eventLine('thread_name_updated', { thread_name: 'Mine' });
    collect(codex, CODEX_FILE, { lines: [metaLine(), named], into: prompt });
    expect(prompt.session().facts.title?.text).toBe('Mine');
  });
});

describe('files from before there was an envelope', () => {
  it('bare items are read, whose prompts stand in the only log there is', () => {
    const path = 'sessions/2025/06/01/rollout-2025-06-01T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl';
    const content = (text: string) => [{ type: 'input_text', text }];
    const collector = collect(codex, path, {
      lines: [
        {
          id: '5973b6c0-94b8-487b-a530-2aeb6098ae0e',
          timestamp: '2025-06-01T08:00:00.000Z',
          instructions: null,
          git: { branch: 'old' },
        },
        { record_type: 'state' },
        { type: 'message', role: 'user', content: content('<environment_context>x</environment_context>') },
        { type: 'message', role: 'user', content: content('Fix it') },
        { record_type: 'state' },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }] },
        { type: 'local_shell_call', call_id: 'c1', action: { type: 'exec', command: ['bash', '-lc', 'ls'] } },
        { type: 'function_call_output', call_id: 'c1', output: '{"output":"a","metadata":{"exit_code":0}}' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Fixed' }] },
      ],
    });
    const { entries, facts } = collector.session('5973b6c0-94b8-487b-a530-2aeb6098ae0e');
    expect(entries.map(({ kind, text }) => `${kind}: ${text}`).sort()).toEqual([
      'answer: Fixed',
      'prompt: Fix it',
      'thinking: Hm',
      'tool_call: ls',
      'tool_result: a',
    ]);
    expect(facts.branch).toBe('old');
    expect(collector.malformed).toBe(0);
    expect(entries.every(({ at }) => at === Date.parse('2025-06-01T08:00:00.000Z'))).toBe(true);
  });
});

describe('unknown and hostile input', () => {
  it('lines, events and items that nobody knows are entries `other` where somebody speaks, the same ones after a rewrite', () => {
    const lines = [
      metaLine(),
      { timestamp: codexTime(1), type: 'hologram', payload: { role: 'user', content: 'x' } },
      eventLine('agent_whisper', { message: 'psst' }),
      itemLine('holo_item', { role: 'assistant', content: [{ text: 'y' }] }),
      completedLine('UserGesture', { id: 'h', text: 'Nods' }),
      ...['silent', 'hologram'].map((type) => ({ timestamp: codexTime(1), type, payload: { x: 1 } })),
      eventLine('holo_event', { x: 2 }),
      itemLine('holo_thing', { text: 'z' }),
      completedLine('HoloThing', { id: 'h' }),
    ];
    const collector = read(...lines);
    expect([...collector.types].filter(([, { known }]) => !known).map(([type]) => type)).toEqual([
      'hologram',
      'event_msg/agent_whisper',
      'response_item/holo_item',
      'event_msg/item_completed/UserGesture',
      'silent',
      'event_msg/holo_event',
      'response_item/holo_thing',
      'event_msg/item_completed/HoloThing',
    ]);
    expect(collector.types.get('hologram')).toEqual({ count: 2, known: false });
    const { entries } = collector.session();
    expect(entries.map(({ kind }) => kind)).toEqual(Array(4).fill('other'));
    expect(entries.map(({ text }) => text)).toContain(JSON.stringify(lines[1]));
    const rewritten = lines.map((line, ordinal) => ({ ...line, ordinal }));
    expect(
      read(...rewritten)
        .session()
        .entries.map(({ item }) => item),
    ).toEqual(entries.map(({ item }) => item));
  });

  it('kinds of lines that say nothing are known', () => {
    const kinds = [
      'world_state',
      'inter_agent_communication_metadata',
      'token_usage_record',
      'realtime_item',
      'retained_context',
    ];
    const collector = read(...kinds.map((type) => ({ timestamp: codexTime(1), type, payload: {} })));
    expect([...collector.types.values()].every(({ known }) => known)).toBe(true);
    expect(collector.session().entries).toEqual([]);
  });

  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  it.each([
    '{"timestamp":"2026-07-13T16:41:30.145Z","type":"event_msg","payload":{"type":"user_me',
    '[]',
    'null',
    '{}',
    '{"type":"event_msg"}',
    '{"type":"event_msg","payload":7}',
    '{"type":"event_msg","payload":{"type":"item_completed"}}',
    '{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":7}}}',
    '{"type":"event_msg","payload":{"type":"user_message","message":{"x":1},"images":"x"}}',
    '{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":-1}}',
    '{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1e300}}',
    '{"type":"event_msg","payload":{"type":"patch_apply_end","changes":[7,null]}}',
    '{"type":"session_meta","payload":{"id":7,"git":"x","source":[],"forked_from_id":"x","timestamp":"never"}}',
    '{"type":"response_item","payload":{"type":"message","role":"assistant","content":{"__proto__":{"text":"x"}}}}',
    `{"type":"response_item","payload":{"type":"function_call","name":"x","call_id":"c","arguments":${JSON.stringify(deep)}}}`,
    `{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":{"x":${deep}}}}`,
    `{"type":"unknown","payload":{"x":${deep}}}`,
    '{"timestamp":1e999,"type":"event_msg","payload":{"type":"user_message","message":"\\ud800\\u0000"}}',
  ])('%.80s fails nothing', (line) => {
    const collector = createCollector();
    const reader = readerOf(codex, CODEX_FILE);
    collector.takeLine(reader.read(line));
    for (const next of [metaLine(), ...legacyPrompt('After')])
      collector.takeLine(reader.read(JSON.stringify(next)));
    for (const entry of collector.session().entries) expect(entry.text.isWellFormed()).toBe(true);
  });
});
