import fs from 'node:fs/promises';
import path from 'node:path';
import { RESOURCE_MIME_TYPE, registerAppResource } from '@modelcontextprotocol/ext-apps/server';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import {
  acceptInsight,
  listInsights,
  rejectInsight,
  resolutions,
  undoInsight,
} from '@reverie/shared/contract/dreams';
import { z } from 'zod';
import { LIMIT, limit, READS, refusalOf, says, type ToolDeps, WRITES } from './answering.ts';
import { hitsOf } from './searching.ts';

const APP_URI = 'ui://reverie/app';
/** One file, made of `app/web/mcp` when the program is installed. */
const APP_FILE = path.join(import.meta.dirname, '../../../app/web/mcp/dist/index.html');
/** Insights that are shown at once: one decides on some, and the next come up. */
const INSIGHTS = 20;

/** What a tool says whose results the app shows; the shortest form that the specification of apps has. */
export const SHOWN_IN_APP = { _meta: { ui: { resourceUri: APP_URI } } };
/** What a tool says that the app alone may call, so that no model sees it. */
const BY_APP_ALONE = { _meta: { ui: { visibility: ['app'] } } };

const namespace = z.string().optional();

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
    'app_hits',
    { inputSchema: z.object({ query: z.string(), namespace, limit }), annotations: READS, ...BY_APP_ALONE },
    ({ query, namespace: within = scope.namespace, limit: most = LIMIT }) =>
      shown(async () => {
        const found = await hitsOf(client, { query, namespace: within, limit: most, explain: true });
        return { namespace: within, hits: found.shown, fits: found.fits };
      }),
  );
  server.registerTool(
    'app_insights',
    {
      inputSchema: z.object({ namespace, dream: z.string().optional() }),
      annotations: READS,
      ...BY_APP_ALONE,
    },
    ({ namespace: within = scope.namespace, dream }) =>
      shown(() => {
        const where = dream !== undefined ? { job: dream } : within === '*' ? {} : { namespace: within };
        return client(listInsights, {
          query: { ...where, status: 'proposed', order: 'kind', limit: INSIGHTS },
        });
      }),
  );
  server.registerTool(
    'app_decide',
    {
      inputSchema: z.object({ id: z.string(), to: z.enum(['accept', ...resolutions, 'reject', 'undo']) }),
      annotations: WRITES,
      ...BY_APP_ALONE,
    },
    ({ id, to }) =>
      shown(async () => {
        const params = { id };
        switch (to) {
          case 'reject':
            return { insight: await client(rejectInsight, { params }) };
          case 'undo':
            return { insight: await client(undoInsight, { params }) };
          case 'accept':
            return { insight: await client(acceptInsight, { params }) };
          case 'newer':
          case 'older':
          case 'both':
            return { insight: await client(acceptInsight, { params, body: { resolution: to } }) };
        }
      }),
  );
}

/** Answers the app in structure, or in words why not. */
async function shown(read: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    return { content: [], structuredContent: await read() };
  } catch (cause) {
    return says(refusalOf(cause), true);
  }
}
