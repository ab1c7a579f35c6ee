import path from 'node:path';
import { Argument, type Command } from 'commander';
import type { Client } from '@reverie/shared/client';
import {
  listFormats,
  listSources,
  type SessionSource,
  setSource,
} from '@reverie/shared/contract/sessions/session-sources';
import { type SessionAgent, sessionAgents } from '@reverie/shared/contract/sessions/sessions';
import { agreed, refuseUnasked } from '../confirm.ts';
import { jsonOption, yesOption } from '../options.ts';
import { count, inOneLine, note, printJson, printTable, say, shortTime, size } from '../print.ts';
import { type Terminal, UsageError } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { unreadLines } from './unread-lines.ts';

const agentArgument = () => new Argument('<agent>', 'which one').choices(sessionAgents);

/** `reverie sessions sources` */
export function addSources(sessions: Command, terminal: Terminal): void {
  sessions
    .command('sources')
    .description('which agents have logs on this machine, and which are followed; reads none of them')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const reply = await (await clientOf(terminal))(listSources, {});
      if (json) return printJson(terminal, reply);
      printTable(
        terminal,
        ['Agent', 'State', 'Files', 'Size', 'Folder'],
        reply.sources.map((source) => [
          source.agent,
          stateOf(source),
          String(source.sessions),
          terminal.stdout.isTTY ? size(source.bytes) : String(source.bytes),
          source.root,
        ]),
      );
      for (const { name, unread_lines } of reply.sources)
        if (unread_lines > 0) note(terminal, `${name}: ${unreadLines(unread_lines)}; the rest was.`);
      for (const { name, memory } of reply.sources)
        for (const { path: file, what } of memory)
          note(terminal, `${name} keeps ${what} of its own: ${file}`);
    });
}

function stateOf({ found, state }: SessionSource): string {
  if (state.kind === 'off') return found ? 'off' : 'not here';
  if (state.kind === 'reading')
    return state.of === 0 ? 'reading' : `reading, ${Math.floor((100 * state.done) / state.of)} %`;
  if (state.kind === 'failed') return `failed: ${inOneLine(state.reason)}`;
  return state.kind === 'absent' ? 'on, its folder is not here' : 'followed';
}

interface EnableOptions {
  root?: string;
  yes?: boolean;
  json?: true;
}

/** `reverie sessions enable AGENT` */
export function addEnable(sessions: Command, terminal: Terminal): void {
  sessions
    .command('enable')
    .description("read an agent's logs and follow them; shows what would be read, and asks first")
    .addArgument(agentArgument())
    .option('--root <folder>', 'where its logs lie, where that is not the usual place')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action((agent: SessionAgent, options: EnableOptions) => enable(terminal, agent, options));
}

async function enable(
  terminal: Terminal,
  agent: SessionAgent,
  { root, yes = false, json }: EnableOptions,
): Promise<void> {
  const what = `The logs of ${agent} would be read.`;
  refuseUnasked(terminal, { what, yes });
  const client = await clientOf(terminal);
  const before = await sourceOf(client, agent);
  const wanted = root === undefined ? before.root : path.resolve(root);
  if (before.enabled && wanted === before.root) {
    if (json) return printJson(terminal, before);
    return say(terminal, `${before.name} is followed already, in ${before.root}.`);
  }
  if (before.enabled)
    throw new UsageError(
      `${before.name} is followed in ${before.root}. \`reverie sessions disable ${agent}\` ends that first.`,
    );
  // Where they lie is said first, still without agreeing, so that what is shown is what lies there.
  const source =
    wanted === before.root
      ? before
      : await client(setSource, { params: { agent }, body: { enabled: false, root: wanted } });
  showSource(terminal, source);
  if (
    !(await agreed(terminal, {
      what: 'All of these are read, and what is added to them.',
      type: 'enable',
      yes,
    }))
  ) {
    if (wanted !== before.root)
      await client(setSource, { params: { agent }, body: { enabled: false, root: before.root } });
    note(terminal, 'Nothing was read.');
    terminal.exitCode = 1;
    return;
  }
  const reply = await client(setSource, { params: { agent }, body: { enabled: true } });
  if (json) return printJson(terminal, reply);
  say(terminal, `Following ${reply.name}, in ${reply.root}.`);
  note(terminal, '`reverie sessions sources` shows how far it is, `reverie sessions` what was found.');
}

async function sourceOf(client: Client, agent: SessionAgent): Promise<SessionSource> {
  const { sources } = await client(listSources, {});
  const found = sources.find((one) => one.agent === agent);
  if (found) return found;
  const known = sources.map((one) => one.agent).join(', ');
  throw new UsageError(`The logs of ${agent} cannot be read by this version; there are ${known}.`);
}

/** What would be read, on stderr. */
function showSource(
  terminal: Terminal,
  { name, root, found, sessions, bytes, sample, memory }: SessionSource,
): void {
  const files = count(sessions, 'file');
  note(
    terminal,
    found ? `${name}: ${files}, ${size(bytes)}, in ${root}` : `${name}: there is no folder ${root} yet`,
  );
  for (const file of sample) note(terminal, `  ${inOneLine(file)}`);
  if (sessions > sample.length) note(terminal, `  … and ${count(sessions - sample.length, 'more file')}`);
  for (const { path: file, what } of memory) note(terminal, `It keeps ${what} of its own: ${file}`);
}

/** `reverie sessions disable AGENT` */
export function addDisable(sessions: Command, terminal: Terminal): void {
  sessions
    .command('disable')
    .description("stop reading an agent's logs; the sessions that were read stay")
    .addArgument(agentArgument())
    .addOption(jsonOption())
    .action(async (agent: SessionAgent, { json }: { json?: true }) => {
      const client = await clientOf(terminal);
      await sourceOf(client, agent);
      const reply = await client(setSource, { params: { agent }, body: { enabled: false } });
      if (json) return printJson(terminal, reply);
      say(terminal, `${reply.name} is not followed any more; the sessions that were read stay.`);
    });
}

/** `reverie sessions formats` */
export function addFormats(sessions: Command, terminal: Terminal): void {
  sessions
    .command('formats')
    .description('which kinds of records were met in the logs, and which of them are not known')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const reply = await (await clientOf(terminal))(listFormats, {});
      if (json) return printJson(terminal, reply);
      const { isTTY } = terminal.stdout;
      printTable(
        terminal,
        ['Agent', 'Version', 'Record', 'Known', 'Met', 'Last'],
        reply.formats.map(({ agent, version, record, known, count: met, last_at }) => [
          ...[agent, version ?? '', record, known ? 'yes' : 'no', String(met)],
          isTTY ? shortTime(last_at) : last_at,
        ]),
      );
      for (const { agent, lines } of reply.malformed)
        note(terminal, `${agent}: ${unreadLines(lines)}; the rest was.`);
      if (isTTY && reply.formats.length === 0) note(terminal, 'No log was read yet.');
    });
}
