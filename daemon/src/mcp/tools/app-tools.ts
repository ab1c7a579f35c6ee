import fs from 'node:fs/promises';
import path from 'node:path';
import { RESOURCE_MIME_TYPE, registerAppResource } from '@modelcontextprotocol/ext-apps/server';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { Client } from '@reverie/shared/client';
import {
  type AppDecision,
  appDecide,
  appHits,
  appInsights,
  type AppTool,
} from '@reverie/shared/contract/agents/app-tools';
import {
  acceptInsight,
  type Insight,
  listInsights,
  rejectInsight,
  undoInsight,
} from '@reverie/shared/contract/dreams/dreams';
import { nullsLeftOut } from '@reverie/shared/contract/nulls-left-out';
import type { z } from 'zod';
import { LIMIT, READS, refusalOf, says, type ToolDeps, WRITES } from './answering.ts';
import { hitsOf } from './searching.ts';

const APP_URI = 'ui://reverie/app';
/** One file, made of `app/web/mcp` when the program is installed. */
const APP_FILE = path.join(import.meta.dirname, '../../../../app/web/mcp/dist/index.html');
/** Insights that are shown at once: one decides on some, and the next come up. */
const INSIGHTS = 20;

/** The metadata of a tool whose results the app shows, in the shortest form that the specification of apps has. */
export const SHOWN_IN_APP = { _meta: { ui: { resourceUri: APP_URI } } };
/** What a tool says that the app alone may call, so that no model sees it. */
const BY_APP_ALONE = { _meta: { ui: { visibility: ['app'] } } };

/**
 * The app that a client shows in the conversation: why something was found, and deciding on insights. Its tools answer in structure,
 * and hosts offer them to the app alone: what is decided there is a click of the person.
 */
export function registerApp(server: McpServer, { client, scope }: ToolDeps): void {
  registerAppResource(
    server,
    'app',
    APP_URI,
    { title: 'Memory', description: 'Why it was found, and what dreams propose' },
    async () => ({
      contents: [
        {
          uri: APP_URI,
          mimeType: RESOURCE_MIME_TYPE,
          text: await fs.readFile(APP_FILE, 'utf8'),
          // It loads nothing and calls nobody: all it knows comes through its host.
          _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
        },
      ],
    }),
  );
  server.registerTool(
    appHits.name,
    { inputSchema: nullsLeftOut(appHits.input), annotations: READS, ...BY_APP_ALONE },
    ({ query, queries, namespace = scope.namespace, limit = LIMIT }) =>
      answered(appHits, async () => {
        const { shown, fits } = await hitsOf(client, {
          query,
          namespace,
          limit,
          explain: true,
          ...(queries && { queries }),
        });
        return { namespace, hits: shown, fits };
      }),
  );
  server.registerTool(
    appInsights.name,
    { inputSchema: nullsLeftOut(appInsights.input), annotations: READS, ...BY_APP_ALONE },
    ({ namespace = scope.namespace, dream }) =>
      answered(appInsights, async () => {
        const of = dream !== undefined ? { job: dream } : namespace === '*' ? {} : { namespace };
        const query = { ...of, waiting: 'true', order: 'kind', limit: INSIGHTS } as const;
        const { insights, next } = await client(listInsights, { query });
        return { insights, next };
      }),
  );
  server.registerTool(
    appDecide.name,
    { inputSchema: nullsLeftOut(appDecide.input), annotations: WRITES, ...BY_APP_ALONE },
    ({ id, to }) => answered(appDecide, async () => ({ insight: await decided(client, id, to) })),
  );
}

function decided(client: Client, id: string, to: AppDecision): Promise<Insight> {
  const params = { id };
  switch (to) {
    case 'accept':
      return client(acceptInsight, { params });
    case 'newer':
    case 'older':
    case 'both':
      return client(acceptInsight, { params, body: { resolution: to } });
    case 'reject':
      return client(rejectInsight, { params });
    case 'undo':
      return client(undoInsight, { params });
  }
}

/** Answers the app in structure, or in words why not. */
async function answered<Answer extends z.ZodObject>(
  _tool: AppTool<z.ZodObject, Answer>,
  read: () => Promise<z.input<Answer>>,
): Promise<CallToolResult> {
  try {
    return { content: [], structuredContent: await read() };
  } catch (cause) {
    return says(refusalOf(cause), true);
  }
}
