import { serverTitles } from '@reverie/shared/contract/system/models';
import { z } from 'zod';
import { type AgentAdapter, failedRun, jsonOf } from './adapter.ts';

const Result = z.object({
  type: z.literal('result'),
  is_error: z.boolean(),
  result: z.string().default(''),
  error: z.object({ message: z.string() }).nullish(),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).optional(),
});

/**
 * Qwen Code 0.24.4 (`qwen --help`). `--safe-mode` leaves out hooks, extensions, skills and MCP servers, and with it no list of tools can
 * be given: the first call of one ends the run. Its `--json-schema` is a tool that smaller models miss, so the form is asked for in words.
 */
export const qwen: AgentAdapter = {
  kind: 'qwen',
  title: serverTitles.qwen,
  vendor: 'the provider that your Qwen Code is set to',
  command: 'qwen',
  version: /^(\d+\.\d+\.\d+\S*)$/mu,
  logIn: '`qwen` and choose how to log in',
  takesSchema: false,
  call: ({ system, prompt, model }) => ({
    args: [
      '--output-format=json',
      '--safe-mode',
      '--chat-recording=false',
      '--max-tool-calls=0',
      '--approval-mode=default',
      `--system-prompt=${system}`,
      ...(model === undefined ? [] : [`--model=${model}`]),
    ],
    stdin: prompt,
  }),
  read(run) {
    const messages = z.array(z.unknown()).safeParse(jsonOf(run.stdout)).data ?? [];
    const result = messages.flatMap((message) => Result.safeParse(message).data ?? []).at(-1);
    // Of an answer that is too long for a pipe it prints a part and ends well: there is nothing in it then.
    if (!result) return run.code === 0 ? { kind: 'answer', text: '', tokens: undefined } : failedRun(run);
    if (result.is_error)
      return failedRun({ ...run, stdout: result.error?.message ?? result.result, stderr: '' });
    const { usage } = result;
    return { kind: 'answer', text: result.result, tokens: usage && usage.input_tokens + usage.output_tokens };
  },
};
