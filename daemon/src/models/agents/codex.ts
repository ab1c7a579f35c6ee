import { serverTitles } from '@reverie/shared/contract/system/models';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse as parseToml } from '@decimalturn/toml-patch';
import { z } from 'zod';
import { type AgentAdapter, failedRun, inOneText, jsonLines } from './adapter.ts';

const Event = z.union([
  z.object({
    type: z.literal('item.completed'),
    item: z.object({ type: z.literal('agent_message'), text: z.string() }),
  }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
  }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
]);

/** What is turned off for one run: its tools, hooks, apps, plugins and subagents, and what it tells the model of them. */
const SETTINGS = [
  'approval_policy="never"',
  'web_search="disabled"',
  'notify=[]',
  'project_doc_max_bytes=0',
  'analytics.enabled=false',
  'check_for_update_on_startup=false',
  ...['permissions', 'apps', 'collaboration_mode'].map((what) => `include_${what}_instructions=false`),
  'include_environment_context=false',
  'skills.include_instructions=false',
  ...[
    ...[
      'hooks',
      'shell_tool',
      'unified_exec',
      'code_mode_host',
      'apps',
      'plugins',
      'multi_agent',
      'memories',
    ],
    ...['image_generation', 'browser_use', 'computer_use', 'goals', 'skill_search', 'tool_suggest'],
  ].map((feature) => `features.${feature}=false`),
];

/**
 * Codex 0.171.0 (`codex exec --help`). `--ignore-user-config` would lose the person's model and provider, so its MCP servers are turned
 * off one by one; with its newer models the tool `exec` is still named to the model, and fails closed.
 */
export const codex: AgentAdapter = {
  kind: 'codex',
  title: serverTitles.codex,
  vendor: 'OpenAI',
  command: 'codex',
  version: /^codex-cli (\d+\.\d+\.\d+\S*)/u,
  logIn: '`codex login`',
  takesSchema: true,
  call: (question, { file, environment }) => ({
    args: [
      'exec',
      '--json',
      '--ephemeral',
      '--skip-git-repo-check',
      '--sandbox=read-only',
      '--color=never',
      ...[...SETTINGS, ...withoutServers(environment)].flatMap((setting) => ['-c', setting]),
      ...(question.schema ? [`--output-schema=${file('schema.json')}`] : []),
      ...(question.model === undefined ? [] : [`--model=${question.model}`]),
      '-',
    ],
    stdin: inOneText(question),
    files: question.schema ? { 'schema.json': JSON.stringify(question.schema) } : {},
  }),
  read(run) {
    const events = jsonLines(run.stdout).flatMap((line) => Event.safeParse(line).data ?? []);
    const failed = events.find((event) => event.type === 'turn.failed');
    if (failed) return failedRun({ ...run, stdout: failed.error.message, stderr: '' });
    const text = events.findLast((event) => event.type === 'item.completed')?.item.text;
    const usage = events.findLast((event) => event.type === 'turn.completed')?.usage;
    if (text === undefined || run.code !== 0) return failedRun(run);
    return { kind: 'answer', text, tokens: usage && usage.input_tokens + usage.output_tokens };
  },
};

/** Settings that keep the MCP servers of the person's config.toml from being started; their names alone are read of it. */
function withoutServers(environment: NodeJS.ProcessEnv): string[] {
  const home = environment['CODEX_HOME'] ?? path.join(environment['HOME'] ?? os.homedir(), '.codex');
  return serversIn(path.join(home, 'config.toml'))
    .filter((name) => /^[\w-]+$/u.test(name))
    .map((name) => `mcp_servers.${name}.enabled=false`);
}

function serversIn(file: string): string[] {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    // Without a file that can be read Codex has no servers, or says itself what is wrong.
    return [];
  }
  try {
    const { mcp_servers: servers } = parseToml(text) as { mcp_servers?: object };
    return Object.keys(servers ?? {});
  } catch {
    // A file that is no TOML stops Codex, too, and it says where.
    return [];
  }
}
