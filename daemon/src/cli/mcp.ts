import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { Namespace } from '@reverie/shared/contract/fields';
import { saysItShowsApps } from '../mcp/tools/apps.ts';
import { servedLines } from '../mcp/door.ts';
import { createMcpServer, type ToolSet, toolSetsOf } from '../mcp/server.ts';
import type { AgentScope } from '../mcp/scope.ts';
import { INSIDE_MODEL } from '../models/agents/environment.ts';
import { keyFileOf, Refusal } from '../platform/home/home.ts';
import { projectOf } from '../platform/project.ts';
import { VERSION } from '../version.ts';
import { dial } from './dial.ts';
import { note } from './print.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

interface Options {
  tools: ReadonlySet<ToolSet>;
  namespace?: string;
  agent?: string;
  keyFile?: string;
}

const AFTER = `
It is started by an agent, not by hand. The namespace is that of the Git repository of the folder in which it is started
(its remote, so that clones and worktrees share it), unless -n or REVERIE_NAMESPACE names one.

Examples:
  reverie connect claude-code                writes it into the agent's own files
  claude mcp add reverie -- reverie mcp      the same by the agent, with the key that all agents share`;

/** A JSON-RPC message may carry a memory of a mebibyte with each byte escaped. */
const LONGEST_MESSAGE = 10 * 1024 * 1024;

/** `reverie mcp`: memory for an agent, over its standard input and output. */
export function addMcp(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .description('serve memory to a coding agent over MCP (standard input and output)')
    .addOption(
      new Option('--tools <sets>', 'which tools it is shown: core, files or all, several with commas between')
        .argParser(setsIn)
        .default(toolSetsOf('core'), 'core'),
    )
    .option('-n, --namespace <name>', 'the namespace, instead of that of the project')
    .option('--agent <name>', 'who it is: its key is keys/NAME in the home, if there is one')
    .addOption(new Option('--key-file <file>', 'the file of its key').conflicts('agent'))
    .addHelpText('after', AFTER)
    .action(async (options: Options) => {
      if (terminal.env[INSIDE_MODEL])
        throw new Refusal(
          'Reverie asks this agent as a model, and serves it nothing: it would be asked by itself.',
        );
      const home = homeOf(terminal);
      const client = dial({
        home,
        env: terminal.env,
        keyFile: options.keyFile ?? keyFileOf(home, options.agent),
        tell: (sentence) => note(terminal, sentence),
      });
      const scope = scopeHere(terminal, options);
      const lines = servedLines(terminal.stdin, {
        longest: LONGEST_MESSAGE,
        refuse(refusal) {
          note(terminal, refusal.error.message);
          terminal.stdout.write(`${JSON.stringify(refusal)}\n`);
        },
      });
      const transport = new StdioServerTransport(Readable.from(lines), terminal.stdout, {
        // Its own limit is one of bytes, for the line and what came with it.
        maxBufferSize: 4 * LONGEST_MESSAGE,
      });
      const agent = options.agent ?? path.basename(options.keyFile ?? 'agent');
      // The agent starts one of these for each of its sessions, and does not say how it calls it.
      const session = `mcp-${randomUUID()}`;
      let showsApps = false;
      const served = serveStdio(
        () =>
          createMcpServer(
            { client, scope, agent, session, showsApps },
            { tools: options.tools, version: VERSION },
          ),
        {
          // The server is made when the first message is there, which says what its client shows.
          transport: overheard(transport, (message) => (showsApps ||= saysItShowsApps(message))),
          onerror: ({ message }) => note(terminal, message),
        },
      );
      await once(terminal.stdin, 'close');
      await served.close();
    });
}

function setsIn(names: string): ReadonlySet<ToolSet> {
  try {
    return toolSetsOf(names);
  } catch (cause) {
    throw new InvalidArgumentError(cause instanceof Error ? `${cause.message}.` : String(cause));
  }
}

/** The same transport, of which each message is looked at before it is served. */
function overheard(wire: Transport, look: (message: unknown) => void): Transport {
  const outer: Transport = {
    start: () => {
      wire.onmessage = (message, extra) => {
        look(message);
        outer.onmessage?.(message, extra);
      };
      wire.onclose = () => outer.onclose?.();
      wire.onerror = (error) => outer.onerror?.(error);
      return wire.start();
    },
    send: (message, options) => wire.send(message, options),
    close: () => wire.close(),
  };
  return outer;
}

/** Where an agent works: what it was told, else the project of its folder, else nothing that it could name. */
function scopeHere({ env }: Terminal, { namespace: given }: Options): AgentScope {
  const said = given ?? env['REVERIE_NAMESPACE'];
  const folder = process.cwd();
  if (said !== undefined && said !== '') {
    const parsed = Namespace.safeParse(said);
    if (!parsed.success)
      throw new UsageError(`The namespace ${parsed.error.issues[0]?.message ?? 'is none'}.`);
    return { namespace: parsed.data, isNamed: true, folder };
  }
  const project = projectOf(folder);
  return project
    ? { namespace: project.namespace, isNamed: true, folder }
    : { namespace: 'default', isNamed: false };
}
