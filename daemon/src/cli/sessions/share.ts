import { type Command, Option } from 'commander';
import type { Client } from '@reverie/shared/client';
import {
  approveShare,
  getShare,
  previewSession,
  revokeSessionInvite,
  type SharePreview,
  shareSession,
  unshareSession,
} from '@reverie/shared/contract/sessions/session-sharing';
import { agreed, refuseUnasked } from '../confirm.ts';
import { jsonOption, spanBetween, yesOption } from '../options.ts';
import {
  count,
  inOneLine,
  note,
  paint,
  printJson,
  printTable,
  say,
  shortTime,
  size,
  withoutCommands,
} from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { sessionArgument, sessionOf } from './session-of.ts';

interface ShareOptions {
  from: 'start' | 'now';
  role: 'viewer' | 'editor';
  expires?: number;
  yes?: boolean;
  json?: true;
}

const AFTER = `
Examples:
  reverie sessions share cs_01…                      all of it, to be read; the link is good for 7 days
  reverie sessions share cs_01… --from now           only what is said from now on
  reverie sessions share cs_01… --role editor --expires 1d

Secrets are taken out before anything leaves. What would leave is shown first; where it asks, "show" shows it
entry by entry. Later entries follow by themselves, until another kind of secret is found in one: sharing again
shows it and lets them go on, without another link.`;
/** Entries of a sample that are asked for at a time. */
const SAMPLE = 50;

/** `reverie sessions share ID` */
export function addShare(sessions: Command, terminal: Terminal): void {
  sessions
    .command('share')
    .description('share a session live through the relay; shows what would leave, asks, and prints a link')
    .addArgument(sessionArgument())
    .addOption(
      new Option('--from <when>', 'all of it, or only what comes from now on')
        .choices(['start', 'now'])
        .default('start'),
    )
    .addOption(
      new Option('--role <role>', 'what others may do').choices(['viewer', 'editor']).default('viewer'),
    )
    .addOption(
      new Option(
        '--expires <span>',
        'how long the link is good: 1h to 30d, 7d where it is left out',
      ).argParser(spanBetween(60, 30 * 86_400)),
    )
    .addOption(yesOption())
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action((id: string, options: ShareOptions) => share(terminal, id, options));
}

async function share(
  terminal: Terminal,
  given: string,
  { from, role, expires, yes = false, json }: ShareOptions,
): Promise<void> {
  refuseUnasked(terminal, { what: 'A session would leave this machine.', yes });
  const client = await clientOf(terminal);
  const { id } = await sessionOf(client, given);
  const preview = await client(previewSession, { params: { id }, query: { from, limit: 1 } });
  showPreview(terminal, { preview, from });
  // Who is in it waits for it already: that makes no further link.
  const { waiting } = await client(getShare, { params: { id } });
  const isMeant = await agreed(terminal, {
    what:
      waiting > 0
        ? 'What waits goes on to those who are in it. No link is made.'
        : 'Whoever has the link may join, and read what leaves.',
    type: 'share',
    also: {
      type: 'show',
      what: 'to see what would leave',
      run: () => showSample(terminal, client, { id, from }),
    },
    yes,
  });
  if (!isMeant) {
    note(terminal, 'Nothing left.');
    terminal.exitCode = 1;
    return;
  }
  if (waiting > 0) {
    const reply = await client(approveShare, { params: { id }, body: { token: preview.token } });
    if (json) return printJson(terminal, reply);
    return say(
      terminal,
      `What waited goes on. No link was made: \`reverie sessions shared ${id}\` lists those that are open, and sharing again makes one.`,
    );
  }
  const body = { from, role, expires_in: expires, token: preview.token };
  const reply = await client(shareSession, { params: { id }, body });
  if (json) return printJson(terminal, reply);
  say(terminal, reply.invite);
  note(
    terminal,
    `Whoever has this link joins as ${reply.role}, until ${shortTime(reply.expires_at)}: \`reverie sessions join\` asks for it.`,
  );
}

/** On stderr: what would leave, and what was taken out of it. */
function showPreview(
  terminal: Terminal,
  { preview, from }: { preview: SharePreview; from: 'start' | 'now' },
): void {
  const { entries, bytes, redactions, by_rule, withheld } = preview;
  const { title, project, branch, agent, models } = preview.session;
  // Just what others are told of it: the title is without its secrets.
  note(terminal, `${inOneLine(title || 'Untitled session')}:`);
  const about = [agent, project, branch, ...models].filter((part) => part !== null && part !== '');
  note(terminal, `  ${inOneLine(about.join(', '))}`);
  if (from === 'now' && entries === 0)
    note(terminal, '  nothing that was said so far leaves; what is said from now on does');
  else note(terminal, `  ${count(entries, 'entry leaves', 'entries leave')}, ${size(bytes)}`);
  note(terminal, `  ${count(redactions, 'secret is', 'secrets are')} taken out of them`);
  for (const { rule, count: found, is_new } of by_rule)
    note(terminal, `    ${found} × ${inOneLine(rule)}${is_new ? ' (new: not shown before)' : ''}`);
  if (withheld > 0)
    note(
      terminal,
      `  ${count(withheld, 'entry stays', 'entries stay')} here: attachments, records that are not known, and what could not be checked`,
    );
}

/** Each entry that would leave, as it would leave. */
async function showSample(
  terminal: Terminal,
  client: Client,
  { id, from }: { id: string; from: 'start' | 'now' },
): Promise<void> {
  let cursor: string | undefined;
  for (;;) {
    const query = { from, limit: SAMPLE, ...(cursor !== undefined && { cursor }) };
    const { sample, next } = await client(previewSession, { params: { id }, query });
    for (const { id: entry, kind, at, author, tool, files, text, redactions } of sample) {
      const taken = redactions === 0 ? '' : `, ${count(redactions, 'secret')} taken out`;
      note(
        terminal,
        paint(
          terminal,
          'dim',
          `${kind.replace('_', ' ')}, ${inOneLine([author.name, tool].filter((part) => part !== null).join(', '))}, ${shortTime(at)}, ${entry.slice(0, 12)}${taken}`,
        ),
      );
      for (const file of files) note(terminal, paint(terminal, 'dim', `  ${inOneLine(file)}`));
      note(terminal, withoutCommands(text));
    }
    if (next === null) return;
    cursor = next;
  }
}

/** `reverie sessions shared ID` */
export function addShared(sessions: Command, terminal: Terminal): void {
  sessions
    .command('shared')
    .description('show how a session is shared: who is in, its open links, and what waits')
    .addArgument(sessionArgument())
    .addOption(jsonOption())
    .action((id: string, { json }: { json?: true }) => shared(terminal, id, json));
}

async function shared(terminal: Terminal, given: string, json: true | undefined): Promise<void> {
  const client = await clientOf(terminal);
  const { id, participants } = await sessionOf(client, given);
  const reply = await client(getShare, { params: { id } });
  if (json) return printJson(terminal, { ...reply, participants });
  if (!reply.shared) return note(terminal, reply.ended ? `${reply.ended.message}.` : 'It is not shared.');
  const { isTTY } = terminal.stdout;
  const time = (iso: string) => (isTTY ? shortTime(iso) : iso);
  printTable(
    terminal,
    ['What', 'Id', 'Role', 'State'],
    [
      ...participants.map(({ id: who, name, role, self, online }) => [
        ...['participant', who, role],
        `${name}${self ? ' (you)' : online ? ', there now' : ''}`,
      ]),
      ...reply.invites.map(({ id: link, role, expires_at }) => [
        'link',
        link,
        role,
        `until ${time(expires_at)}`,
      ]),
    ],
  );
  if (reply.from === 'now') note(terminal, 'Shared is what was said since it was shared.');
  if (reply.pending > 0)
    note(terminal, `${count(reply.pending, 'entry is', 'entries are')} on the way to the relay.`);
  if (reply.waiting > 0)
    note(
      terminal,
      `${count(reply.waiting, 'entry waits', 'entries wait')}: another kind of secret was found. \`reverie sessions share ${id}\` shows it, and lets them go on.`,
    );
}

/** `reverie sessions revoke ID INVITE` */
export function addRevoke(sessions: Command, terminal: Terminal): void {
  sessions
    .command('revoke')
    .description('make one link void; who joined by it stays')
    .addArgument(sessionArgument())
    .argument('<invite>', 'the id of the link, as in `reverie sessions shared ID`')
    .addOption(jsonOption())
    .action(async (given: string, invite: string, { json }: { json?: true }) => {
      const client = await clientOf(terminal);
      const { id } = await sessionOf(client, given);
      const reply = await client(revokeSessionInvite, { params: { id, invite } });
      if (json) return printJson(terminal, reply);
      say(terminal, `The link ${reply.id} lets nobody in any more; who joined by it stays.`);
    });
}

/** `reverie sessions unshare ID` */
export function addUnshare(sessions: Command, terminal: Terminal): void {
  sessions
    .command('unshare')
    .description('end sharing for all, and void every link; asks first')
    .addArgument(sessionArgument())
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(async (given: string, { yes = false, json }: { yes?: boolean; json?: true }) => {
      const what =
        'The relay deletes what it has of this session, for all. What others have read stays with them.';
      refuseUnasked(terminal, { what, yes });
      const client = await clientOf(terminal);
      const { id, title } = await sessionOf(client, given);
      if (!(await agreed(terminal, { what: `${inOneLine(title)}: ${what}`, type: 'unshare', yes }))) {
        note(terminal, 'It is still shared.');
        terminal.exitCode = 1;
        return;
      }
      const reply = await client(unshareSession, { params: { id } });
      if (json) return printJson(terminal, reply);
      say(terminal, `${reply.id} is not shared any more.`);
    });
}
