import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, type Client } from '@reverie/shared/client';
import { limits } from '@reverie/shared/contract/fields';
import { recordRecall, type RecallWay } from '@reverie/shared/contract/agents/recalls';
import { z } from 'zod';
import { sayFolder } from '../anchoring.ts';
import { LEAST_TOKENS, type Recalled, tell, type ToolReply, tokensOf } from '../reply.ts';
import type { AgentScope } from '../scope.ts';

/** What tools work with: the daemon's own routes, with the key of who asks. */
export interface ToolDeps {
  client: Client;
  scope: AgentScope;
  /** Who asks, as messages name their sender. */
  agent: string;
  /** Of the agent, where it is known: for the receipts. */
  session: string | null;
  /** Whether it has every tool: then replies say under which id they are written down, so that they can be judged. */
  hasAllTools: boolean;
  /** Whether its client shows apps in the conversation. */
  showsApps: boolean;
}

/** Hits of a search or messages where the call does not say how many. */
export const LIMIT = 8;
const MOST = 50;
/** Tokens of a reply where the call does not say how many. */
export const MAX_TOKENS = 2_000;

export const namespace = z.string().optional().describe('Default: this project; "*" is all');
export const oneNamespace = z.string().optional().describe('Default: this project');
export const max_tokens = z.int().min(LEAST_TOKENS).max(20_000).optional().describe(`Default ${MAX_TOKENS}`);
export const limit = z.int().min(1).max(MOST).optional();
/** More wordings of a query or a question: a model words what was asked as a note may, search does not. */
export const queries = z.array(z.string()).max(limits.wordings).optional();
export const READS = { readOnlyHint: true, openWorldHint: false } as const;
export const WRITES = { destructiveHint: false, openWorldHint: false } as const;

interface Answering extends ToolDeps {
  /** The namespace that the call names, if it does. */
  within: string | undefined;
  tokens: number | undefined;
}

/** What a tool did, and how what it shows came before the agent, where that is written down. */
export type Done = Omit<ToolReply, 'scope'> & {
  recall?: {
    way: RecallWay;
    query?: string;
    /** Of which memories lines are shown, where no piece of the reply is of one of them alone. */
    memories?: readonly Recalled[];
  };
};

/** Does what a tool does in its namespace, and says in which; refusals come with what to do next. */
export async function answered(
  { within, tokens, ...deps }: Answering,
  act: (namespace: string) => Promise<Done>,
): Promise<CallToolResult> {
  const { scope } = deps;
  const namespace = within ?? scope.namespace;
  const isUnsaid = within === undefined && !scope.isNamed;
  const where = `namespace: ${JSON.stringify(namespace)}${
    isUnsaid ? ' (no project was named with this connection; pass `namespace` for another)' : ''
  }`;
  try {
    await sayFolder(deps.client, scope);
    const { recall, ...done } = await act(namespace);
    const room = Math.max(LEAST_TOKENS, tokens ?? MAX_TOKENS) - (recall ? RECEIPT_TOKENS : 0);
    const told = tell({ ...done, scope: where }, room);
    const memories = recall?.memories ?? told.shown;
    if (!recall || memories.length === 0) return says(told.text);
    const shown = { ...recall, namespace, tokens: tokensOf(told.text), memories };
    return says(`${told.text}${await receiptOf(deps, shown)}`);
  } catch (cause) {
    return says(`${where}\n${refusalOf(cause)}`, true);
  }
}

/** What a refusal of the daemon says, and what to do next; whatever else went wrong is thrown on. */
export function refusalOf(cause: unknown): string {
  if (!(cause instanceof ApiError)) throw cause;
  const fields = cause.errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return `Not done (${cause.code}): ${cause.message}${fields === '' ? '' : `: ${fields}`}. ${NEXT[cause.code] ?? ''}`.trim();
}

/** A reply that is one text. */
export function says(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}

/** What a reply says of its receipt takes at most so many tokens. */
const RECEIPT_TOKENS = 24;

interface Shown {
  way: RecallWay;
  query?: string;
  namespace: string;
  tokens: number;
  memories: readonly Recalled[];
}

/** Writes down what is shown, and says what the agent should know of it: the reply is given in any case. */
async function receiptOf(
  { client, agent, session, hasAllTools }: Pick<ToolDeps, 'client' | 'agent' | 'session' | 'hasAllTools'>,
  { memories, ...shown }: Shown,
): Promise<string> {
  const body = { ...shown, agent, ...(session !== null && { session }), memories: [...memories] };
  try {
    const { id } = await client(recordRecall, { body });
    return id !== null && hasAllTools ? `\n(recall ${id}: memory_feedback says whether it helped)` : '';
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    return `\n(Not written down as recalled: ${cause.code}.)`;
  }
}

/** What an agent does about a refusal, where its message does not say it. */
const NEXT: Readonly<Partial<Record<ApiError['code'], string>>> = {
  memory_not_found: 'Search for it: its key may be another.',
  forbidden_scope: 'The user can give this key more, or another key.',
  quota_exceeded: 'Tell the user; it is counted anew next month.',
  rate_limited: 'Wait, and try again later.',
  disk_full: 'Tell the user that their disk is full: nothing was saved.',
};
