import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { type Command, Option } from 'commander';
import {
  type ResumingAgent,
  resumeSession,
  resumingAgents,
  type SessionResume,
} from '@reverie/shared/contract/sessions/session-export';
import { Refusal } from '../../platform/home/home.ts';
import { jsonOption, whole } from '../options.ts';
import { count, note, printJson, quoted, say } from '../print.ts';
import { type Terminal, UsageError } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { sessionArgument, sessionOf } from './session-of.ts';

interface Options {
  in?: ResumingAgent;
  maxTokens?: number;
  print?: true;
  json?: true;
}

const AFTER = `
Where the agent itself wrote the session on this machine, it opens its own log (claude --resume, codex resume …).
Else it begins with a hand-over as its first prompt, with secrets taken out: that is a new session.

Examples:
  reverie sessions resume cs_01…                  in the agent that it is of
  reverie sessions resume cs_01… --in codex       in another one
  reverie sessions resume cs_01… --print          the command alone`;

/** `reverie sessions resume ID` */
export function addResume(sessions: Command, terminal: Terminal): void {
  sessions
    .command('resume')
    .description('go on with a session in a coding agent, in the folder of the session')
    .addArgument(sessionArgument())
    .addOption(
      new Option('--in <agent>', 'which agent (else the one that the session is of)').choices(resumingAgents),
    )
    .option('--max-tokens <number>', 'how long a hand-over may be, 200 to 7000 (else 2000)', whole(200))
    .option('--print', 'print the command, and run nothing')
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action((id: string, options: Options) => resume(terminal, id, options));
}

async function resume(terminal: Terminal, given: string, options: Options): Promise<void> {
  const client = await clientOf(terminal);
  const { id, agent } = await sessionOf(client, given);
  const own = resumingAgents.find((one) => one === agent);
  const wanted = options.in ?? own;
  if (wanted === undefined)
    throw new UsageError(
      `Say in which agent with --in ${resumingAgents.join(' or --in ')}; the session is of ${agent}.`,
    );
  const reply = await client(resumeSession, {
    params: { id },
    query: { in: wanted, max_tokens: options.maxTokens },
  });
  if (options.json) return printJson(terminal, reply);
  const folder = folderOf(reply);
  if (options.print) return say(terminal, commandLine(reply, folder));
  if (folder === undefined)
    note(terminal, 'The folder of the session is not on this machine: the agent begins in this folder.');
  if (reply.how === 'handover') {
    const taken = reply.redactions === 0 ? '' : `, with ${count(reply.redactions, 'secret')} taken out`;
    note(terminal, `A new session of ${reply.agent} begins with a hand-over${taken}.`);
  }
  const code = await run(terminal, reply, folder);
  if (code !== 0) terminal.exitCode = 1;
}

/** Undefined where the folder is not on this machine. */
function folderOf({ folder }: SessionResume): string | undefined {
  if (folder === null) return undefined;
  return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined;
}

/** The command for a shell of this machine, each word in quotes where it needs them. */
function commandLine({ command }: SessionResume, folder: string | undefined): string {
  const line = command.map(quoted).join(' ');
  return folder === undefined ? line : `cd ${quoted(folder)} && ${line}`;
}

/** Runs the agent on this terminal until it ends; what it is told never goes through a shell. */
async function run(
  terminal: Terminal,
  { command, agent }: SessionResume,
  folder: string | undefined,
): Promise<number> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: 'inherit', env: terminal.env, cwd: folder });
  // Ctrl-C in the agent is for the agent.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } catch (cause) {
    throw new Refusal(
      `${agent} could not be started: there is no command \`${program}\` that runs here. --print prints the command.`,
      cause,
    );
  } finally {
    process.off('SIGINT', ignore);
  }
}
