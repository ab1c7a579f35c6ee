import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { EXTENSION_ID, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server';
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { build } from 'vite';
import type { Stage } from '../stage.ts';

/** Where the test's host stands: a chat that shows the app of a call in a frame. */
const HOST = path.join(import.meta.dirname, '../../app/web/mcp/testing/host.ts');
/** What hosts allow an app that asks for nothing (specification of MCP Apps, 2026-01-26). */
const APP_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

interface Shown {
  namespace: string;
  /** The tool that the model called, and with what. */
  name: string;
  args: Record<string, unknown>;
  key: string;
  theme?: 'light' | 'dark';
  variables?: Record<string, string>;
  /** How many calls of the app fail on their way, the first ones. */
  failing?: number;
}

export interface Chat {
  page: Page;
  app: FrameLocator;
  /** Names of the tools that the app had called so far. */
  called: string[];
  close(): Promise<void>;
}

/** Shows the app beside a call of a tool, served by the stage's daemon to the official client. */
export async function openChat(
  stage: Stage,
  { namespace, name, args, key, theme = 'light', variables, failing = 0 }: Shown,
  options: BrowserContextOptions = {},
): Promise<Chat> {
  const client = new Client(
    { name: 'journey', version: '1' },
    { capabilities: { extensions: { [EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } } } },
  );
  const url = new URL(`${stage.world.daemon.origin}/mcp?tools=all`);
  const headers = { Authorization: `Bearer ${key}`, 'reverie-namespace': encodeURIComponent(namespace) };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const [resource] = (await client.readResource({ uri: 'ui://reverie/app' })).contents;
  if (resource === undefined || !('text' in resource)) throw new Error('The app is text');

  const host = `<!doctype html><html lang="en"><title>Chat</title><body style="margin:0"><iframe title="App" sandbox="allow-scripts" style="border:0;width:100%;display:block"></iframe><script type="module">${await hostScript()}</script>`;
  const server = createServer((request, response) => {
    const isApp = request.url === '/app';
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (isApp) response.setHeader('content-security-policy', APP_POLICY);
    response.end(isApp ? resource.text : host);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const page = await stage.visit({ colorScheme: theme, ...options });
  const called: string[] = [];
  await page.exposeFunction('callTool', async (params: { name: string }): Promise<CallToolResult> => {
    if (params.name.startsWith('app_') && called.push(params.name) <= failing)
      throw new Error('The server is not there');
    return client.callTool(params);
  });
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate(`show(${JSON.stringify({ name, args, theme, variables })})`);
  return {
    page,
    app: page.frameLocator('iframe'),
    called,
    close: async () => {
      await client.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function hostScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, target: 'es2024', lib: { entry: HOST, formats: ['es'] } },
  });
  const [chunk] = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  if (chunk?.type !== 'chunk') throw new Error('The host was not built');
  return chunk.code.replaceAll('</script', '<\\/script');
}
