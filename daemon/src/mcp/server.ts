import { McpServer } from '@modelcontextprotocol/server';
import { registerFileTools } from './tools/file-tools.ts';
import { FILES_ALONE, INSTRUCTIONS, WITH_FILES } from './instructions.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import type { ToolDeps } from './tools/answering.ts';
import { registerApp } from './tools/app-tools.ts';
import { registerOtherTools } from './tools/other-tools.ts';
import { registerSessionTools } from './tools/session-tools.ts';
import { registerCoreTools } from './tools/tools.ts';

/** Groups of tools that an agent is shown; `all` has the others, too. */
export const toolSets = ['core', 'files', 'all'] as const;
export type ToolSet = (typeof toolSets)[number];

/** Reads names of groups with commas between them. Throws a sentence where one is none. */
export function toolSetsOf(names: string): ReadonlySet<ToolSet> {
  const sets = names.split(',').map((name) => {
    const found = toolSets.find((set) => set === name.trim());
    if (!found)
      throw new Error(
        `The tools ${JSON.stringify(name.slice(0, 40))} are none; allowed: ${toolSets.join(', ')}, several with commas between them`,
      );
    return found;
  });
  return new Set(sets.includes('all') ? toolSets : sets);
}

/** How a server shows itself. */
interface Shown {
  tools: ReadonlySet<ToolSet>;
  /** Of this program. */
  version: string;
}

/** A server for one request: nothing is kept between two of them, so that a restart of the daemon is not noticed. */
export function createMcpServer(given: Omit<ToolDeps, 'hasAllTools'>, { tools, version }: Shown): McpServer {
  const deps = { ...given, hasAllTools: tools.has('all') };
  const server = new McpServer(
    { name: 'reverie', title: 'Reverie', version },
    { instructions: instructionsFor(tools) },
  );
  if (tools.has('core')) registerCoreTools(server, deps);
  if (tools.has('files')) registerFileTools(server, deps);
  if (tools.has('all')) {
    registerOtherTools(server, deps);
    registerSessionTools(server, deps);
  }
  if (deps.showsApps) registerApp(server, deps);
  registerResources(server, deps);
  registerPrompts(server, deps);
  return server;
}

function instructionsFor(tools: ReadonlySet<ToolSet>): string {
  if (!tools.has('core')) return FILES_ALONE;
  return tools.has('files') ? `${INSTRUCTIONS}\n${WITH_FILES}` : INSTRUCTIONS;
}
