import { McpServer } from '@modelcontextprotocol/server';
import { INSTRUCTIONS } from './instructions.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import type { ToolDeps } from './answering.ts';
import { registerApp } from './app-tools.ts';
import { registerOtherTools } from './other-tools.ts';
import { registerSessionTools } from './session-tools.ts';
import { registerCoreTools } from './tools.ts';

/** Which tools an agent is shown. */
export type ToolSet = 'core' | 'all';

/** How a server shows itself. */
interface Shown {
  tools: ToolSet;
  /** Of this program. */
  version: string;
}

/** A server for one request: nothing is kept between two of them, so that a restart of the daemon is not noticed. */
export function createMcpServer(given: Omit<ToolDeps, 'hasAllTools'>, { tools, version }: Shown): McpServer {
  const deps = { ...given, hasAllTools: tools === 'all' };
  const server = new McpServer(
    { name: 'reverie', title: 'Reverie', version },
    { instructions: INSTRUCTIONS },
  );
  registerCoreTools(server, deps);
  if (tools === 'all') {
    registerOtherTools(server, deps);
    registerSessionTools(server, deps);
  }
  if (deps.showsApps) registerApp(server, deps);
  registerResources(server, deps);
  registerPrompts(server, deps);
  return server;
}
