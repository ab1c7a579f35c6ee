import { ApiError, type Client } from '@reverie/shared/client';
import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import {
  changeMember,
  handOverNamespace,
  type Invite,
  listInvites,
  listMembers,
  type Member,
  removeMember,
  revokeInvite,
  shareNamespace,
} from '@reverie/shared/contract/sync/sharing';
import { type Command, Option } from 'commander';
import { Refusal } from '../platform/home/home.ts';
import { agreed, refuseUnasked } from './confirm.ts';
import { connect } from './connection.ts';
import { leftLine, memberOf, voided } from './members.ts';
import { nearest } from './nearest.ts';
import { jsonOption, yesOption } from './options.ts';
import { inOneLine, note, printJson, printTable, say, shortTime } from './print.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

const AFTER = `
Examples:
  reverie share work                                   an invite to read the namespace work
  reverie share work --role editor                     … to write, too
  reverie share work --email ben@example.org           … for that person alone
  reverie share work --members                         who is in
  reverie share work --invites                         invites that nobody has used yet
  reverie share work --revoke inv_01…                  withdraw one of them
  reverie share work --change ben@example.org --role viewer
  reverie share work --remove ben@example.org          take somebody out
  reverie share work --owner ben@example.org           make a member the owner in your place

MEMBER is the e-mail address or the id of --members. \`reverie leave work\` leaves a namespace.`;

/** What to run with an invite. A relay makes the link and people paste the command, so that one in which a shell might find something to run is left out: it is asked for. */
export function joinCommand(invite: string): string {
  return /^[\w:/.#~%?=&-]+$/.test(invite) ? `reverie join "${invite}"` : 'reverie join';
}

interface ShareOptions {
  role?: 'viewer' | 'editor';
  days?: '1' | '7' | '30';
  email?: string;
  members?: true;
  invites?: true;
  change?: string;
  remove?: string;
  withHistory?: true;
  owner?: string;
  revoke?: string;
  yes?: true;
  json?: true;
}

/** What is done instead of making an invite. */
const INSTEAD = ['members', 'invites', 'change', 'remove', 'owner', 'revoke'] as const;

/** `reverie share NAMESPACE` */
export function addShare(program: Command, terminal: Terminal): void {
  const instead = (flags: string, what: string, ...also: readonly string[]) => {
    const option = new Option(flags, what);
    const own = option.attributeName();
    return option.conflicts([
      ...INSTEAD.filter((name) => name !== own),
      'days',
      'email',
      'withHistory',
      ...also,
    ]);
  };
  program
    .command('share')
    .description('invite people to a namespace, see who is in, and say what they may')
    .argument('<namespace>', 'which one')
    .addOption(
      new Option('--role <role>', 'what they may do, viewer where it is left out').choices([
        'viewer',
        'editor',
      ]),
    )
    .addOption(
      new Option('--days <days>', 'how long the invite is good, 7 where it is left out').choices([
        '1',
        '7',
        '30',
      ]),
    )
    .option('--with-history', 'also what was overwritten, trashed or lost in a conflict before')
    .addOption(new Option('--email <address>', 'an invite that only this person can use'))
    .addOption(instead('--members', 'list the members instead', 'role'))
    .addOption(instead('--invites', 'list the open invites instead', 'role'))
    .addOption(instead('--change <member>', 'give a member the role of --role instead'))
    .addOption(instead('--remove <member>', 'take a member out instead', 'role'))
    .addOption(instead('--owner <member>', 'make a member the owner instead; asks first', 'role'))
    .addOption(instead('--revoke <invite>', 'withdraw an open invite instead', 'role'))
    .addOption(yesOption())
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action((namespace: string, options: ShareOptions) => share(terminal, namespace, options));
}

async function share(terminal: Terminal, namespace: string, options: ShareOptions): Promise<void> {
  const { role, members, invites, change, remove, owner, revoke, json } = options;
  if (change !== undefined && role === undefined)
    throw new UsageError('Which role is it to be? Add --role viewer or --role editor.');
  if (owner !== undefined) refuseUnasked(terminal, { what: HANDED_OVER, yes: options.yes === true });
  const { client } = await connect(homeOf(terminal), terminal.env);
  const query = { namespace };
  const tell = (reply: unknown, line: string) => (json ? printJson(terminal, reply) : say(terminal, line));
  if (members) return showMembers(terminal, await client(listMembers, { query }), json);
  if (invites) return showInvites(terminal, await client(listInvites, { query }), json);
  if (revoke !== undefined) {
    const reply = await client(revokeInvite, { params: { id: revoke }, query });
    return tell(reply, `The invite ${revoke} lets nobody in any more; who joined by it stays.`);
  }
  if (change !== undefined && role !== undefined) {
    const { id, name } = await memberOf(client, namespace, change);
    const reply = await client(changeMember, { params: { id }, body: { namespace, role } });
    return tell(
      reply,
      `${name} is ${role} now, on all their devices.${voided(reply.invites_ended, 'for editors')}`,
    );
  }
  if (remove !== undefined) {
    const { id, name, self } = await memberOf(client, namespace, remove);
    const reply = await client(removeMember, { params: { id }, query });
    if (self) return tell(reply, leftLine(namespace));
    return tell(reply, `${name} was removed; what they have stays with them.${voided(reply.invites_ended)}`);
  }
  if (owner !== undefined) return handOver(terminal, client, { namespace, owner, options });
  await makeInvite(terminal, client, { namespace, options });
}

const HANDED_OVER =
  'The new owner decides who is in; you stay as an editor. Only they can give it back, and open invites stop working.';

async function handOver(
  terminal: Terminal,
  client: Client,
  { namespace, owner, options }: { namespace: string; owner: string; options: ShareOptions },
): Promise<void> {
  const { id, name } = await memberOf(client, namespace, owner);
  const what = `${inOneLine(namespace)} will be owned by ${name}. ${HANDED_OVER}`;
  if (!(await agreed(terminal, { what, type: 'hand over', yes: options.yes === true }))) {
    note(terminal, 'Nothing changed.');
    terminal.exitCode = 1;
    return;
  }
  const reply = await client(handOverNamespace, { body: { namespace, member: id } });
  if (options.json) return printJson(terminal, reply);
  say(terminal, `${name} owns ${inOneLine(namespace)} now; you are an editor.${voided(reply.invites_ended)}`);
}

async function makeInvite(
  terminal: Terminal,
  client: Client,
  { namespace, options }: { namespace: string; options: ShareOptions },
): Promise<void> {
  const { role = 'viewer', days, email, withHistory = false, json } = options;
  const body = {
    namespace,
    role,
    expires_in: days === undefined ? undefined : Number(days) * 86_400,
    with_history: withHistory,
    ...(email !== undefined && { email }),
  };
  const reply = await orNearestNamespace(client(shareNamespace, { body }), client, namespace);
  if (json) return printJson(terminal, reply);
  say(terminal, reply.invite);
  const who = email === undefined ? 'Whoever has this link' : `Who has confirmed ${inOneLine(email)}`;
  note(
    terminal,
    `${who} joins as ${role}, until ${shortTime(reply.expires_at)}: \`${joinCommand(reply.invite)}\``,
  );
  if (!withHistory)
    note(terminal, 'They get what is in it now: history, trash and conflicts from before stay with you.');
}

/** What was asked of a namespace; where there is none of its name, a `Refusal` that says which it may be. */
async function orNearestNamespace<T>(found: Promise<T>, client: Client, namespace: string): Promise<T> {
  try {
    return await found;
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'not_found') throw cause;
    const { namespaces } = await client(listNamespaces, {});
    const near = nearest(
      namespace,
      namespaces.map((one) => one.namespace),
    ).map(inOneLine);
    const hint =
      near.length === 0
        ? '`reverie namespaces` lists those that there are'
        : `The nearest ${near.length === 1 ? 'is' : 'are'} ${near.join(', ')}`;
    throw new Refusal(`${cause.message.replace(/\.$/, '')}. ${hint}`, cause);
  }
}

function showMembers(
  terminal: Terminal,
  reply: { namespace: string; members: readonly Member[] },
  json: true | undefined,
): void {
  if (json) return printJson(terminal, reply);
  printTable(
    terminal,
    ['Id', 'E-mail', 'Role', 'Since'],
    reply.members.map(({ id, email, role, joined_at, self }) => [
      id,
      `${email ?? ''}${self ? ' (you)' : ''}`,
      role,
      terminal.stdout.isTTY ? shortTime(joined_at) : joined_at,
    ]),
  );
}

function showInvites(
  terminal: Terminal,
  reply: { namespace: string; invites: readonly Invite[] },
  json: true | undefined,
): void {
  if (json) return printJson(terminal, reply);
  if (reply.invites.length === 0) return note(terminal, 'No invite is open.');
  printTable(
    terminal,
    ['Id', 'For', 'Role', 'Left', 'Until'],
    reply.invites.map(({ id, email, role, uses_left, expires_at }) => [
      id,
      email ?? 'whoever has the link',
      role,
      String(uses_left),
      terminal.stdout.isTTY ? shortTime(expires_at) : expires_at,
    ]),
  );
}
