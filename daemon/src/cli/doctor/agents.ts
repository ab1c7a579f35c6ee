import { spawn } from 'node:child_process';
import path from 'node:path';
import { parse as parseToml } from '@decimalturn/toml-patch';
import { createClient } from '@reverie/shared/client';
import { agentTitles } from '@reverie/shared/contract/sessions/coding-agents';
import { type HookAgent, type HookEvent, listHooks } from '@reverie/shared/contract/agents/hooks';
import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import { z } from 'zod';
import { agentOf } from '@reverie/agent-connect/agents';
import { CannotEdit } from '@reverie/agent-connect/cannot-edit';
import type { ConfigEntry } from '@reverie/agent-connect/config-entry';
import { has } from '@reverie/agent-connect/edit';
import { readText } from '../../connect/files.ts';
import { type AgentConnection, readLedger } from '../../connect/ledger.ts';
import { type Home, keyFileOf, readPrivateFile } from '../../platform/home/home.ts';
import { connect } from '../connection.ts';
import { count } from '../print.ts';
import { type DoctorFinding, fine, type Patient, problem, reasonOf, warning } from './finding.ts';

type Firings = readonly { agent: HookAgent; event: HookEvent; fired: number; doubled: number }[];

/** How each connected agent does: its files, its key, a call through all of it, and its hooks. */
export async function checkAgents({ home, env }: Patient): Promise<DoctorFinding[]> {
  const connections = readLedger(home);
  if (connections.length === 0)
    return [warning('Agents', 'none is connected', '`reverie connect` lists those that can be.')];
  const { client, origin } = await connect(home, env);
  const { hooks } = await client(listHooks, {});
  const findings: DoctorFinding[] = [];
  for (const connection of connections) {
    const check = nameOf(connection);
    const again = `Run \`${commandOf(connection)}\` again.`;
    const missing = missingOf(connection);
    if (missing.length > 0) {
      findings.push(problem(check, `what was put in is not there any more in ${missing.join(', ')}`, again));
      continue;
    }
    const file = keyFileOf(home, connection.agent);
    try {
      const key = readPrivateFile(file)?.trim();
      if (key === undefined) throw new Error(`there is no key in ${file}`);
      await createClient({ origin, key: () => key })(listNamespaces, {});
    } catch (cause) {
      findings.push(
        problem(
          check,
          `its key does not work (${reasonOf(cause)})`,
          `\`${commandOf(connection, 'disconnect')}\`, and connect it again.`,
        ),
      );
      continue;
    }
    try {
      const tools = await roundTrip(serverOf(connection), env);
      findings.push(fine(check, `it answers with ${tools} tools, by the command that stands in its file`));
    } catch (cause) {
      findings.push(
        problem(check, `the command that stands in its file does not answer (${reasonOf(cause)})`, again),
      );
    }
    findings.push(...checkHooks(check, connection, hooks));
    const unread = unreadCallOf(home, connection);
    if (unread !== undefined)
      findings.push(
        warning(
          check,
          `the last call of its hooks could not be read: ${unread}`,
          `It is written down in ${hookLogOf(home)}. Update the agent; if this stays, say so in an issue, with the agent's version.`,
        ),
      );
  }
  return findings;
}

const nameOf = ({ agent, project }: AgentConnection) =>
  `${agentTitles[agent]}${project === null ? '' : ` in ${path.basename(project)}`}`;

const commandOf = ({ agent, project }: AgentConnection, how = 'connect') =>
  `reverie ${how} ${agent}${project === null ? '' : ' --project'}`;

/** Files in which something of ours is missing. */
function missingOf({ files }: AgentConnection): string[] {
  return files
    .filter(({ path: file, entries }) => {
      const text = textOf(file);
      return text === undefined || !entries.every(({ entry }) => has(text, entry));
    })
    .map(({ path: file }) => file);
}

/** A file's text; undefined where there is none, or none that could be read. */
function textOf(file: string): string | undefined {
  try {
    return readText(file);
  } catch (cause) {
    if (cause instanceof CannotEdit) return undefined;
    throw cause;
  }
}

function checkHooks(check: string, { agent, files }: AgentConnection, firings: Firings): DoctorFinding[] {
  const { hooks } = agentOf(agent);
  const isHook = (entry: ConfigEntry) => entry.kind === 'item' || entry.kind === 'whole';
  const installed = files.some(({ entries }) => entries.some(({ entry }) => isHook(entry)));
  if (!hooks || !installed) return [];
  const of = firings.filter((one) => one.agent === agent);
  const fired = sum(of, 'fired');
  if (fired === 0)
    return [
      warning(
        check,
        'its hooks were never called',
        hooks.trust ??
          `Start a session in ${agentTitles[agent]}; if this stays, its hooks are turned off there.`,
      ),
    ];
  // One now and then is a session that somebody resumed twice; and Gemini CLI says twice that one ends.
  const begun = of.filter(({ event }) => event !== 'end');
  const doubled = sum(begun, 'doubled');
  if (doubled * OFTEN > sum(begun, 'fired'))
    return [
      warning(
        check,
        `its hooks were called ${count(fired, 'time')}, and ${count(doubled, 'time')} a second time`,
        'They count once. They are installed twice, or another agent runs them as well (Cursor and VS Code run those of Claude Code): take one of them out.',
      ),
    ];
  return [fine(check, `its hooks were called ${count(fired, 'time')}`)];
}

/** Hooks that are installed twice are doubled at every call: one in so many says so. */
const OFTEN = 4;

const hookLogOf = ({ folder }: Pick<Home, 'folder'>) => path.join(folder, 'logs/hooks.log');

/** When and why the last call of an agent's hook that printed nothing could not be read, as `bin/hook.cjs` writes it; undefined where it was read. */
function unreadCallOf(home: Home, { agent }: AgentConnection): string | undefined {
  const lines = (textOf(hookLogOf(home)) ?? '').trimEnd().split('\n');
  const last = lines.findLast((line) => line.split(': ', 1)[0]?.endsWith(` ${agent}`));
  const [, at, why] = /^(\S+) [^:]*: (the input .*)$/.exec(last ?? '') ?? [];
  return why === undefined ? undefined : `${why} (${at})`;
}

const sum = (of: Firings, what: 'fired' | 'doubled') => of.reduce((total, one) => total + one[what], 0);

const Written = z.union([
  z.object({ command: z.array(z.string()) }).transform(({ command }) => command),
  z
    .object({ command: z.string(), args: z.array(z.string()) })
    .transform(({ command, args }) => [command, ...args]),
]);
const WrittenToml = z.object({ mcp_servers: z.object({ reverie: Written }) });

/** The command that stands in an agent's file, as it starts it. */
function serverOf({ files }: AgentConnection): readonly string[] {
  for (const { entries } of files)
    for (const { entry } of entries) {
      if (entry.kind === 'table') return WrittenToml.parse(parseToml(entry.text)).mcp_servers.reverie;
      if (entry.kind === 'value') return Written.parse(entry.value);
    }
  throw new Error('no server was put into its files');
}

const GIVE_UP_MS = 20_000;
const Reply = z.object({
  id: z.number().optional(),
  result: z.object({ tools: z.array(z.unknown()).optional() }).optional(),
});

/** Starts a server as an agent does, and has it list its tools; answers how many there are. */
function roundTrip([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const late = setTimeout(() => end(new Error(`no answer within ${GIVE_UP_MS / 1_000} s`)), GIVE_UP_MS);
    let said = '';
    const end = (result: Error | number) => {
      clearTimeout(late);
      server.kill();
      if (typeof result === 'number') resolve(result);
      else reject(result);
    };
    server.on('error', end);
    server.on('exit', (code) => end(new Error(`it ended with ${code ?? 'a signal'}`)));
    server.stdin.on('error', end);
    server.stdout.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
      for (let line = said.indexOf('\n'); line >= 0; line = said.indexOf('\n')) {
        const tools = toolsIn(said.slice(0, line));
        said = said.slice(line + 1);
        if (tools !== undefined) end(tools);
      }
    });
    const clientInfo = { name: 'reverie doctor', version: '1' };
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list', params: {} },
    ];
    for (const message of messages) server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  });
}

function toolsIn(line: string): number | undefined {
  const reply = Reply.safeParse(JSON.parse(line));
  return reply.success && reply.data.id === 2 ? (reply.data.result?.tools?.length ?? 0) : undefined;
}
