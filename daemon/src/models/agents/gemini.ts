import { serverTitles } from '@reverie/shared/contract/system/models';
import { z } from 'zod';
import { type AgentAdapter, failedRun, jsonOf } from './adapter.ts';

const Output = z.object({
  response: z.string(),
  stats: z.object({
    models: z.record(z.string(), z.object({ tokens: z.object({ total: z.number() }) })),
  }),
});
const Failure = z.object({
  error: z.object({ message: z.string(), code: z.union([z.number(), z.string()]).nullish() }),
});

/** Takes every tool away: those that are denied are not named to the model. */
const NO_TOOLS = `[[rule]]
toolName = "*"
decision = "deny"
priority = 999
`;

/**
 * Gemini CLI 0.61.0 (`gemini --help`). It takes no schema, and keeps each session under `~/.gemini/tmp` by the folder's name: it has no
 * flag against that.
 */
export const gemini: AgentAdapter = {
  kind: 'gemini',
  title: serverTitles.gemini,
  vendor: 'Google',
  command: 'gemini',
  version: /^(\d+\.\d+\.\d+\S*)$/mu,
  logIn: '`gemini` and choose how to log in',
  takesSchema: false,
  call: ({ system, prompt, model }, { file }) => ({
    args: [
      '--output-format=json',
      '--skip-trust',
      '--approval-mode=default',
      '--extensions=none',
      '--allowed-mcp-server-names=none',
      `--admin-policy=${file('no-tools.toml')}`,
      ...(model === undefined ? [] : [`--model=${model}`]),
    ],
    stdin: prompt,
    files: { 'system.md': system, 'no-tools.toml': NO_TOOLS },
    env: { GEMINI_SYSTEM_MD: file('system.md') },
  }),
  read(run) {
    const output = Output.safeParse(jsonOf(run.stdout)).data;
    if (!output || run.code !== 0) {
      const printed = run.stderr.slice(Math.max(0, run.stderr.indexOf('{\n')));
      const failure = Failure.safeParse(jsonOf(printed) ?? jsonOf(run.stdout)).data;
      return failure ? failedRun({ ...run, stdout: failure.error.message, stderr: '' }) : failedRun(run);
    }
    const models = Object.values(output.stats.models);
    return {
      kind: 'answer',
      text: output.response,
      tokens: models.length === 0 ? undefined : models.reduce((sum, { tokens }) => sum + tokens.total, 0),
    };
  },
};
