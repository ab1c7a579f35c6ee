import { type Command, Option } from 'commander';
import {
  type ApiKey,
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '@reverie/shared/contract/accounts/keys';
import { abilitiesOf, type Ability, type Scope, scopes } from '@reverie/shared/contract/route';
import { connect } from './connection.ts';
import { jsonOption, several, whole } from './options.ts';
import { note, printJson, printTable, say, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface CreateOptions {
  scope: Scope;
  namespace?: string[];
  readOnly?: true;
  set: boolean;
  delete: boolean;
  clear: boolean;
  days?: number;
  json?: true;
}

/** What is left out of what a scope may do; undefined where nothing is. */
function canOf({ scope, ...options }: CreateOptions): Ability[] | undefined {
  const left = abilitiesOf(scope).filter((one) => one === 'read' || options[one]);
  return left.length < abilitiesOf(scope).length ? left : undefined;
}

const AFTER = `
Examples:
  reverie key create my-agent                                      may read and write everywhere
  reverie key create my-agent -n "project/*" --no-delete --no-clear
  reverie key create report --read-only --days 30
  reverie key list                                                 what each may, and when it was used`;

/** `reverie key create|list|revoke|rotate` */
export function addKey(program: Command, terminal: Terminal): void {
  const key = program
    .command('key')
    .description('make, list, revoke and replace keys')
    .addHelpText('after', AFTER);
  key
    .command('create')
    .description('make a key for a program or an agent, and print it this once')
    .argument('<name>', 'what it is for, so that you know it later')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(scopes).default('write'))
    .addOption(new Option('--read-only', 'the same as --scope read').conflicts('scope'))
    .option(
      '-n, --namespace <pattern>',
      'only this namespace; * stands for any characters, as in "project/*"; may be given again',
      several,
    )
    .option('--no-set', 'it may not store or change memories')
    .option('--no-delete', 'it may not delete memories, move them to the trash or let them end')
    .option('--no-clear', 'it may not clear namespaces or empty the trash')
    .option('--days <number>', 'let it end after so many days', whole(1))
    .addOption(jsonOption())
    .action(async (name: string, given: CreateOptions) => {
      const options: CreateOptions = { ...given, ...(given.readOnly && { scope: 'read' }) };
      const { scope, namespace: namespaces, days, json } = options;
      const { client } = await connect(homeOf(terminal), terminal.env);
      const made = await client(createKey, {
        body: { name, scope, namespaces, can: canOf(options), expires_in_days: days },
      });
      if (json) return printJson(terminal, made);
      const may = `may ${made.can.join(', ')} in ${namespacesText(made)}`;
      note(terminal, `Made the key ${made.id} (${made.name}, ${made.scope}: ${may}). It is shown this once:`);
      say(terminal, made.key);
    });
  key
    .command('list')
    .description('list the keys')
    .addOption(jsonOption())
    .action(({ json }: { json?: true }) => list(terminal, json ?? false));
  key
    .command('revoke')
    .description('end a key at once')
    .argument('<id>', 'as in `reverie key list`')
    .addOption(jsonOption())
    .action(async (id: string, { json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(revokeKey, { params: { id } });
      if (json) printJson(terminal, reply);
      else say(terminal, `The key ${reply.id} no longer works.`);
    });
  key
    .command('rotate')
    .description('replace a key; the old one works for 24 hours more')
    .argument('<id>', 'as in `reverie key list`')
    .option('--immediate', 'end the old one at once')
    .addOption(jsonOption())
    .action(async (id: string, { immediate = false, json }: { immediate?: boolean; json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const made = await client(rotateKey, { params: { id }, body: { immediate } });
      if (json) return printJson(terminal, made);
      note(
        terminal,
        `The old key ${immediate ? 'no longer works' : 'works for 24 hours more'}. The new one, ${made.id}, is shown this once (a key file of the home holds it already):`,
      );
      say(terminal, made.key);
    });
}

const namespacesText = ({ namespaces }: Pick<ApiKey, 'namespaces'>) =>
  namespaces.includes('*') ? 'every namespace' : namespaces.join(', ');

async function list(terminal: Terminal, json: boolean): Promise<void> {
  const { client } = await connect(homeOf(terminal), terminal.env);
  const reply = await client(listKeys, {});
  if (json) return printJson(terminal, reply);
  const time = (iso: string | null) => (iso === null ? '' : terminal.stdout.isTTY ? shortTime(iso) : iso);
  printTable(
    terminal,
    ['Id', 'Name', 'Scope', 'Begins', 'Made', 'Last used', 'Ends', 'May', 'Namespaces'],
    reply.keys.map((key) => [
      key.id,
      key.open_sessions === null ? key.name : `${key.name} (${key.open_sessions} open)`,
      key.scope,
      key.key_prefix,
      time(key.created_at),
      time(key.last_used_at),
      key.revoked_at === null ? time(key.expires_at) : 'revoked',
      key.can.length === abilitiesOf(key.scope).length ? 'all' : key.can.join(', '),
      key.namespaces.join(', '),
    ]),
  );
}
