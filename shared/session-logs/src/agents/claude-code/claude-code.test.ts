import { describe, expect, it } from 'vitest';
import {
  assistantLine,
  CLAUDE_FILE,
  CLAUDE_SESSION,
  claudeTime,
  resultLine,
  systemLine,
  userLine,
} from '../../testing/claude-lines.ts';
import { type Collector, collect, createCollector, readerOf } from '../../testing/collector.ts';
import { claudeCode } from './claude-code.ts';

function read(...lines: (string | object)[]): Collector {
  return collect(claudeCode, CLAUDE_FILE, { lines });
}

function kinds(collector: Collector): string[] {
  return collector.session().entries.map((entry) => `${entry.kind}: ${entry.text}`);
}

const text = (words: string) => ({ type: 'text', text: words });
const thinking = (words: string) => ({ type: 'thinking', thinking: words, signature: 'c2lnbmVk' });
const call = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input });

describe('where sessions of Claude Code are', () => {
  it('its folder is that of CLAUDE_CONFIG_DIR, or .claude in the home folder', () => {
    expect(claudeCode.root({}, '/home/ana')).toBe('/home/ana/.claude/projects');
    expect(claudeCode.root({ CLAUDE_CONFIG_DIR: '/etc/claude' }, '/home/ana')).toBe('/etc/claude/projects');
  });

  it.each([
    ['-home-ana-app/3f2a.jsonl', { kind: 'lines', session: '3f2a' }],
    [
      '-home-ana-app/3f2a/subagents/agent-a02e.jsonl',
      { kind: 'lines', session: 'agent-a02e', parent: '3f2a' },
    ],
    [
      '-home-ana-app/3f2a/subagents/workflows/wf_1/agent-a02e.jsonl',
      { kind: 'lines', session: 'agent-a02e', parent: '3f2a' },
    ],
    ['-home-ana-app/3f2a/subagents/agent-a02e.meta.json', undefined],
    ['-home-ana-app/3f2a/subagents/workflows/wf_1/journal.jsonl', undefined],
    ['-home-ana-app/3f2a/tool-results/b1.txt', undefined],
    ['-home-ana-app/memory/MEMORY.md', undefined],
    ['history.jsonl', undefined],
  ])('%s', (path, file) => {
    expect(claudeCode.fileAt(path)).toEqual(file);
  });
});

describe('one message of the model in several lines', () => {
  it('lines of one message id, a block each, are entries of that message, told by their number in it', () => {
    const collector = read(
      assistantLine('b1', { content: [thinking('Where is the login?')] }),
      assistantLine('b2', { content: [text('Reading it.')] }),
      assistantLine('b3', { content: [call('toolu_01', 'Read', { file_path: '/home/ana/app/auth.ts' })] }),
      assistantLine('b4', { content: [text('It is here.')] }),
    );
    expect(
      collector
        .session()
        .entries.map(({ item, kind, text }) => [item, kind, text])
        .sort(),
    ).toEqual([
      ['msg_01#0', 'thinking', 'Where is the login?'],
      ['msg_01#1', 'answer', 'Reading it.'],
      ['msg_01#3', 'answer', 'It is here.'],
      ['toolu_01', 'tool_call', 'file_path: /home/ana/app/auth.ts'],
    ]);
  });

  it('states of a block that grows replace each other, whatever their uuid', () => {
    const states = ['Rea', 'Reading', 'Reading it.'].map((words, n) =>
      assistantLine(`b${n}`, { content: [text(words)], output: 5 + n }),
    );
    expect(kinds(read(...states))).toEqual(['answer: Reading it.']);
    expect(kinds(read(...states.toReversed()))).toEqual(['answer: Reading it.']);
  });

  it('a line with all blocks so far says no block twice', () => {
    const one = [text('Reading it.')];
    const two = [...one, call('toolu_01', 'Bash', { command: 'ls' })];
    const collector = read(
      assistantLine('b1', { content: one }),
      assistantLine('b2', { content: two }),
      assistantLine('b3', { content: [...two, text('Two files.')] }),
    );
    expect(kinds(collector).sort()).toEqual(['answer: Reading it.', 'answer: Two files.', 'tool_call: ls']);
  });

  it('two blocks of one line that begin alike are two', () => {
    const line = assistantLine('b1', { content: [text('OK'), text('OK, done.')] });
    const single = assistantLine('b2', { content: [text('OK, done.')] });
    expect(
      read(line, line, single)
        .session()
        .entries.map(({ item, text }) => [item, text]),
    ).toEqual([
      ['msg_01#0', 'OK'],
      ['msg_01#1', 'OK, done.'],
    ]);
  });

  it('where a line says which block it is, that is its number', () => {
    const collector = read(
      assistantLine('b1', { content: [text('OK')], apiBlockIndex: 0 }),
      assistantLine('b2', { content: [text('OK, done.')], apiBlockIndex: 1 }),
    );
    expect(collector.session().entries.map(({ item }) => item)).toEqual(['msg_01#0', 'msg_01#1']);
  });

  it('of usage the greatest output of one message and request stands', () => {
    const collector = read(
      assistantLine('b1', { content: [text('a')], output: 5 }),
      assistantLine('b2', { content: [text('ab')], output: 631 }),
      assistantLine('b3', { content: [text('ab')], output: 631 }),
      assistantLine('b4', { content: [text('abc')], output: 7, requestId: 'req_02' }),
    );
    expect(collector.session().usage).toEqual([
      { item: 'msg_01:req_01', model: 'claude-opus-4-5', input: 2200, output: 631 },
      { item: 'msg_01:req_02', model: 'claude-opus-4-5', input: 2200, output: 7 },
    ]);
  });

  it('thinking that is an empty text with a signature is no entry, and keeps its number', () => {
    const collector = read(
      assistantLine('b1', { content: [thinking('')] }),
      assistantLine('b2', { content: [text('Done.')] }),
      assistantLine('b3', { content: [{ type: 'redacted_thinking', data: 'xyz' }] }),
    );
    expect(collector.session().entries.map(({ item, kind }) => [item, kind])).toEqual([
      ['msg_01#1', 'answer'],
    ]);
  });

  it('what the program wrote in the name of a model costs no tokens', () => {
    const line = assistantLine('b1', { content: [text('API Error: 529')] });
    Object.assign(line.message as object, { model: '<synthetic>' });
    const { entries, usage } = read(line).session();
    expect(entries).toHaveLength(1);
    expect(usage).toEqual([]);
  });
});

describe('what is a prompt', () => {
  it('content is a text or a list of blocks', () => {
    const collector = read(
      userLine('a1', 'Fix the login'),
      userLine('a2', [text('And the logout')], { timestamp: claudeTime(2) }),
    );
    expect(kinds(collector)).toEqual(['prompt: Fix the login', 'prompt: And the logout']);
    expect(collector.session().entries.every((entry) => entry.byPerson)).toBe(true);
  });

  it.each([
    ['a caveat that is marked as meta', 'Caveat: The messages below …', { isMeta: true }],
    ['a reminder', '<system-reminder>Be brief.</system-reminder>', {}],
    ['an opened file', '<ide_opened_file>The user opened a.ts</ide_opened_file>', {}],
    ['a selection', '<ide_selection>lines 1 to 3</ide_selection>', {}],
    ['an interruption', '[Request interrupted by user for tool use]', {}],
    ['an empty text', '  \n', {}],
  ])('%s is none', (_, content, fields) => {
    expect(read(userLine('a1', content, fields)).session().entries).toEqual([]);
  });

  it('one line may have a wrapper and the true prompt behind it, in one text or in two blocks', () => {
    const wrapper = '<ide_opened_file>The user opened a.ts</ide_opened_file>';
    const reminder = '<system-reminder>Be brief.</system-reminder>';
    expect(kinds(read(userLine('a1', `${wrapper}\nFix it\n\n${reminder}`)))).toEqual(['prompt: Fix it']);
    expect(kinds(read(userLine('a1', [text(wrapper), text('Fix it'), text(reminder)])))).toEqual([
      'prompt: Fix it',
    ]);
  });

  it('a prompt that quotes a wrapper keeps it', () => {
    const words = 'Why does <system-reminder> stand in <command-name>/x</command-name>?';
    expect(kinds(read(userLine('a1', words)))).toEqual([`prompt: ${words}`]);
  });

  it('commands of the person and what they print are calls and results, in user and in system lines', () => {
    const command =
      '<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args>the login</command-args>';
    const printed = '<local-command-stdout>\u001b[1mSet\u001b[22m model</local-command-stdout>';
    for (const line of [
      userLine,
      (uuid: string, content: string, fields: object) =>
        systemLine(uuid, { subtype: 'local_command', content, ...fields }),
    ]) {
      const collector = read(
        line('a1', command, {}),
        line('a2', printed, { parentUuid: 'a1', timestamp: claudeTime(2) }),
      );
      expect(collector.session().entries).toMatchObject([
        {
          item: 'a1',
          kind: 'tool_call',
          text: '/review the login',
          byPerson: true,
          tool: { name: '/review', call: 'a1' },
        },
        { item: 'a2:result', kind: 'tool_result', text: 'Set model', byPerson: false, tool: { call: 'a1' } },
      ]);
    }
  });

  it('a shell command that the person typed is a call of theirs', () => {
    const collector = read(
      userLine('a1', '<bash-input>git status</bash-input>'),
      userLine('a2', '<bash-stdout>clean</bash-stdout><bash-stderr>warning</bash-stderr>', {
        parentUuid: 'a1',
        timestamp: claudeTime(2),
      }),
    );
    expect(kinds(collector)).toEqual(['tool_call: git status', 'tool_result: clean\nwarning']);
  });

  it('the report of a task in the background is a result', () => {
    const report =
      '<task-notification><task-id>a02e</task-id><tool-use-id>toolu_09</tool-use-id><status>failed</status><summary>Agent stopped</summary><result>No <b>such</b> file</result></task-notification>';
    const collector = read(
      assistantLine('b1', { content: [call('toolu_09', 'Task', { prompt: 'look' })] }),
      userLine('a1', report, { timestamp: claudeTime(2) }),
      { type: 'queue-operation', operation: 'enqueue', timestamp: claudeTime(2), content: report },
    );
    expect(collector.session().entries[1]).toMatchObject({
      item: 'a1:task',
      kind: 'tool_result',
      text: 'Agent stopped\nNo <b>such</b> file',
      tool: { name: 'Task', call: 'toolu_09', failed: true },
    });
    expect(collector.session().entries).toHaveLength(2);
  });

  it('a prompt that waits in the queue is there at once, and once only when its turn has come', () => {
    const queued = {
      type: 'queue-operation',
      operation: 'enqueue',
      timestamp: claudeTime(2),
      content: 'Use pdf.js',
    };
    const waits = read(queued);
    expect(kinds(waits)).toEqual(['prompt: Use pdf.js']);
    const attachment = { type: 'queued_command', prompt: 'Use pdf.js', commandMode: 'prompt' };
    const came = read(queued, { type: 'attachment', uuid: 'c1', timestamp: claudeTime(3), attachment });
    expect(came.session().entries.map(({ item, kind }) => [item, kind])).toEqual([['c1', 'prompt']]);
    const typed = read(queued, userLine('a1', 'Use pdf.js', { timestamp: claudeTime(3) }));
    expect(typed.session().entries.map(({ item }) => item)).toEqual(['a1']);
  });

  it('a queued prompt that the person took back is gone', () => {
    const operation = { type: 'queue-operation', timestamp: claudeTime(2), content: 'Use pdf.js' };
    const collector = read({ ...operation, operation: 'enqueue' }, { ...operation, operation: 'popAll' });
    expect(collector.session().entries).toEqual([]);
  });

  it('an image stands as its kind and size', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(16) },
    };
    expect(kinds(read(userLine('a1', [text('Look'), image])))).toEqual([
      'prompt: Look\n[image/png, 12 bytes]',
    ]);
  });

  it('what a program put in is not by a person', () => {
    expect(read(userLine('a1', 'Go on', { promptSource: 'system' })).session().entries).toMatchObject([
      { kind: 'prompt', byPerson: false },
    ]);
  });

  it('a message of another agent of a team is a prompt, and not by a person', () => {
    const line = userLine('a1', '<teammate-message teammate_id="lead">Run no tests</teammate-message>');
    expect(read(line).session().entries).toMatchObject([
      { kind: 'prompt', text: 'Run no tests', byPerson: false },
    ]);
  });
});

describe('results of tools', () => {
  it('a user line of results alone is no prompt, and its result knows its call', () => {
    const collector = read(
      assistantLine('b1', { content: [call('toolu_01', 'Bash', { command: 'npm test' })] }),
      resultLine('c1', { call: 'toolu_01', content: 'ok', timestamp: claudeTime(2) }),
    );
    expect(collector.session().entries[1]).toEqual({
      item: 'toolu_01:result',
      at: Date.parse(claudeTime(2)),
      kind: 'tool_result',
      text: 'ok',
      byPerson: false,
      tool: { name: 'Bash', call: 'toolu_01', failed: false },
    });
  });

  it('a failed one says so', () => {
    const collector = read(resultLine('c1', { call: 'toolu_01', content: 'Exit code 1', failed: true }));
    expect(collector.session().entries).toMatchObject([{ tool: { failed: true } }]);
  });

  it('content is a text or blocks, whose images stand as their size; reminders are taken off', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAA=' } };
    const content = [text('Screenshot\n<system-reminder>x</system-reminder>'), image];
    expect(kinds(read(resultLine('c1', { call: 't', content: [text('Screenshot'), image] })))).toEqual([
      'tool_result: Screenshot\n[image/jpeg, 2 bytes]',
    ]);
    expect(kinds(read(resultLine('c1', { call: 't', content: content.slice(0, 1) })))).toEqual([
      'tool_result: Screenshot',
    ]);
  });

  it('output that was spilled into a file is named, not read', () => {
    const toolUseResult = { persistedOutputPath: '/x/tool-results/b1.txt', persistedOutputSize: 99_000 };
    const collector = read(resultLine('c1', { call: 't', content: 'first lines', toolUseResult }));
    expect(kinds(collector)).toEqual([
      'tool_result: first lines\n[the whole output is in /x/tool-results/b1.txt, 99000 bytes]',
    ]);
  });

  it('files come from what tools were given, and no folder that was searched', () => {
    const collector = read(
      assistantLine('b1', {
        content: [
          call('t1', 'Read', { file_path: '/a/b.ts' }),
          call('t2', 'Edit', { file_path: '/a/c.ts', old_string: 'x', new_string: 'y\nz' }),
          call('t3', 'NotebookEdit', { notebook_path: '/a/n.ipynb', new_source: '1' }),
          call('t4', 'MultiEdit', { file_path: '/a/d.ts', edits: [{ old_string: 'x', new_string: '' }] }),
          call('t5', 'Write', { file_path: '/a/e.ts', content: 'all' }),
          call('t6', 'Grep', { pattern: 'x', path: '/a' }),
        ],
      }),
    );
    expect(collector.session().entries.map(({ files, text }) => [files, text])).toEqual([
      [['/a/b.ts'], 'file_path: /a/b.ts'],
      [['/a/c.ts'], '/a/c.ts\n-x\n+y\n+z'],
      [['/a/n.ipynb'], '/a/n.ipynb\n1'],
      [['/a/d.ts'], '/a/d.ts\n-x'],
      [['/a/e.ts'], '/a/e.ts\nall'],
      [undefined, 'pattern: x\npath: /a'],
    ]);
  });

  it('tools that the vendor runs are calls and results like others', () => {
    const collector = read(
      assistantLine('b1', {
        content: [
          { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'sqlite' } },
          { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [text('sqlite.org')] },
        ],
      }),
    );
    expect(kinds(collector)).toEqual(['tool_call: query: sqlite', 'tool_result: sqlite.org']);
  });
});

describe('titles', () => {
  const custom = { type: 'custom-title', customTitle: 'Mine', sessionId: CLAUDE_SESSION };
  const name = { type: 'agent-name', agentName: 'worker', sessionId: CLAUDE_SESSION };
  const ai = (aiTitle: string) => ({ type: 'ai-title', aiTitle, sessionId: CLAUDE_SESSION });
  const summary = (words: string) => ({ type: 'summary', summary: words, leafUuid: 'x' });
  const asked = userLine('a1', 'Fix the\n login  now');
  const title = (...lines: object[]) => read(...lines).session().facts.title?.text;

  it('custom-title > agent-name > the last ai-title > the first summary > the first prompt', () => {
    expect(title(asked, userLine('a2', 'Then that'))).toBe('Fix the login now');
    expect(title(summary('First'), summary('Second'), asked)).toBe('First');
    expect(title(ai('One'), summary('First'), ai('Two'))).toBe('Two');
    expect(title(name, ai('Two'))).toBe('worker');
    expect(title(custom, name, ai('Two'), asked)).toBe('Mine');
  });
});

describe('what the envelope says', () => {
  it('folder, branch and version are those of the newest record, never those of the folder name', () => {
    const collector = read(
      userLine('a1', 'x'),
      userLine('a2', 'y', { cwd: '/home/ana/app/web', gitBranch: 'fix', version: '2.1.231' }),
    );
    expect(collector.session().facts).toMatchObject({
      folder: '/home/ana/app/web',
      branch: 'fix',
      version: '2.1.231',
    });
  });

  it.each(['yesterday', '7', 'NaN', '-1', -1, 0, {}, '2026-13-45T99:00:00Z'])(
    '%j is no time',
    (timestamp) => {
      expect(read(userLine('a1', 'x', { timestamp })).session().entries).toMatchObject([{ at: 0 }]);
    },
  );

  it('what an unknown record says of the session is told by the next one', () => {
    const { facts } = read(systemLine('s1', { subtype: 'holo' }), userLine('a1', 'x')).session();
    expect(facts).toMatchObject({ folder: '/home/ana/app', branch: 'main', version: '2.1.230' });
  });

  it('a worktree that the session moved to is its folder', () => {
    const worktreeSession = { worktreePath: '/w/a', worktreeBranch: 'worktree-a' };
    const collector = read(userLine('a1', 'x'), { type: 'worktree-state', worktreeSession });
    expect(collector.session().facts).toMatchObject({ folder: '/w/a', branch: 'worktree-a' });
  });

  it('a record without a time has that of the one before', () => {
    const collector = read(userLine('a1', 'x'), userLine('a2', 'y', { timestamp: 'yesterday' }));
    expect(collector.session().entries.map(({ at }) => at)).toEqual(Array(2).fill(Date.parse(claudeTime(1))));
  });
});

describe('trees, forks and subagents', () => {
  it('branches of a rewind and of two terminals in one file stay beside each other', () => {
    const collector = read(
      userLine('a1', 'Start'),
      userLine('a2', 'This way', { parentUuid: 'a1', timestamp: claudeTime(2) }),
      userLine('a3', 'Or that way', { parentUuid: 'a1', timestamp: claudeTime(3) }),
    );
    expect(kinds(collector)).toEqual(['prompt: Start', 'prompt: This way', 'prompt: Or that way']);
  });

  it('terminals that write into one file at once do not mix their messages', () => {
    const collector = read(
      assistantLine('b1', { id: 'msg_A', content: [text('one')] }),
      assistantLine('b2', { id: 'msg_B', content: [text('two')] }),
      assistantLine('b3', { id: 'msg_A', content: [text('three')] }),
      assistantLine('b4', { id: 'msg_B', content: [text('two and more')] }),
    );
    expect(collector.session().entries.map(({ item, text }) => [item, text])).toEqual([
      ['msg_A#0', 'one'],
      ['msg_A#1', 'three'],
      ['msg_B#0', 'two and more'],
    ]);
  });

  it('a fork has the same items in a session of its own, which knows where it is from', () => {
    const chain = [userLine('a1', 'Start'), assistantLine('b1', { content: [text('Yes')] })];
    const fork = '99aa6c1e-8b1d-4c55-9a55-0d6c2f0e7a99';
    const lines = chain.map((line) => ({
      ...line,
      sessionId: fork,
      forkedFrom: { sessionId: CLAUDE_SESSION },
    }));
    const collector = collect(claudeCode, CLAUDE_FILE, { lines: chain });
    collect(claudeCode, `-home-ana-app/${fork}.jsonl`, { lines, into: collector });
    expect(collector.session(fork).entries).toEqual(collector.session(CLAUDE_SESSION).entries);
    expect(collector.session(fork).facts.parent).toEqual({ session: CLAUDE_SESSION, kind: 'fork' });
    expect(collector.session(CLAUDE_SESSION).facts.parent).toBeUndefined();
  });

  it('a file that begins with lines of another session goes on from it', () => {
    const collector = collect(claudeCode, '-home-ana-app/77aa.jsonl', {
      lines: [userLine('a1', 'Start'), userLine('a2', 'Go on', { sessionId: '77aa' })],
    });
    expect(collector.session('77aa').facts.parent).toEqual({ session: CLAUDE_SESSION, kind: 'continuation' });
    expect(collector.session('77aa').entries).toHaveLength(2);
  });

  it('a subagent in a file of its own is a session of its own, linked from the result of its call', () => {
    const collector = read(
      assistantLine('b1', { content: [call('toolu_07', 'Task', { prompt: 'Look', description: 'Search' })] }),
      resultLine('c1', {
        call: 'toolu_07',
        content: 'Found',
        toolUseResult: { agentId: 'a02e' },
        timestamp: claudeTime(9),
      }),
    );
    collect(claudeCode, `-home-ana-app/${CLAUDE_SESSION}/subagents/agent-a02e.jsonl`, {
      lines: [userLine('s1', 'Look', { isSidechain: true, agentId: 'a02e' })],
      into: collector,
    });
    expect(collector.session(CLAUDE_SESSION).entries[1]).toMatchObject({
      kind: 'tool_result',
      child: 'agent-a02e',
    });
    expect(collector.session('agent-a02e').facts.parent).toEqual({
      session: CLAUDE_SESSION,
      kind: 'subagent',
    });
    expect(collector.session('agent-a02e').entries).toMatchObject([{ kind: 'prompt', byPerson: false }]);
  });

  it('subagents that old versions wrote inline are sessions of their own, with and without an id', () => {
    const collector = read(
      userLine('s1', 'Look', { isSidechain: true }),
      userLine('p1', 'Search', { isSidechain: true, agentId: 'b7' }),
      assistantLine('s2', {
        id: 'msg_S',
        content: [text('Found')],
        isSidechain: true,
        parentUuid: 's1',
        timestamp: claudeTime(2),
      }),
      userLine('a1', 'Fix it'),
    );
    expect([...collector.sessions().keys()].sort()).toEqual([CLAUDE_SESSION, 'agent-b7', 'sidechain-s1']);
    expect(collector.session('sidechain-s1').entries.map(({ text }) => text)).toEqual(['Look', 'Found']);
    expect(collector.session('sidechain-s1').facts.parent).toEqual({
      session: CLAUDE_SESSION,
      kind: 'subagent',
    });
  });

  it('a record of progress holds a record of a subagent, the same item as in its own file', () => {
    const own = assistantLine('s2', { id: 'msg_S', content: [text('Found')], isSidechain: true });
    const { type, message, uuid, timestamp } = own;
    const data = { type: 'agent_progress', agentId: 'a02e', message: { type, message, uuid, timestamp } };
    const collector = read({
      ...userLine('d1', ''),
      type: 'progress',
      message: undefined,
      data,
      parentToolUseID: 'toolu_07',
    });
    const before = collector.session('agent-a02e').entries;
    expect(before).toMatchObject([{ item: 'msg_S#0', kind: 'answer', text: 'Found' }]);
    collect(claudeCode, `-home-ana-app/${CLAUDE_SESSION}/subagents/agent-a02e.jsonl`, {
      lines: [own],
      into: collector,
    });
    expect(collector.session('agent-a02e').entries).toEqual(before);
  });
});

describe('compaction and bookkeeping', () => {
  it('the summary of a compaction is one, not a prompt; its boundary is where no summary follows', () => {
    const boundary = systemLine('s1', { subtype: 'compact_boundary', content: 'Conversation compacted' });
    expect(kinds(read(boundary, userLine('a1', 'Go on', { timestamp: claudeTime(2) })))).toEqual([
      'summary: Conversation compacted',
      'prompt: Go on',
    ]);
    const collector = read(
      boundary,
      userLine('a1', 'This session is being continued …', {
        isCompactSummary: true,
        timestamp: claudeTime(2),
      }),
    );
    expect(kinds(collector)).toEqual(['summary: This session is being continued …']);
    expect(collector.session().facts.title).toBeUndefined();
  });

  it('all types of records that were seen are known, and those that say nothing are no entries', () => {
    const types =
      'summary custom-title ai-title agent-name agent-setting attachment file-history-snapshot file-history-delta queue-operation progress mode permission-mode last-prompt pr-link bridge-session relocated worktree-state tag agent-color cost-state frame-link started result attribution-snapshot content-replacement atis-latch history-suppression fork-context-ref turn_duration api-request api-request-blob api-request-shape tools-used'.split(
        ' ',
      );
    // What was asked of a model holds what was said once more.
    const message = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };
    const collector = read(
      ...types.map((type) => ({
        type,
        sessionId: CLAUDE_SESSION,
        ...(type.startsWith('api') && { message }),
      })),
    );
    for (const subtype of [
      'turn_duration',
      'stop_hook_summary',
      'api_error',
      'informational',
      'away_summary',
    ]) {
      collect(claudeCode, CLAUDE_FILE, { lines: [systemLine(subtype, { subtype })], into: collector });
    }
    expect([...collector.types].filter(([, { known }]) => !known)).toEqual([]);
    expect(collector.session().entries).toEqual([]);
  });

  it('a record that nobody knows is an entry `other`, whole, where somebody speaks in it, and so is a new kind of block', () => {
    const message = { role: 'user', content: 'Beam me up' };
    const unknown = { type: 'holo-deck', uuid: 'h1', timestamp: claudeTime(1), deck: { message } };
    const collector = read(
      unknown,
      { ...unknown, uuid: undefined },
      assistantLine('b1', { content: [{ type: 'hologram', light: 7 }] }),
    );
    expect(collector.session().entries.map(({ kind }) => kind)).toEqual(Array(3).fill('other'));
    expect(collector.session().entries.find(({ item }) => item === 'h1')?.text).toBe(JSON.stringify(unknown));
    expect(collector.types.get('holo-deck')).toEqual({ count: 2, known: false });
  });

  it.each<[string, object]>([
    ['nothing but numbers', { deck: { of: [1, 2] } }],
    ['words without a speaker', { text: 'hull at 80 %' }],
    ['a message of the program', { message: { role: 'system', content: 'Be brief' } }],
    ['a speaker without words', { message: { role: 'user', content: [] } }],
    ['a request, which repeats what was said', { params: { messages: [{ role: 'user', content: 'Hi' }] } }],
    ['a subtype of the program, with words', { type: 'system', subtype: 'holo', content: 'x' }],
  ])('an unknown record with %s is counted, and no entry', (_, fields) => {
    const collector = read({ type: 'holo-deck', uuid: 'h1', sessionId: CLAUDE_SESSION, ...fields });
    expect(collector.session().entries).toEqual([]);
    expect([...collector.types.values()]).toEqual([{ count: 1, known: false }]);
  });
});

describe('hostile input', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  it.each([
    ['no JSON', '{"type":"user"'],
    ['a list', '[1]'],
    ['a number', '7'],
    ['no type', '{"uuid":"a"}'],
    ['a type that is no text', '{"type":7}'],
    ['a cut line', '{"type":"user","message":{"role":"us'],
  ])('%s is malformed, and fails nothing', (_, line) => {
    expect(readerOf(claudeCode, CLAUDE_FILE).read(line)).toEqual({ records: [], isRead: false });
  });

  it.each([
    ['a message of null', '{"type":"user","message":null}'],
    ['content that is a number', JSON.stringify(userLine('a', 7))],
    ['blocks of any kind', JSON.stringify(userLine('a', [null, 7, 'x', [], {}, { type: 8 }]))],
    ['an assistant without content', '{"type":"assistant","message":{"id":7,"usage":{"output_tokens":-1}}}'],
    [
      'the name __proto__',
      '{"type":"user","__proto__":{"isMeta":true},"message":{"content":[{"type":"text","text":"x","__proto__":null}]}}',
    ],
    [
      'deep nesting',
      `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"x","input":${deep(200_000)}}]}}`,
    ],
    ['an unknown type with deep nesting', `{"type":"new","x":${deep(200_000)}}`],
    [
      'lone surrogates and NUL',
      '{"type":"user","uuid":"\\ud800","message":{"content":"a\\udc00b\\u0000"},"timestamp":"\\ud800"}',
    ],
    [
      'a date that is none',
      JSON.stringify(userLine('a', 'x', { timestamp: '2026-13-45T99:00:00Z', cwd: 8 })),
    ],
    ['a huge id', JSON.stringify(userLine('u'.repeat(10_000), 'x'))],
  ])('%s', (_, line) => {
    const collector = createCollector();
    collector.takeLine(readerOf(claudeCode, CLAUDE_FILE).read(line));
    for (const entry of collector.session().entries) {
      expect(entry.text.isWellFormed()).toBe(true);
      expect(entry.item.length).toBeLessThan(300);
      expect(Number.isSafeInteger(entry.at)).toBe(true);
    }
  });

  it('a line of 64 MiB is read', () => {
    const line = JSON.stringify(
      userLine('a1', [
        {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(64 * 1024 * 1024) },
        },
      ]),
    );
    expect(kinds(read(line))).toEqual(['prompt: [image/png, 50331648 bytes]']);
  });
});
