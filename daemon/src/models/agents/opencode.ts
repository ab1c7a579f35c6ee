import { serverTitles } from '@reverie/shared/contract/system/models';
import { z } from 'zod';
import { type AgentAdapter, failedRun, jsonLines } from './adapter.ts';

const Event = z.union([
  z.object({ type: z.literal('text'), part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('step_finish'),
    part: z.object({
      tokens: z.object({
        input: z.number(),
        output: z.number(),
        reasoning: z.number().default(0),
        cache: z.object({ read: z.number(), write: z.number() }).default({ read: 0, write: 0 }),
      }),
    }),
  }),
  z.object({ type: z.literal('error'), error: z.unknown() }),
]);

/** The name of the agent that is defined for one run. */
const AGENT = 'reverie';

/**
 * opencode 1.18.33 (`opencode run --help`). An agent of ours without tools is defined by a variable, and its sessions are in memory; it
 * takes no schema. Other MCP servers of the person are started, and none of their tools is named to the model.
 */
export const opencode: AgentAdapter = {
  kind: 'opencode',
  title: serverTitles.opencode,
  vendor: 'the provider that your opencode is set to',
  command: 'opencode',
  version: /^(\d+\.\d+\.\d+\S*)$/mu,
  logIn: '`opencode auth login`',
  takesSchema: false,
  call: ({ system, prompt, model }) => ({
    args: [
      'run',
      '--format=json',
      '--pure',
      `--agent=${AGENT}`,
      // Else a model is asked for one.
      '--title=Reverie',
      ...(model === undefined ? [] : [`--model=${model}`]),
    ],
    stdin: prompt,
    env: {
      OPENCODE_DB: ':memory:',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      // Its list of all models is its own affair, and takes seconds.
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_CLAUDE_CODE: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        share: 'disabled',
        autoupdate: false,
        snapshot: false,
        mcp: { reverie: { enabled: false } },
        tools: { '*': false },
        agent: { [AGENT]: { mode: 'primary', prompt: system, permission: { '*': 'deny' } } },
      }),
    },
  }),
  read(run) {
    const events = jsonLines(run.stdout).flatMap((line) => Event.safeParse(line).data ?? []);
    const failed = events.find((event) => event.type === 'error');
    if (failed) return failedRun({ ...run, stdout: JSON.stringify(failed.error), stderr: '' });
    const text = events.flatMap((event) => (event.type === 'text' ? event.part.text : [])).join('');
    // Of a text that is too long for a pipe it prints a part and ends well: there is nothing in it then.
    if (run.code !== 0) return failedRun(run);
    const steps = events.flatMap((event) => (event.type === 'step_finish' ? event.part.tokens : []));
    const tokens = steps.reduce(
      (sum, { input, output, reasoning, cache }) =>
        sum + input + output + reasoning + cache.read + cache.write,
      0,
    );
    return { kind: 'answer', text, tokens: tokens > 0 ? tokens : undefined };
  },
};
