import type { App } from '@modelcontextprotocol/ext-apps';
import type { AppTool } from '@reverie/shared/contract/agents/app-tools';
import { z } from 'zod';

/** The arguments of the tool call beside which the app is shown: those of a search, or the id of a dream. */
export const AskedOfTool = z.object({
  query: z.string().optional(),
  queries: z
    .array(z.string())
    .nullish()
    .transform((given) => given ?? undefined),
  namespace: z.string().optional(),
  limit: z.int().optional(),
  id: z.string().optional(),
});
export type AskedOfTool = z.infer<typeof AskedOfTool>;

/** Calls a tool of the app through its host; a refusal is thrown in the words that it came with. */
export type CallTool = <Asked extends z.ZodObject, Answer extends z.ZodObject>(
  tool: AppTool<Asked, Answer>,
  args: z.input<Asked>,
) => Promise<z.output<Answer>>;

/** Calls through the host of an app. */
export function callerOf(app: Pick<App, 'callServerTool'>): CallTool {
  return async ({ name, answer }, args) => {
    const { isError, content, structuredContent } = await app.callServerTool({ name, arguments: args });
    if (isError) throw new Error(content.map((part) => (part.type === 'text' ? part.text : '')).join(' '));
    return answer.parse(structuredContent);
  };
}
