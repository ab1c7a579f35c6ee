import { z } from 'zod';
import { Insight, resolutions } from '../dreams/dreams.ts';
import { SearchHit } from '../search/search.ts';

/** A tool that the app in a conversation calls over MCP, and no model; its `answer` comes as structured content. */
export interface AppTool<Asked extends z.ZodObject, Answer extends z.ZodObject> {
  name: string;
  input: Asked;
  answer: Answer;
}

// A tool of an app is listed for each client that shows apps, so its schema is short: what a value may be, its route says.
const namespace = z.string().optional();

/** What a search of the agent finds, and why; the namespace is that of the agent where none is named. */
export const appHits = {
  name: 'app_hits',
  input: z.object({
    query: z.string(),
    queries: z.array(z.string()).optional(),
    namespace,
    limit: z.int().min(1).max(50).optional(),
  }),
  answer: z.object({
    namespace: z.string(),
    fits: z.boolean().describe('False where nothing fits well, and the nearest are shown'),
    hits: z.array(SearchHit),
  }),
} satisfies AppTool<z.ZodObject, z.ZodObject>;

/** What waits for a decision, of a dream or of a namespace. */
export const appInsights = {
  name: 'app_insights',
  input: z.object({ namespace, dream: z.string().optional() }),
  answer: z.object({ insights: z.array(Insight), next: z.string().nullable() }),
} satisfies AppTool<z.ZodObject, z.ZodObject>;

/** Decides on an insight: `newer`, `older` and `both` accept one of two memories that disagree. */
export const appDecide = {
  name: 'app_decide',
  input: z.object({ id: z.string(), to: z.enum(['accept', ...resolutions, 'reject', 'undo']) }),
  answer: z.object({ insight: Insight }),
} satisfies AppTool<z.ZodObject, z.ZodObject>;

/** What a person decides on an insight. */
export type AppDecision = z.infer<typeof appDecide.input>['to'];
