import { serverTitles } from '@reverie/shared/contract/system/models';
import { z } from 'zod';
import { type AgentAdapter, failedRun, inOneText, jsonLines, jsonOf } from './adapter.ts';

const Message = z.object({
  type: z.literal('assistant.message'),
  data: z.object({ content: z.string() }),
});
const Failed = z.object({ type: z.literal('session.error'), data: z.object({ message: z.string() }) });
const Usage = z.object({
  modelMetrics: z.record(
    z.string(),
    z.object({ usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }) }),
  ),
});

/**
 * Copilot CLI 1.0.102 (`copilot --help`). It takes neither a schema nor instructions apart from the prompt, and keeps each session: the
 * watcher of coding sessions knows them by their folder. A prompt on standard input is one of `-p`.
 */
export const copilot: AgentAdapter = {
  kind: 'copilot',
  title: serverTitles.copilot,
  vendor: 'GitHub',
  command: 'copilot',
  version: /^GitHub Copilot CLI (\d+\.\d+\.\d+\S*?)\.?$/mu,
  logIn: '`copilot login`',
  takesSchema: false,
  call: (question, { file }) => ({
    args: [
      '--silent',
      '--output-format=json',
      // No tool has this name, so none is named to the model.
      '--available-tools=none',
      '--disable-builtin-mcps',
      '--disable-mcp-server=reverie',
      '--no-custom-instructions',
      '--no-ask-user',
      '--no-auto-update',
      '--no-remote-export',
      '--no-color',
      '--disable-client-telemetry',
      '--log-level=none',
      `--usage-output-file=${file('usage.json')}`,
      ...(question.model === undefined ? [] : [`--model=${question.model}`]),
    ],
    stdin: inOneText(question),
    writes: 'usage.json',
  }),
  read(run) {
    const lines = jsonLines(run.stdout);
    const failed = lines.flatMap((line) => Failed.safeParse(line).data ?? []).at(-1);
    const message = lines.flatMap((line) => Message.safeParse(line).data ?? []).at(-1);
    if (failed && !message) return failedRun({ ...run, stdout: failed.data.message, stderr: '' });
    if (!message || run.code !== 0) return failedRun(run);
    const usage = Usage.safeParse(jsonOf(run.written ?? '')).data;
    const counted = usage && Object.values(usage.modelMetrics).map(({ usage: used }) => used);
    return {
      kind: 'answer',
      text: message.data.content,
      tokens: counted?.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
    };
  },
};
