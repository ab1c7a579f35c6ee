import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AgentName, agentOf, type Places } from './agents.ts';

const HOME = path.resolve('/home/ada');

describe('a folder that the environment names', () => {
  const fileOf = (name: AgentName, env: Places['env']) =>
    agentOf(name).servers({ home: HOME, platform: 'linux', env })[0];

  test.each([
    ['claude-code', 'CLAUDE_CONFIG_DIR', '.claude.json'],
    ['codex', 'CODEX_HOME', 'config.toml'],
    ['gemini', 'GEMINI_CLI_HOME', '.gemini/settings.json'],
    ['qwen', 'QWEN_HOME', 'settings.json'],
    ['pi', 'PI_CODING_AGENT_DIR', 'mcp.json'],
    ['opencode', 'XDG_CONFIG_HOME', 'opencode/opencode.json'],
    ['kilo', 'XDG_CONFIG_HOME', 'kilo/kilo.json'],
    ['vscode', 'XDG_CONFIG_HOME', 'Code/User/mcp.json'],
    ['cline', 'CLINE_DIR', 'data/settings/cline_mcp_settings.json'],
    ['cline', 'CLINE_DATA_DIR', 'settings/cline_mcp_settings.json'],
    ['cline', 'CLINE_MCP_SETTINGS_PATH', ''],
    ['grok', 'GROK_HOME', 'config.toml'],
  ] as const)(
    'of %s by %s: empty is as unset, ~/ is the home, a relative one is resolved',
    (name, key, file) => {
      expect(fileOf(name, { [key]: '' })).toBe(fileOf(name, {}));
      expect(fileOf(name, { [key]: '~/x' })).toBe(path.join(HOME, 'x', file));
      expect(fileOf(name, { [key]: '~' })).toBe(path.join(HOME, file));
      expect(fileOf(name, { [key]: '~x' })).toBe(path.resolve('~x', file));
      expect(fileOf(name, { [key]: 'x' })).toBe(path.resolve('x', file));
      expect(fileOf(name, { [key]: '/opt/x' })).toBe(path.resolve('/opt/x', file));
    },
  );
});

test('Gemini CLI’s hooks run in PowerShell, where a quoted program is called by &', () => {
  const commands = (start: string) =>
    agentOf('gemini')
      .hooks?.entries({ line: (event) => `${start} hook ${event}`, words: [] })
      .map((entry) => JSON.stringify('value' in entry && entry.value));
  expect(commands(String.raw`"C:\Program Files\node.exe"`)?.[0]).toContain(
    JSON.stringify(String.raw`& "C:\Program Files\node.exe" hook start`),
  );
  for (const start of ['reverie', "'/opt/my node'"])
    expect(commands(start)?.[0]).toContain(`"command":"${start} hook start"`);
});

test.each(['opencode', 'pi'] as const)('the module of %s has its words as they are', (name) => {
  const words = ["/opt/$$/$'/$&/reverie"];
  const [entry] = agentOf(name).hooks?.entries({ line: () => '', words }) ?? [];
  expect(entry?.kind === 'whole' && entry.text).toContain(`const COMMAND = ${JSON.stringify(words)};\n`);
});
