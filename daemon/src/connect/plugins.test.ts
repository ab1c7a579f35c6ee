import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { agentOf } from '@reverie/agent-connect/agents';
import { CannotEdit } from '@reverie/agent-connect/cannot-edit';
import { put } from '@reverie/agent-connect/edit';

const FOLDER = path.join(import.meta.dirname, '../../data/agents/plugins');
const read = (file: string) => fs.readFileSync(path.join(FOLDER, file), 'utf8');
const version = (
  JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
    version: string;
  }
).version;

test.each([
  ['claude-code', '.claude-plugin', './claude-code'],
  ['codex', '.codex-plugin', { source: 'local', path: './codex' }],
] as const)('the plugin for %s says what connect writes into a repository', (name, folder, source) => {
  const agent = agentOf(name);
  const line = (event: string) => `reverie hook ${event} --agent ${name}`;
  const hooks = read(`${name}/hooks/hooks.json`);
  const entries = agent.hooks?.entries({ line, words: ['reverie'] }) ?? [];
  const written = entries.reduce((text, entry) => put(text, entry).text, '');
  expect(JSON.parse(hooks)).toEqual(JSON.parse(written));
  const servers = { command: 'reverie', args: ['mcp', '--agent', name] };
  expect(JSON.parse(read(`${name}/.mcp.json`))).toMatchObject({ mcpServers: { reverie: servers } });

  expect(JSON.parse(read(`${name}/${folder}/plugin.json`))).toMatchObject({ name: 'reverie', version });
  const marketplace = name === 'codex' ? '.agents/plugins' : '.claude-plugin';
  expect(JSON.parse(read(`${marketplace}/marketplace.json`))).toMatchObject({
    name: 'reverie',
    plugins: [{ name: 'reverie', source }],
  });
});

test('a project that has the server of Claude Code’s plugin is not connected a second time', () => {
  const program = { command: 'reverie', args: ['mcp', '--agent', 'claude-code'] };
  const entry = agentOf('claude-code').server(program);
  expect(put(read('claude-code/.mcp.json'), entry).made).toEqual([]);
  expect(() => put('{"mcpServers": {"reverie": {"command": "mine"}}}', entry)).toThrow(CannotEdit);
});
