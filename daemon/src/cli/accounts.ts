import { Argument, type Command } from 'commander';
import {
  type Account,
  adoptMemories,
  deleteAccount,
  getAccount,
  listAccounts,
  updateAccount,
} from '@reverie/shared/contract/accounts/accounts';
import { agreed } from './confirm.ts';
import { connect } from './connection.ts';
import { jsonOption, yesOption } from './options.ts';
import { count, note, printJson, printTable, say, shortTime, size } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie accounts                              who signed up, and what they hold
  reverie accounts show acc_01…                 one of them
  reverie accounts tier acc_01… pro             let it store and recall more
  reverie accounts adopt acc_01… --dry-run      what would come into your own memories
  reverie accounts adopt acc_01… --into agents  copy all of it into one namespace
  reverie accounts remove acc_01…               delete it with everything`;

interface AdoptOptions {
  namespace?: string;
  into?: string;
  keepBoth?: true;
  dryRun?: true;
  json?: true;
}

/** `reverie accounts [list|show|tier|adopt|remove]` */
export function addAccounts(program: Command, terminal: Terminal): void {
  const client = async () => (await connect(homeOf(terminal), terminal.env)).client;
  const accounts = program
    .command('accounts')
    .description('look after the agents that signed up by e-mail')
    .addHelpText('after', AFTER);
  accounts
    .command('list', { isDefault: true })
    .description('list the accounts, newest first')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const reply = await (await client())(listAccounts, {});
      if (json) return printJson(terminal, reply);
      const head = [
        'Id',
        'E-mail',
        'Tier',
        'Status',
        'Made',
        'Ends',
        'Memories',
        'Size',
        'Stores',
        'Recalls',
      ];
      printTable(
        terminal,
        head,
        reply.accounts.map((account) => row(terminal, account)),
      );
      if (terminal.stdout.isTTY && !reply.accounts.some(({ kind }) => kind === 'bot'))
        note(
          terminal,
          'No agent has signed up yet: POST /v1/auth/bot-signup with an e-mail address does it.',
        );
    });
  accounts
    .command('show')
    .description('show an account')
    .argument('<id>', 'as in `reverie accounts`')
    .addOption(jsonOption())
    .action(async (id: string, { json }: { json?: true }) => {
      const account = await (await client())(getAccount, { params: { id } });
      if (json) return printJson(terminal, account);
      for (const [name, value] of facts(account)) say(terminal, `${`${name}:`.padEnd(12)}${value}`);
    });
  accounts
    .command('tier')
    .description('set the tier of an account; it counts from its next request on')
    .argument('<id>', 'as in `reverie accounts`')
    .addArgument(
      new Argument('<tier>', 'how much it may store and recall').choices(['free', 'pro', 'enterprise']),
    )
    .addOption(jsonOption())
    .action(async (id: string, tier: 'free' | 'pro' | 'enterprise', { json }: { json?: true }) => {
      const account = await (await client())(updateAccount, { params: { id }, body: { tier } });
      if (json) printJson(terminal, account);
      else say(terminal, `${account.id} (${account.email ?? account.kind}) has the tier ${account.tier}.`);
    });
  accounts
    .command('adopt')
    .description("copy an account's memories into your own, overwriting nothing")
    .argument('<id>', 'as in `reverie accounts`')
    .option('-n, --namespace <name>', 'only this namespace of theirs')
    .option('--into <name>', 'into this namespace of yours; else each into that of its name')
    .option('--keep-both', 'store what says something else here under its key and their id')
    .option('--dry-run', 'only say what would be done')
    .addOption(jsonOption())
    .action((id: string, options: AdoptOptions) => adopt(terminal, id, options));
  accounts
    .command('remove')
    .description('delete an account with everything it holds, for good; asks first')
    .argument('<id>', 'as in `reverie accounts`')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action((id: string, options: { yes?: boolean; json?: true }) => remove(terminal, id, options));
}

function row(terminal: Terminal, account: Account): string[] {
  const { isTTY } = terminal.stdout;
  const time = (iso: string | null) => (iso === null ? '' : isTTY ? shortTime(iso) : iso);
  return [
    account.id,
    account.email ?? `(${account.kind})`,
    account.tier,
    account.status,
    time(account.created_at),
    time(account.expires_at),
    String(account.memories),
    isTTY ? size(account.bytes) : String(account.bytes),
    String(account.usage.stores),
    String(account.usage.recalls),
  ];
}

function facts(account: Account): [string, string][] {
  const time = (iso: string | null) => (iso === null ? 'never' : shortTime(iso));
  const { requests, recalls, stores } = account.usage;
  return [
    ['Id', account.id],
    ['E-mail', account.email ?? `none (${account.kind})`],
    ['Tier', account.tier],
    ['Status', account.status],
    ['Made', time(account.created_at)],
    ['Confirmed', time(account.confirmed_at)],
    ...(account.expires_at === null ? [] : ([['Keys end', time(account.expires_at)]] as [string, string][])),
    ...(account.deleted_at === null ? [] : ([['Deleted', time(account.deleted_at)]] as [string, string][])),
    ['Last used', time(account.last_used_at)],
    ['Keys', String(account.keys)],
    [
      'Holds',
      `${count(account.memories, 'memory', 'memories')} in ${count(account.namespaces, 'namespace')}, ${size(account.bytes)}`,
    ],
    [
      'Used',
      `${count(requests, 'request')} today; ${count(recalls, 'recall')} and ${count(stores, 'store')} this month`,
    ],
  ];
}

async function adopt(terminal: Terminal, id: string, options: AdoptOptions): Promise<void> {
  const { client } = await connect(homeOf(terminal), terminal.env);
  const reply = await client(adoptMemories, {
    params: { id },
    body: {
      namespace: options.namespace,
      into: options.into,
      on_conflict: options.keepBoth ? 'suffix' : 'skip',
      dry_run: options.dryRun ?? false,
    },
  });
  if (options.json) return printJson(terminal, reply);
  const { adopted, unchanged, conflicts, named } = reply;
  const what = count(adopted, 'memory', 'memories');
  say(terminal, reply.dry_run ? `${what} would be copied.` : `Copied ${what}.`);
  if (unchanged > 0) say(terminal, `${count(unchanged, 'memory', 'memories')} stood here already.`);
  if (conflicts === 0) return;
  say(terminal, `${count(conflicts, 'key')} says something else here; nothing was overwritten:`);
  printTable(
    terminal,
    ['Namespace', 'Key', 'Stored as'],
    named.map(({ namespace, key, stored_as }) => [namespace, key, stored_as ?? '(left out)']),
  );
  if (!options.keepBoth) note(terminal, '--keep-both stores them beside yours.');
}

async function remove(
  terminal: Terminal,
  id: string,
  { yes = false, json }: { yes?: boolean; json?: true },
): Promise<void> {
  const { client } = await connect(homeOf(terminal), terminal.env);
  const account = await client(getAccount, { params: { id } });
  const what = `This deletes the account of ${account.email ?? account.kind} with ${count(account.memories, 'memory', 'memories')} for good.`;
  if (!(await agreed(terminal, { what, type: 'yes', yes }))) {
    note(terminal, 'Nothing was deleted.');
    terminal.exitCode = 1;
    return;
  }
  const reply = await client(deleteAccount, { params: { id } });
  if (json) printJson(terminal, reply);
  else say(terminal, `Deleted ${reply.id}.`);
}
