import type { Command } from 'commander';
import {
  AGENT_DEFAULT,
  agentAt,
  findModels,
  type FoundServer,
  type ModelUse,
  modelsState,
  serverTitles,
} from '@reverie/shared/contract/system/models';
import type { Received } from '@reverie/shared/contract/route';
import { connect } from '../connection.ts';
import { jsonOption } from '../options.ts';
import { count, inOneLine, note, printJson, printTable, say, shortTime, size, visible } from '../print.ts';
import { homeOf, type Terminal } from '../terminal.ts';
import { percentOf } from './progress.ts';

type State = Received<typeof modelsState>;

/** `reverie models`: what each part uses and what it spent, and what is on this machine. */
export function addShowModels(models: Command, terminal: Terminal): void {
  models
    .command('show', { isDefault: true })
    .description('what is used, found and offered; what `reverie models` alone does')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const [state, found] = await Promise.all([client(modelsState, {}), client(findModels, {})]);
      if (json) return printJson(terminal, { ...state, found });
      sayUses(terminal, state);
      sayLast(terminal, state);
      sayAgents(terminal, found.servers);
      sayServers(
        terminal,
        found.servers.filter(({ url }) => agentAt(url) === undefined),
      );
      if (found.install) {
        note(terminal, '\nNo model server runs on this machine.');
        note(terminal, found.install.text);
        note(terminal, found.install.url);
      }
      if (found.offered.length > 0 && terminal.stdout.isTTY)
        say(terminal, '\nOllama can get (`reverie models get NAME`):');
      printTable(
        terminal,
        ['Name', 'Size', 'Licence', 'For', 'About'],
        found.offered.map((model) => [
          ...[model.name, size(model.bytes), model.licence, model.for.join(', '), model.about],
        ]),
      );
    });
}

const PARTS = { ask: 'Ask:', dreams: 'Dreams:', vectors: 'Vectors:' } as const;
const WORDS = {
  ok: 'it is well',
  catching_up: 'it is catching up',
  down: 'it is down',
  off: 'no model',
} as const;
const WITHOUT = {
  ask: 'no model; answers are quoted',
  dreams: 'no model; rules alone',
  vectors: 'what comes with Reverie',
} as const;

/** What each part uses, how that does, and what was spent, a line for each. */
export function sayUses(terminal: Terminal, { uses }: Pick<State, 'uses'>): void {
  for (const use of uses) say(terminal, `${PARTS[use.part].padEnd(9)}${aboutUse(use)}`);
}

function aboutUse(use: ModelUse): string {
  const { part, name, server, state, since, error } = use;
  const isWithout = server === null || state === 'off';
  const what = isWithout ? WITHOUT[part] : modelWords(server, name ?? '?');
  const how = state === 'off' || (isWithout && state === 'ok') ? '' : `, ${WORDS[state]}${sinceOf(since)}`;
  const wrong = error === null ? '' : `: ${inOneLine(error)}`;
  return `${what}${how}${wrong}${spentOf(use)}`;
}

function modelWords(server: string, name: string): string {
  const kind = agentAt(server);
  if (kind === undefined) return `${inOneLine(name)} at ${inOneLine(server)}`;
  return name === AGENT_DEFAULT ? serverTitles[kind] : `${inOneLine(name)} of ${serverTitles[kind]}`;
}

function sinceOf(since: string | null): string {
  return since === null ? '' : ` since ${shortTime(since)}`;
}

function spentOf({ spent, tokens_per_day, tokens_per_month }: ModelUse): string {
  if (spent.calls_month === 0) return '';
  const failed = spent.failed_month > 0 ? `, ${spent.failed_month} failed` : '';
  const today = `${ofLimit(spent.tokens_today, tokens_per_day)} tokens today`;
  const month = `${ofLimit(spent.tokens_month, tokens_per_month)} this month`;
  return `; ${today}, ${month} in ${count(spent.calls_month, 'call')}${failed}${paidBy(spent.by)}`;
}

function ofLimit(tokens: number, limit: number | null): string {
  const most = limit === null ? '' : ` of ${limit.toLocaleString('en-GB')}`;
  return `${tokens.toLocaleString('en-GB')}${most}`;
}

/** For whom, where that is not this machine alone. */
function paidBy(by: ModelUse['spent']['by']): string {
  if (by.length < 2) return '';
  const each = by.map(
    ({ name, tokens_month }) => `${inOneLine(name)} ${tokens_month.toLocaleString('en-GB')}`,
  );
  return ` (${each.join(', ')})`;
}

/** What is under way, or ended so that there is something left to do. */
function sayLast(terminal: Terminal, { pull, examination }: State): void {
  if (pull?.status === 'running') note(terminal, `${inOneLine(pull.name)} is being got: ${percentOf(pull)}.`);
  if (pull?.status === 'stopped')
    note(
      terminal,
      `${inOneLine(pull.name)} was stopped at ${percentOf(pull)}; \`reverie models get ${inOneLine(pull.name)}\` goes on.`,
    );
  if (pull?.status === 'failed')
    note(
      terminal,
      `${inOneLine(pull.name)} could not be got: ${visible(pull.error ?? 'it is not known why')}`,
    );
  if (examination?.status === 'done' && examination.verdict !== null)
    note(terminal, `${inOneLine(examination.name)} was examined: ${visible(examination.verdict)}`);
}

function sayAgents(terminal: Terminal, servers: readonly FoundServer[]): void {
  const agents = servers.flatMap(({ kind, version, consent }) =>
    consent ? [{ kind, version, consent }] : [],
  );
  if (agents.length > 0 && terminal.stdout.isTTY)
    say(
      terminal,
      '\nCoding agents of this machine (`reverie models use NAME`; nothing is sent before you agree):',
    );
  printTable(
    terminal,
    ['Name', 'Agent', 'Version', 'Sends to', 'Agreed'],
    agents.map(({ kind, version, consent: { vendor, given_at: at } }) => [
      ...[kind, serverTitles[kind], version ?? '', visible(vendor), at === null ? 'no' : shortTime(at)],
    ]),
  );
}

function sayServers(terminal: Terminal, servers: readonly FoundServer[]): void {
  if (servers.length > 0 && terminal.stdout.isTTY) say(terminal, '\nOn this machine:');
  for (const { kind, url, models, needs_key: locked } of servers) {
    if (locked)
      note(
        terminal,
        `${serverTitles[kind]} at ${url} wants a key: \`reverie secret set llm\` before you use it.`,
      );
    else if (models.length === 0) note(terminal, `${serverTitles[kind]} at ${url} has no models.`);
  }
  printTable(
    terminal,
    ['Model', 'Server', 'At', 'Size', 'Reads', 'Can'],
    servers.flatMap(({ kind, url, models }) =>
      models.map(({ name, bytes, context, can }) => [
        ...[name, serverTitles[kind], url, bytes === null ? '' : size(bytes)],
        ...[context === null ? '' : count(context, 'token'), can.join(', ')],
      ]),
    ),
  );
}
