import { serverTitles } from '@reverie/shared/contract/system/models';
import { z } from 'zod';
import { type AgentAdapter, failedRun, jsonOf } from './adapter.ts';

const Usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number().default(0),
  cache_read_input_tokens: z.number().default(0),
});
const Result = z.object({
  type: z.literal('result'),
  is_error: z.boolean(),
  result: z.string().default(''),
  structured_output: z.unknown().optional(),
  api_error_status: z.number().nullish(),
  usage: Usage.optional(),
});

/**
 * Claude Code 2.1.332 (`claude --help`). `--safe-mode` leaves out its hooks, plugins, skills, MCP servers and CLAUDE.md and keeps the
 * login and the chosen model; `--bare` would not read the login.
 */
export const claudeCode: AgentAdapter = {
  kind: 'claude-code',
  title: serverTitles['claude-code'],
  vendor: 'Anthropic',
  command: 'claude',
  version: /^(\d+\.\d+\.\d+\S*) \(Claude Code\)/u,
  logIn: '`claude` and type /login',
  takesSchema: true,
  call: ({ system, prompt, schema, model }, { file }) => ({
    args: [
      '--print',
      '--output-format=json',
      '--no-session-persistence',
      '--safe-mode',
      '--strict-mcp-config',
      '--tools=',
      '--permission-prompts=none',
      `--system-prompt-file=${file('system.txt')}`,
      ...(schema ? [`--json-schema=${JSON.stringify(schema)}`] : []),
      ...(model === undefined ? [] : [`--model=${model}`]),
    ],
    stdin: prompt,
    files: { 'system.txt': system },
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_MAX_RETRIES: '1',
    },
  }),
  read(run) {
    const result = Result.safeParse(jsonOf(run.stdout)).data;
    if (!result) return failedRun(run);
    if (result.is_error)
      return failedRun({ ...run, stdout: result.result }, result.api_error_status ?? undefined);
    const { structured_output: structured, usage } = result;
    return {
      kind: 'answer',
      text: structured === undefined ? result.result : JSON.stringify(structured),
      tokens:
        usage &&
        usage.input_tokens +
          usage.output_tokens +
          usage.cache_creation_input_tokens +
          usage.cache_read_input_tokens,
    };
  },
};
