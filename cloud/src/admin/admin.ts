import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkEmail } from '@reverie/shared/accounts/email';
import { inPlainWords } from '@reverie/shared/contract/plain-words';
import { Problem } from '@reverie/shared/contract/problems';
import { AuditQuery } from '@reverie/shared/contract/relay/relay-operator';
import { systemClock } from '@reverie/shared/time/clock';
import { audit } from '../audit/audit.ts';
import { makeRecoveryCode } from '../accounts/recovery.service.ts';
import type { Config } from '../config.ts';
import { openBeside } from '../db/open-database.ts';
import { Refusal } from '../db/refusal.ts';
import { besideSqlite } from '../db/sqlite-storage.ts';
import {
  accountDetails,
  accountsOf,
  auditOf,
  deleteAccount,
  listAccounts,
  listRooms,
  makeOperatorKey,
  type OperatorDeps,
  operatorKeysOf,
  revokeOperatorKey,
  setDisabled,
  storageOf,
} from '../operator/operator.service.ts';
import { removeAccount } from '../removal.ts';
import type { Beside } from '../storage.ts';
import { linkIn, waitingMails } from './outbox.ts';
import {
  accountsTable,
  accountText,
  auditTable,
  keysTable,
  mailsTable,
  roomsTable,
  storageTable,
} from './tables.ts';

export const ADMIN_USAGE = `npm run relay -- admin COMMAND, while the relay runs or not:
  accounts                     all accounts
  account E-MAIL               one, with its devices and rooms
  disable E-MAIL               sign it out everywhere until it is enabled; nothing is deleted
  enable E-MAIL
  recover E-MAIL               a code that lets a new device of its in, and removes all others
  delete E-MAIL [--yes]        say what goes with it; with --yes delete it for good
  rooms                        all rooms
  storage                      what accounts and rooms take, the largest first
  audit [--account E-MAIL] [--room ID] [--kind KIND] [--limit N] [--before ID]
                               what was done, the newest first
  key [--name NAME]            make an operator's key for the same over HTTP
  key --list | --revoke ID
  outbox [link N]              mails that wait, or the link in one
E-MAIL may be the id of an account. --json for programs.`;

const OPTIONS = {
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  account: { type: 'string' },
  room: { type: 'string' },
  kind: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
  name: { type: 'string' },
  list: { type: 'boolean' },
  revoke: { type: 'string' },
} as const;

/** The options that a command has beside `--json`, and how many words may follow it. */
const COMMANDS: Readonly<
  Record<
    string,
    { options?: readonly (keyof typeof OPTIONS)[]; words: readonly [least: number, most: number] }
  >
> = {
  accounts: { words: [0, 0] },
  account: { words: [1, 1] },
  disable: { words: [1, 1] },
  enable: { words: [1, 1] },
  recover: { words: [1, 1] },
  delete: { words: [1, 1], options: ['yes'] },
  rooms: { words: [0, 0] },
  storage: { words: [0, 0] },
  audit: { words: [0, 0], options: ['account', 'room', 'kind', 'limit', 'before'] },
  key: { words: [0, 0], options: ['name', 'list', 'revoke'] },
  outbox: { words: [0, 2] },
};

/** What a command came to: the value for programs, and the text for people. */
interface Answer {
  json: unknown;
  text: string;
}

type Values = ReturnType<typeof read>['values'];

function read(args: readonly string[]) {
  const parsed = parseOrRefuse(args);
  const [command = '', ...words] = parsed.positionals;
  const known = COMMANDS[command];
  if (!known)
    throw new Refusal(command === '' ? ADMIN_USAGE : `There is no command ${command}.\n${ADMIN_USAGE}`);
  const [least, most] = known.words;
  if (words.length < least || words.length > most)
    throw new Refusal(
      `\`admin ${command}\` takes ${most === 0 ? 'no more words' : least === most ? 'an e-mail address' : '`link N`'}.\n${ADMIN_USAGE}`,
    );
  for (const name of Object.keys(parsed.values))
    if (name !== 'json' && !known.options?.some((option) => option === name))
      throw new Refusal(`\`admin ${command}\` has no option --${name}.\n${ADMIN_USAGE}`);
  return { command, words, values: parsed.values };
}

function parseOrRefuse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (cause) {
    throw new Refusal(`${(cause as Error).message}\n${ADMIN_USAGE}`);
  }
}

/** Runs a command of who runs the relay on its database, beside the relay that may be running; answers what it prints. */
export async function admin(config: Config, args: readonly string[]): Promise<string> {
  const { command, words, values } = read(args);
  const beside = await openDatabaseBeside(config);
  try {
    const answer = await answerTo(depsOf(config, beside), config, { command, words, values });
    return values.json ? JSON.stringify(answer.json, null, 2) : answer.text;
  } catch (cause) {
    // What whoever asked can act on; the rest is a bug.
    throw cause instanceof Problem ? new Refusal(`${cause.message}.`) : cause;
  } finally {
    await beside.close();
  }
}

async function openDatabaseBeside({ RELAY_DATABASE_URL: url, RELAY_HOME: home }: Config): Promise<Beside> {
  if (url === undefined) return besideSqlite(openBeside(path.join(home, 'relay.db')));
  const { openPostgresBeside } = await import('../db/postgres/postgres-storage.ts');
  return openPostgresBeside(url);
}

function depsOf(config: Config, beside: Beside): OperatorDeps {
  const { records, updates, databaseBytes } = beside;
  return {
    records,
    config,
    databaseBytes,
    now: () => systemClock.now(),
    standingChanged: (account) => beside.tell({ accounts: [account] }),
    async remove(account, by) {
      const devices: string[] = [];
      const access = {
        revoke: (device: string) => void devices.push(device),
        changed: (room: string, accounts: readonly string[]) =>
          beside.tell({ rooms: [room], accounts, devices: devices.splice(0) }),
      };
      const storage = { records, updates };
      await removeAccount({ storage, clock: systemClock, access, forget: () => undefined }, account, by);
      await beside.tell({ devices, accounts: [account] });
    },
  };
}

const BY_COMMAND = { operator: 'command' } as const;

async function answerTo(
  deps: OperatorDeps,
  config: Config,
  { command, words, values }: { command: string; words: readonly string[]; values: Values },
): Promise<Answer> {
  switch (command) {
    case 'accounts': {
      const accounts = await listAccounts(deps);
      return { json: { accounts }, text: accountsTable(accounts) };
    }
    case 'rooms': {
      const rooms = await listRooms(deps);
      return { json: { rooms }, text: roomsTable(rooms) };
    }
    case 'storage': {
      const storage = await storageOf(deps);
      return { json: storage, text: storageTable(storage) };
    }
    case 'audit':
      return auditAnswer(deps, values);
    case 'key':
      return keyAnswer(deps, values);
    case 'outbox':
      return outboxAnswer(deps, config, words);
    case 'account': {
      const accounts = await Promise.all((await chosen(deps, words)).map((id) => accountDetails(deps, id)));
      return { json: { accounts }, text: accounts.map(accountText).join('\n\n') };
    }
    case 'recover':
      return recoveryAnswer(deps, words);
    case 'delete': {
      const ids = await chosen(deps, words);
      for (const id of ids) await deleteAccount(deps, id, { yes: values.yes === true, ...BY_COMMAND });
      return { json: { success: true, ids }, text: `Deleted: ${ids.join(', ')}.` };
    }
    default: {
      const disabled = command === 'disable';
      const ids = await chosen(deps, words);
      const accounts = await Promise.all(ids.map((id) => setDisabled(deps, id, { disabled, ...BY_COMMAND })));
      const said = disabled
        ? 'Disabled: its devices are signed out within seconds, and keep all that is on them. `enable` lets them in again'
        : 'Enabled: its devices come again by themselves within a minute';
      return { json: { accounts }, text: `${said} (${ids.join(', ')}).` };
    }
  }
}

/** Makes a code for somebody whose devices are all lost, to be told to them by a way that is known to be theirs. */
async function recoveryAnswer(
  { records, now }: OperatorDeps,
  [given = '']: readonly string[],
): Promise<Answer> {
  const checked = checkEmail(given);
  if (!checked.ok) throw new Refusal('`admin recover` takes the e-mail address of an account.');
  const made = await makeRecoveryCode({ records, now: now() }, { email: checked.email, by: BY_COMMAND });
  return {
    json: made,
    text: `${made.code}\nIt is good for an hour, once: \`reverie link RELAY --email ${checked.email} --recover\` on the new machine asks for it. All other devices of the account are removed then. Be sure whom you tell it.`,
  };
}

/** The accounts that a word names: an e-mail address as it is stored, or an id. */
function chosen(deps: OperatorDeps, [given = '']: readonly string[]): Promise<string[]> {
  const checked = checkEmail(given);
  return accountsOf(deps, checked.ok ? checked.email : given);
}

async function auditAnswer(deps: OperatorDeps, values: Values): Promise<Answer> {
  const { limit, before, room, kind } = values;
  const parsed = AuditQuery.safeParse({ limit, before, room, kind }, { error: inPlainWords });
  if (!parsed.success)
    throw new Refusal(
      parsed.error.issues.map(({ path: [name], message }) => `--${String(name)} ${message}.`).join('\n'),
    );
  const accounts = values.account === undefined ? [undefined] : await chosen(deps, [values.account]);
  const found = await Promise.all(accounts.map((account) => auditOf(deps, { ...parsed.data, account })));
  const entries = found
    .flat()
    .sort((a, b) => b.id - a.id)
    .slice(0, parsed.data.limit);
  return { json: { entries }, text: auditTable(entries) };
}

async function keyAnswer(deps: OperatorDeps, { list, revoke, name }: Values): Promise<Answer> {
  if (list) {
    const keys = await operatorKeysOf(deps);
    return { json: { keys }, text: keysTable(keys) };
  }
  if (revoke !== undefined) {
    await revokeOperatorKey(deps, revoke);
    return { json: { success: true, id: revoke }, text: `The key ${revoke} works no more.` };
  }
  const made = await makeOperatorKey(deps, name ?? 'operator');
  return {
    json: made,
    text: `${made.key}\nIt is shown this once, and sees and deletes all accounts: keep it as a password. \`admin key --revoke ${made.id}\` ends it.`,
  };
}

async function outboxAnswer(
  deps: OperatorDeps,
  { RELAY_HOME }: Config,
  words: readonly string[],
): Promise<Answer> {
  const mails = waitingMails(path.join(RELAY_HOME, 'outbox'));
  const [verb, number] = words;
  if (verb === undefined)
    return {
      json: { mails: mails.map(({ n, to, subject, written_at }) => ({ n, to, subject, written_at })) },
      text: mailsTable(mails),
    };
  if (verb !== 'link' || number === undefined)
    throw new Refusal('`admin outbox` lists the mails; `admin outbox link N` prints the link of one.');
  const mail = mails.find(({ n }) => String(n) === number);
  if (!mail) throw new Refusal(`There is no mail ${number}; \`admin outbox\` lists ${mails.length}.`);
  const link = linkIn(mail);
  if (link === undefined) throw new Refusal(`The mail ${number} has no link.`);
  await deps.records.write(() => audit({ kind: 'operator.mail_read', at: deps.now(), by: BY_COMMAND }));
  return { json: { n: mail.n, to: mail.to, link }, text: link };
}
