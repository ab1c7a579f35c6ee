import fs from 'node:fs';
import path from 'node:path';
import type { ConfigEntry } from './config-entry.ts';

/** Coding agents that can be connected: first those whose hooks `reverie hook` understands. */
export const agentNames = [
  'claude-code',
  'codex',
  'cursor',
  'vscode',
  'copilot',
  'antigravity',
  'gemini',
  'qwen',
  'opencode',
  'pi',
  'cline',
  'kilo',
  'grok',
  'openclaw',
  'hermes',
  'claude-desktop',
  'zed',
  'devin',
] as const;
export type AgentName = (typeof agentNames)[number];

/** The places below which programs keep the files of a user. */
export interface Places {
  home: string;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** The command that starts our program: `reverie` by name in a file that others share, else by where it is on this machine. */
export interface ProgramCommand {
  command: string;
  args: readonly string[];
}

/** The call of a hook. */
export interface HookCall {
  /** The line of a shell that calls it at an event. */
  line(event: string): string;
  /** The words before `hook`. */
  words: readonly string[];
}

export interface Agent {
  name: AgentName;
  /** The files that may hold its MCP servers, by preference: the first that exists, else the first. */
  servers(places: Places): readonly string[];
  /** The same within a repository; undefined where it has none. */
  projectServers?: string;
  server(program: ProgramCommand): ConfigEntry;
  /** Where a command fills its status line; undefined where none can. */
  statusLine?: {
    file(places: Places): string;
    /** Within a repository. */
    projectFile: string;
    entry(line: string): ConfigEntry;
  };
  hooks?: {
    file(places: Places): string;
    /** Within a repository. */
    projectFile?: string;
    entries(call: HookCall): readonly ConfigEntry[];
    /** What the person has to do before they run. */
    trust?: string;
  };
}

const home = (places: Places, ...parts: string[]) => path.join(places.home, ...parts);

/** The path that a variable of the environment names; an empty one is as unset, `~/` is the home, and a relative one stands for where one is. */
function chosen(places: Places, variable: string): string | undefined {
  const value = places.env[variable];
  if (value === undefined || value === '') return undefined;
  const isOfHome = value === '~' || value.startsWith('~/') || value.startsWith(`~${path.sep}`);
  return isOfHome ? home(places, value.slice(1)) : path.resolve(value);
}

/** The folder of a program's settings of a user: by the platform's own custom. */
function appData(places: Places, ...parts: string[]): string {
  if (places.platform === 'darwin') return home(places, 'Library', 'Application Support', ...parts);
  if (places.platform === 'win32')
    return path.join(chosen(places, 'APPDATA') ?? home(places, 'AppData', 'Roaming'), ...parts);
  return path.join(xdgFolder(places), ...parts);
}

const xdgFolder = (places: Places) => chosen(places, 'XDG_CONFIG_HOME') ?? home(places, '.config');

const stdio = ({ command, args }: ProgramCommand) => ({ command, args: [...args] });

/** A string of TOML on one line: JSON's form is one of TOML's. */
const toml = (text: string) => JSON.stringify(text).replaceAll('\u007f', String.raw`\u007f`);

const inToml = ({ command, args }: ProgramCommand): ConfigEntry => ({
  kind: 'table',
  path: ['mcp_servers', 'reverie'],
  text: `[mcp_servers.reverie]\ncommand = ${toml(command)}\nargs = [${args.map(toml).join(', ')}]`,
});

/** opencode's form, which Kilo took over. */
const asList = ({ command, args }: ProgramCommand): ConfigEntry => ({
  kind: 'value',
  path: ['mcp', 'reverie'],
  value: { type: 'local', command: [command, ...args], enabled: true },
});

const under =
  (at: string, more: Readonly<Record<string, unknown>> = {}) =>
  (program: ProgramCommand): ConfigEntry => ({
    kind: 'value',
    path: [at, 'reverie'],
    value: { ...more, ...stdio(program) },
  });

/** A hook in Claude's form; `timeout` is in the unit of the agent. */
const grouped =
  (events: Readonly<Record<string, string>>, timeout: number) =>
  ({ line }: HookCall) =>
    Object.entries(events).map(([at, event]): ConfigEntry => ({
      kind: 'item',
      path: ['hooks', at],
      value: { hooks: [{ type: 'command', command: line(event), timeout }] },
    }));

/**
 * A line of Windows as PowerShell runs it, to which a quoted program alone is a text; only there quotes are double. Gemini CLI hands its
 * hooks to it there (`getShellConfiguration` in its package).
 */
const inPowerShell = (line: string) => (line.startsWith('"') ? `& ${line}` : line);

/** The field of Claude Code's settings that says what fills its status line (code.claude.com/docs/en/statusline). */
export const STATUS_LINE = 'statusLine';

const CLAUDE_EVENTS = { SessionStart: 'start', UserPromptSubmit: 'prompt', SessionEnd: 'end' };
/** Gemini's family counts limits in milliseconds. */
const GEMINI_EVENTS = { SessionStart: 'start', BeforeAgent: 'prompt', SessionEnd: 'end' };

const claudeFolder = (places: Places) => chosen(places, 'CLAUDE_CONFIG_DIR') ?? home(places, '.claude');
const codexFolder = (places: Places) => chosen(places, 'CODEX_HOME') ?? home(places, '.codex');

const geminiFolder = (places: Places) =>
  path.join(chosen(places, 'GEMINI_CLI_HOME') ?? places.home, '.gemini');
const qwenFolder = (places: Places) => chosen(places, 'QWEN_HOME') ?? home(places, '.qwen');
const piFolder = (places: Places) => chosen(places, 'PI_CODING_AGENT_DIR') ?? home(places, '.pi', 'agent');

const hermesFolder = (places: Places) => {
  const local = chosen(places, 'LOCALAPPDATA') ?? home(places, 'AppData', 'Local');
  return (
    chosen(places, 'HERMES_HOME') ??
    (places.platform === 'win32' ? path.join(local, 'hermes') : home(places, '.hermes'))
  );
};

/** A module of ours that an agent loads, with the command that it calls. */
const moduleOf = (name: string, words: readonly string[]) =>
  fs
    .readFileSync(path.join(import.meta.dirname, '../modules', name), 'utf8')
    // As text, `$` of a path would stand for what was found.
    .replace("const COMMAND = ['reverie'];", () => `const COMMAND = ${JSON.stringify(words)};`);

/**
 * Where each agent keeps what we put in, by `shared/research/agents-2026-11.md` 1.5 and 1.6, which name the source of each.
 * Copilot CLI's hooks: github/docs, cli-hooks-reference.md. Gemini CLI: docs/reference/configuration.md and docs/hooks/reference.md of
 * its package. Qwen Code: QwenLM/qwen-code, docs/users/features/hooks.md; that limits are in seconds is read in 0.24.4, older ones took
 * milliseconds. pi: docs/mcp.md and docs/extensions.md of its package; 0.73 has no MCP yet. Kilo: Kilo-Org/kilocode,
 * packages/kilo-docs/pages/automate/mcp/using-in-kilo-code.md. Grok Build: docs.x.ai/build/features/mcp-servers; it runs hooks, and reads
 * nothing of what they print (docs.x.ai/build/features/hooks). Cline: `resolveMcpSettingsPath` of @cline/shared 0.0.86; it runs a hook
 * at a prompt apart, and reads nothing of it. OpenClaw: docs/cli/mcp.md and docs/help/environment.md of its package. Hermes:
 * NousResearch/hermes-agent, website/docs/user-guide/features/mcp.md and hermes_constants.py. VS Code runs the hooks of Claude Code by default and takes no text at
 * prompts, so it gets none of its own: they would count twice.
 */
const AGENTS: readonly Agent[] = [
  {
    name: 'claude-code',
    servers: (places) => [path.join(chosen(places, 'CLAUDE_CONFIG_DIR') ?? places.home, '.claude.json')],
    projectServers: '.mcp.json',
    server: under('mcpServers', { type: 'stdio' }),
    statusLine: {
      file: (places) => path.join(claudeFolder(places), 'settings.json'),
      projectFile: '.claude/settings.json',
      entry: (command) => ({ kind: 'value', path: [STATUS_LINE], value: { type: 'command', command } }),
    },
    hooks: {
      file: (places) => path.join(claudeFolder(places), 'settings.json'),
      projectFile: '.claude/settings.json',
      entries: grouped(CLAUDE_EVENTS, 5),
    },
  },
  {
    name: 'claude-desktop',
    servers: (places) => [appData(places, 'Claude', 'claude_desktop_config.json')],
    server: under('mcpServers'),
  },
  {
    name: 'codex',
    servers: (places) => [path.join(codexFolder(places), 'config.toml')],
    projectServers: '.codex/config.toml',
    server: inToml,
    hooks: {
      file: (places) => path.join(codexFolder(places), 'hooks.json'),
      projectFile: '.codex/hooks.json',
      // It warns at each start of more for the end of a session; a hook of ours ends within one.
      entries: grouped(CLAUDE_EVENTS, 3),
      trust:
        'Codex passes over hooks until you trust them: start it, and allow those of Reverie with /hooks.',
    },
  },
  {
    name: 'cursor',
    servers: (places) => [home(places, '.cursor', 'mcp.json')],
    projectServers: '.cursor/mcp.json',
    server: under('mcpServers'),
    hooks: {
      file: (places) => home(places, '.cursor', 'hooks.json'),
      projectFile: '.cursor/hooks.json',
      entries: ({ line }) => [
        { kind: 'needed', path: ['version'], value: 1 },
        ...Object.entries({ sessionStart: 'start', beforeSubmitPrompt: 'prompt', sessionEnd: 'end' }).map(
          ([at, event]): ConfigEntry => ({
            kind: 'item',
            path: ['hooks', at],
            value: { command: line(event) },
          }),
        ),
      ],
    },
  },
  {
    name: 'vscode',
    servers: (places) => [appData(places, 'Code', 'User', 'mcp.json')],
    projectServers: '.vscode/mcp.json',
    server: under('servers', { type: 'stdio' }),
  },
  {
    name: 'copilot',
    servers: (places) => [home(places, '.copilot', 'mcp-config.json')],
    server: under('mcpServers', { type: 'local', tools: ['*'] }),
    hooks: {
      file: (places) => home(places, '.copilot', 'hooks', 'reverie.json'),
      projectFile: '.github/hooks/reverie.json',
      entries: ({ line }) => [
        {
          kind: 'whole',
          text: `${JSON.stringify(
            {
              version: 1,
              hooks: Object.fromEntries(
                Object.entries({
                  sessionStart: 'start',
                  userPromptSubmitted: 'prompt',
                  sessionEnd: 'end',
                }).map(([at, event]) => [
                  at,
                  [{ type: 'command', bash: line(event), powershell: `& ${line(event)}`, timeoutSec: 5 }],
                ]),
              ),
            },
            undefined,
            2,
          )}\n`,
        },
      ],
    },
  },
  {
    name: 'antigravity',
    servers: (places) => [
      home(places, '.gemini', 'config', 'mcp_config.json'),
      home(places, '.gemini', 'antigravity-cli', 'mcp_config.json'),
    ],
    projectServers: '.agents/mcp_config.json',
    server: under('mcpServers'),
    hooks: {
      file: (places) => home(places, '.gemini', 'antigravity-cli', 'hooks.json'),
      projectFile: '.agents/hooks.json',
      entries: grouped(GEMINI_EVENTS, 5_000),
    },
  },
  {
    name: 'gemini',
    servers: (places) => [path.join(geminiFolder(places), 'settings.json')],
    projectServers: '.gemini/settings.json',
    server: under('mcpServers'),
    hooks: {
      file: (places) => path.join(geminiFolder(places), 'settings.json'),
      projectFile: '.gemini/settings.json',
      entries: ({ line, words }) =>
        grouped(GEMINI_EVENTS, 5_000)({ words, line: (event) => inPowerShell(line(event)) }),
    },
  },
  {
    name: 'qwen',
    servers: (places) => [path.join(qwenFolder(places), 'settings.json')],
    projectServers: '.qwen/settings.json',
    server: under('mcpServers'),
    hooks: {
      file: (places) => path.join(qwenFolder(places), 'settings.json'),
      projectFile: '.qwen/settings.json',
      entries: grouped(CLAUDE_EVENTS, 5),
    },
  },
  {
    name: 'opencode',
    servers: (places) => {
      const folder = path.join(xdgFolder(places), 'opencode');
      return [path.join(folder, 'opencode.json'), path.join(folder, 'opencode.jsonc')];
    },
    projectServers: 'opencode.json',
    server: asList,
    hooks: {
      file: (places) => path.join(xdgFolder(places), 'opencode', 'plugins', 'reverie.js'),
      projectFile: '.opencode/plugins/reverie.js',
      entries: ({ words }) => [{ kind: 'whole', text: moduleOf('opencode-plugin.js', words) }],
    },
  },
  {
    name: 'pi',
    servers: (places) => [path.join(piFolder(places), 'mcp.json')],
    projectServers: '.pi/mcp.json',
    // Else its model sees no tool of a server before it wrote a script that looks for them.
    server: under('mcpServers', { exposure: 'direct' }),
    hooks: {
      file: (places) => path.join(piFolder(places), 'extensions', 'reverie.js'),
      projectFile: '.pi/extensions/reverie.js',
      entries: ({ words }) => [{ kind: 'whole', text: moduleOf('pi-extension.js', words) }],
    },
  },
  {
    name: 'cline',
    servers: (places) => {
      const folder =
        chosen(places, 'CLINE_DATA_DIR') ??
        path.join(chosen(places, 'CLINE_DIR') ?? home(places, '.cline'), 'data');
      return [
        chosen(places, 'CLINE_MCP_SETTINGS_PATH') ?? path.join(folder, 'settings', 'cline_mcp_settings.json'),
      ];
    },
    server: under('mcpServers'),
  },
  {
    name: 'kilo',
    servers: (places) => {
      const folder = path.join(xdgFolder(places), 'kilo');
      return [path.join(folder, 'kilo.json'), path.join(folder, 'kilo.jsonc')];
    },
    projectServers: '.kilo/kilo.json',
    server: asList,
  },
  {
    name: 'grok',
    servers: (places) => [path.join(chosen(places, 'GROK_HOME') ?? home(places, '.grok'), 'config.toml')],
    projectServers: '.grok/config.toml',
    server: inToml,
  },
  {
    name: 'openclaw',
    servers: (places) => {
      const folder =
        chosen(places, 'OPENCLAW_STATE_DIR') ??
        path.join(chosen(places, 'OPENCLAW_HOME') ?? places.home, '.openclaw');
      return [chosen(places, 'OPENCLAW_CONFIG_PATH') ?? path.join(folder, 'openclaw.json')];
    },
    server: (program) => ({
      kind: 'value',
      path: ['mcp', 'servers', 'reverie'],
      value: stdio(program),
      json5: true,
    }),
  },
  {
    name: 'hermes',
    servers: (places) => [path.join(hermesFolder(places), 'config.yaml')],
    server: (program) => ({ kind: 'yaml', path: ['mcp_servers', 'reverie'], value: stdio(program) }),
  },
  {
    name: 'zed',
    servers: (places) => [
      places.platform === 'win32'
        ? appData(places, 'Zed', 'settings.json')
        : home(places, '.config', 'zed', 'settings.json'),
    ],
    projectServers: '.zed/settings.json',
    server: under('context_servers'),
  },
  {
    name: 'devin',
    servers: (places) => [home(places, '.codeium', 'windsurf', 'mcp_config.json')],
    server: under('mcpServers'),
  },
];

/** An agent by its name. */
export function agentOf(name: AgentName): Agent {
  const found = AGENTS.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not in the table of agents`);
  return found;
}
