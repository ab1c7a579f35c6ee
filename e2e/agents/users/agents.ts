import type { AgentName } from '@reverie/agent-connect/agents';
import type { Json, ModelCall } from '../model/protocol.ts';
import type { Action, Turn } from './play.ts';
import type { Question } from './screen.ts';

/** A coding agent as a person runs it. */
export interface RealAgent {
  name: AgentName;
  title: string;
  command: string;
  /** The words behind the command that begin a session without a screen, and that go on with the newest one of the folder. */
  begin: (prompt: string) => readonly string[];
  goOn: (prompt: string) => readonly string[];
  /** The tool by which it does something. */
  callOf: (action: Exclude<Action, { kind: 'own' }>) => ModelCall;
  /** What it does before it can call the tools of an MCP server. */
  first?: readonly Turn[];
  /** Whether it takes text of a hook at a prompt. */
  takesPrompts: boolean;
  /** Where its hook at the end of a session is called with a screen alone, so that what was said to last is proposed then. */
  endsOnScreen?: true;
  /** Whether its log says what a reply took. */
  countsTokens: boolean;
  /** What it asks on a screen at its start. */
  questions: readonly Question[];
  /** What stands on its screen once it takes a prompt. */
  ready: RegExp;
  /** Whether it has to be opened on a screen once before its hooks run. */
  asksForTrust?: true;
  /** Keys that end it on a screen. */
  quit: readonly string[];
  /** The model of Codex. */
  codexModel?: string;
}

const call = (name: string, input: Json | string): ModelCall => ({ name, input });
const js = (value: unknown) => JSON.stringify(value);
const MEMORY_TOOLS = ['search', 'set', 'get'].map((tool) => `mcp__reverie__memory_${tool}`).join(',');

/** The patch that makes a file, in the form of Codex. */
const patchOf = (file: string, content: string) =>
  `*** Begin Patch\n*** Add File: ${file}\n${content
    .trimEnd()
    .split('\n')
    .map((line) => `+${line}`)
    .join('\n')}\n*** End Patch`;

/** A call as Gemini CLI and its fork Qwen Code take it; what they put before the tools of our server differs. */
function callOfGemini(action: Parameters<RealAgent['callOf']>[0], prefix: string): ModelCall {
  switch (action.kind) {
    case 'shell':
      return call('run_shell_command', {
        command: action.command,
        description: 'Runs a command',
        is_background: false,
      });
    case 'write':
      return call('write_file', { file_path: action.file, content: action.content });
    case 'memory':
      return call(`${prefix}${action.tool}`, action.args);
  }
}

/** One agent more is one entry more. */
export const REAL_AGENTS: readonly RealAgent[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    command: 'claude',
    begin: (prompt) => ['-p', '--allowedTools', 'Bash Write Read mcp__reverie ToolSearch', '--', prompt],
    goOn: (prompt) => ['-p', '--continue', '--', prompt],
    callOf(action) {
      switch (action.kind) {
        case 'shell':
          return call('Bash', { command: action.command, description: 'Runs a command' });
        case 'write':
          return call('Write', { file_path: action.file, content: action.content });
        case 'memory':
          return call(`mcp__reverie__${action.tool}`, action.args);
      }
    },
    // It defers tools of MCP servers.
    first: [
      {
        does: { kind: 'own', call: call('ToolSearch', { query: `select:${MEMORY_TOOLS}`, max_results: 5 }) },
      },
    ],
    takesPrompts: true,
    countsTokens: true,
    questions: [],
    ready: /\? for shortcuts|⏵⏵/u,
    quit: ['C-c', 'C-c'],
  },
  {
    name: 'codex',
    title: 'Codex',
    command: 'codex',
    begin: (prompt) => ['exec', '--json', '-s', 'workspace-write', prompt],
    goOn: (prompt) => ['exec', 'resume', '--last', '--json', prompt],
    callOf(action) {
      switch (action.kind) {
        case 'shell':
          return call('exec', `text(await tools.exec_command({ cmd: ${js(action.command)} }));`);
        case 'write':
          return call('exec', `text(await tools.apply_patch(${js(patchOf(action.file, action.content))}));`);
        case 'memory':
          return call(
            'exec',
            `const tool = ALL_TOOLS.find(({ name }) => name.endsWith(${js(action.tool)}));\ntext(await tools[tool.name](${js(action.args)}));`,
          );
      }
    },
    takesPrompts: true,
    countsTokens: true,
    questions: [
      { asks: /Use existing model/u, keys: ['Down', 'Enter'] },
      { asks: /Trust all/u, keys: ['Down', 'Enter'] },
    ],
    ready: / · ~\/work/u,
    asksForTrust: true,
    quit: ['C-c', 'C-c'],
    codexModel: 'gpt-6-sol',
  },
  {
    name: 'opencode',
    title: 'opencode',
    command: 'opencode',
    begin: (prompt) => ['run', prompt],
    goOn: (prompt) => ['run', '--continue', prompt],
    callOf(action) {
      switch (action.kind) {
        case 'shell':
          return call('bash', { command: action.command, description: 'Runs a command' });
        case 'write':
          return call('write', { filePath: action.file, content: action.content });
        case 'memory':
          return call(`reverie_${action.tool}`, action.args);
      }
    },
    takesPrompts: true,
    countsTokens: true,
    questions: [],
    ready: /ctrl\+p/u,
    quit: ['C-c'],
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    command: 'copilot',
    begin: (prompt) => ['-p', prompt, '--allow-all-tools'],
    goOn: (prompt) => ['--continue', '-p', prompt, '--allow-all-tools'],
    callOf(action) {
      switch (action.kind) {
        case 'shell':
          return call('bash', { command: action.command, description: 'Runs a command' });
        case 'write':
          return call('apply_patch', patchOf(action.file, action.content));
        case 'memory':
          return call(`reverie-${action.tool}`, action.args);
      }
    },
    takesPrompts: false,
    countsTokens: true,
    questions: [],
    ready: /\/ commands|Enter @/u,
    quit: ['C-c', 'C-c'],
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    command: 'gemini',
    begin: (prompt) => ['--yolo', '-p', prompt],
    goOn: (prompt) => ['--yolo', '--resume', 'latest', '-p', prompt],
    callOf: (action) => callOfGemini(action, 'mcp_reverie_'),
    takesPrompts: true,
    countsTokens: true,
    questions: [{ asks: /Do you trust/u, keys: ['Enter'] }],
    ready: /Type your message/u,
    quit: ['C-c', 'C-c'],
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    command: 'qwen',
    begin: (prompt) => ['--yolo', '-p', prompt],
    goOn: (prompt) => ['--yolo', '--continue', '-p', prompt],
    callOf(action) {
      const direct = callOfGemini(action, 'mcp__reverie__');
      if (action.kind !== 'memory') return direct;
      return call('tool_call', { name: direct.name, arguments: direct.input });
    },
    // It defers tools of MCP servers, and hands each call of one on.
    first: [
      {
        does: { kind: 'own', call: call('tool_search', { query: `select:${MEMORY_TOOLS}`, max_results: 5 }) },
      },
    ],
    takesPrompts: true,
    endsOnScreen: true,
    countsTokens: true,
    questions: [],
    ready: /Type your message/u,
    quit: ['C-c', 'C-c'],
  },
  {
    name: 'pi',
    title: 'pi',
    command: 'pi',
    begin: (prompt) => ['-p', prompt],
    goOn: (prompt) => ['--continue', '-p', prompt],
    callOf(action) {
      switch (action.kind) {
        case 'shell':
          return call('bash', { command: action.command });
        case 'write':
          return call('write', { path: action.file, content: action.content });
        case 'memory':
          return call(`mcp__reverie__${action.tool}`, action.args);
      }
    },
    takesPrompts: true,
    countsTokens: true,
    questions: [],
    ready: /fake-model/u,
    quit: ['C-c', 'C-c'],
  },
];
