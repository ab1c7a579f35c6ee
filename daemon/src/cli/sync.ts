import { authorName } from '@reverie/shared/contract/author';
import { Argument, type Command } from 'commander';
import { type LostNamespace, settleLost } from '@reverie/shared/contract/sync/lost';
import { changeNamespace } from '@reverie/shared/contract/memories/memories';
import {
  changeLink,
  pauseSync,
  rebuildSync,
  type SyncStatus,
  syncStatus,
  triggerSync,
} from '@reverie/shared/contract/sync/sync';
import { dismissConflict, listConflicts, restoreConflict } from '@reverie/shared/contract/sync/conflicts';
import { connect } from './connection.ts';
import { firstSyncLines, watchFirstSync } from './first-sync.ts';
import { jsonOption } from './options.ts';
import { count, cutTo, inOneLine, note, printJson, printTable, say, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie sync                    how this machine stands to your other devices
  reverie sync now                do it now, and wait until the relay has it all
  reverie sync pause              stop for a while; \`reverie sync resume\` goes on
  reverie sync conflicts          versions that lost against another device
  reverie sync off diary          keep a namespace on this device from now on; \`reverie sync on diary\` undoes it
  reverie sync new stay           keep namespaces here that are new from now on
  reverie sync keep work          leave a namespace that left sync on this machine`;

const words: Readonly<Record<SyncStatus['state'], string>> = {
  dormant: 'not linked',
  connecting: 'connecting',
  syncing: 'syncing',
  live: 'up to date',
  offline: 'offline: the relay is out of reach',
  unauthorized: 'not let in by the relay',
  error: 'something is wrong',
};

/** `reverie sync [status|now|on|off|new|pause|resume|conflicts|restore|dismiss|keep|again|rebuild]` */
export function addSync(program: Command, terminal: Terminal): void {
  const client = async () => (await connect(homeOf(terminal), terminal.env)).client;
  const sync = program
    .command('sync')
    .description('how your devices stand to each other')
    .addHelpText('after', AFTER);
  sync
    .command('status', { isDefault: true })
    .description('say how this machine stands to your other devices')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const reach = await client();
      const status = await reach(syncStatus, {});
      if (json) return printJson(terminal, status);
      for (const line of statusLines(status)) say(terminal, line);
      if (firstSyncLines(status).length > 0) await watchFirstSync(terminal, reach);
      if (status.error || status.lost.some(({ kept }) => !kept)) terminal.exitCode = 1;
    });
  sync
    .command('now')
    .description('sync now; exits 1 unless the relay confirmed everything')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const reply = await (await client())(triggerSync, {});
      if (reply.status !== 'synced') terminal.exitCode = 1;
      if (json) return printJson(terminal, reply);
      if (reply.status === 'synced') say(terminal, 'Everything is on the relay.');
      else if (reply.status === 'sync_started')
        say(terminal, 'It goes on: `reverie sync` says how far it is.');
      else say(terminal, 'This machine is not linked, or sync is paused: `reverie sync` says which.');
    });
  sync
    .command('on')
    .description('sync a namespace on this device')
    .argument('<namespace>', 'as in `reverie namespaces`, or one that the relay has')
    .action(async (namespace: string) => {
      const reach = await client();
      await reach(changeNamespace, { params: { namespace }, body: { sync: true } });
      const { relay } = await reach(syncStatus, {});
      const when = relay === null ? 'syncs once this machine is linked' : 'syncs on this device';
      say(terminal, `${JSON.stringify(namespace)} ${when}.`);
    });
  sync
    .command('off')
    .description('keep a namespace on this device: nothing of it goes to the relay any more')
    .argument('<namespace>', 'as in `reverie namespaces`')
    .option(
      '--remove-from-relay',
      'delete what the relay has of it, where you alone have it; devices keep theirs',
    )
    .action(async (namespace: string, { removeFromRelay }: { removeFromRelay?: true }) => {
      const reach = await client();
      const body = { sync: false, ...(removeFromRelay && { remove_from_relay: removeFromRelay }) };
      const { unsent = 0 } = await reach(changeNamespace, { params: { namespace }, body });
      say(terminal, `${JSON.stringify(namespace)} stays on this device.`);
      if (unsent > 0) note(terminal, `${count(unsent, 'change')} had not reached the relay.`);
      const { stays } = await reach(syncStatus, {});
      const left = stays.find((one) => one.namespace === namespace && one.on_relay);
      if (left?.shared) note(terminal, 'The others who share it keep what the relay has.');
      else if (left)
        note(
          terminal,
          `The relay keeps what it has for your other devices; \`reverie sync off ${namespace} --remove-from-relay\` deletes that.`,
        );
    });
  sync
    .command('new')
    .description('say what becomes of namespaces that are new here')
    .addArgument(new Argument('<what>', 'sync them, or have them stay here').choices(['sync', 'stay']))
    .action(async (what: 'sync' | 'stay') => {
      await (
        await client()
      )(changeLink, { body: { new_namespaces: what } });
      say(terminal, what === 'sync' ? 'New namespaces sync.' : 'New namespaces stay on this device.');
    });
  for (const [name, paused, said] of [
    ['pause', true, 'Paused. What you change waits here.'],
    ['resume', false, 'It goes on.'],
  ] as const)
    sync
      .command(name)
      .description(paused ? 'stop syncing for a while' : 'go on syncing')
      .action(async () => {
        await (
          await client()
        )(pauseSync, { body: { paused } });
        say(terminal, said);
      });
  sync
    .command('conflicts')
    .description('list versions that lost against another device')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const reply = await (await client())(listConflicts, { query: { limit: 200 } });
      if (json) return printJson(terminal, reply);
      printTable(
        terminal,
        ['Id', 'Namespace', 'Key', 'Written', 'On', 'It said', 'By', 'What stands is by'],
        reply.conflicts.map(({ id, namespace, key, written_at, device, value, author, current_author }) => [
          ...[id, namespace, key, terminal.stdout.isTTY ? shortTime(written_at) : written_at],
          ...[device.name ?? 'a device that left'],
          terminal.stdout.isTTY ? cutTo(value, terminal.stdout, 110) : value,
          authorName(author),
          current_author ? authorName(current_author) : '',
        ]),
      );
      if (terminal.stdout.isTTY)
        note(
          terminal,
          reply.total === 0
            ? 'No conflicts.'
            : reply.conflicts.some(({ can_settle }) => can_settle)
              ? '`reverie sync restore ID` brings one back, `reverie sync dismiss ID` keeps what stands.'
              : 'Those who write there decide.',
        );
    });
  sync
    .command('restore')
    .description('store a version that lost as the newest one, and settle that for all devices')
    .argument('<id>', 'as in `reverie sync conflicts`')
    .action(async (id: string) => {
      const { namespace, key } = await (await client())(restoreConflict, { params: { id } });
      say(terminal, `${key} in ${namespace} says it again.`);
    });
  sync
    .command('dismiss')
    .description('keep what stands: drop a version that lost, on all devices')
    .argument('<id>', 'as in `reverie sync conflicts`')
    .action(async (id: string) => {
      await (
        await client()
      )(dismissConflict, { params: { id } });
      say(terminal, 'Dropped, on all devices that sync it.');
    });
  for (const [name, then, about, said] of [
    ['keep', 'keep', 'keep a namespace that left sync on this machine only', 'stays on this machine only'],
    ['again', 'sync', 'sync a namespace that left sync again, as your own', 'is synced again, as your own'],
  ] as const)
    sync
      .command(name)
      .description(about)
      .argument('<namespace>', 'as in `reverie sync`')
      .action(async (namespace: string) => {
        await (
          await client()
        )(settleLost, { body: { namespace, then } });
        say(terminal, `${JSON.stringify(namespace)} ${said}.`);
      });
  sync
    .command('rebuild')
    .description('make the memories anew from the synced documents')
    .action(async () => {
      const { memories, differed } = await (await client())(rebuildSync, {});
      say(terminal, `${count(memories, 'memory', 'memories')}; ${differed} were not as they should be.`);
    });
}

/** What happened to a namespace that left sync, and what can be done. */
function linesOf({ namespace, role, since, message, advice, unsent, kept }: LostNamespace): string[] {
  const name = JSON.stringify(namespace);
  if (kept)
    return [`Not synced ${name}, since ${shortTime(since)}: kept here. \`reverie sync again\` syncs it`];
  const lacking = unsent > 0 ? ` ${count(unsent, 'change')} of this machine reached nobody.` : '';
  return [
    `Left sync  ${name}, ${shortTime(since)}: ${message}${lacking}`,
    `           ${advice}`,
    // Nobody invites the owner of what is gone.
    role === 'owner'
      ? `           \`reverie sync keep ${name}\` or \`reverie sync again ${name}\``
      : `           \`reverie sync keep ${name}\`, \`reverie sync again ${name}\`, or \`reverie join INVITE --as ${name}\``,
  ];
}

/** Which namespaces stay on this device. */
function stayingLines({ stays, new_namespaces }: SyncStatus): string[] {
  const told = stays.map(({ namespace, on_relay, shared }) => {
    const where = shared ? ' (shared on the relay)' : on_relay ? ' (also on the relay)' : '';
    return inOneLine(namespace) + where;
  });
  return [
    ...(told.length === 0 ? [] : [`Stays here ${told.join(', ')}: \`reverie sync on NAME\` syncs one`]),
    ...(new_namespaces === 'stay' ? ['New ones   stay here: `reverie sync new sync` changes that'] : []),
  ];
}

/** How sync stands, in lines for people. */
export function statusLines(status: SyncStatus): string[] {
  const {
    relay,
    pending,
    behind,
    error,
    conflicts,
    quarantined,
    recovered,
    handed_over,
    sessions_ended,
    lost,
  } = status;
  if (relay === null)
    return [
      'Not linked: your memories are on this machine only. `reverie link` changes that.',
      ...stayingLines(status),
    ];
  const state = status.paused
    ? 'paused'
    : status.waiting_for === 'approval'
      ? 'waits until a linked device lets this one in'
      : words[status.state];
  return [
    `Relay      ${relay} (who runs it can read what is synced)`,
    `State      ${state}`,
    `To send    ${pending === 0 ? 'nothing: the relay has all of it' : count(pending, 'change')}`,
    `To read    ${behind === null ? 'not known' : behind === 0 ? 'nothing' : count(behind, 'entry', 'entries')}`,
    ...firstSyncLines(status).map((line) => `First sync ${line}`),
    ...(status.last_sync_at === null ? [] : [`Last sync  ${shortTime(status.last_sync_at)}`]),
    ...status.peers.map(
      ({ name, last_seen, online }) =>
        `Device     ${name}, ${online ? 'seen now' : last_seen === null ? 'not seen yet' : `seen ${shortTime(last_seen)}`}`,
    ),
    ...(conflicts > 0 ? [`Conflicts  ${conflicts}: \`reverie sync conflicts\``] : []),
    ...(quarantined > 0
      ? [`Put aside  ${count(quarantined, 'entry', 'entries')} that could not be read`]
      : []),
    ...(status.waiting_for === 'confirmation'
      ? [
          `Confirm    open the link in the mail to ${status.email ?? 'you'}, so that the account stays. A relay without a mail server keeps it in outbox/ of its home`,
        ]
      : []),
    ...recovered.map(
      ({ email, at }) =>
        `Notice     the devices of ${email} were replaced by recovery on ${shortTime(at)}. If you wonder, ask them by another way before you share more`,
    ),
    ...handed_over.map(
      ({ namespace, email, at }) =>
        `Notice     ${email ?? 'somebody who is gone'} made you the owner of ${inOneLine(namespace)} on ${shortTime(at)}, and it takes your space on the relay. \`reverie share ${inOneLine(namespace)} --owner ${email ?? 'MEMBER'}\` gives it back${email === null ? ' to a member' : ''}, \`reverie leave ${inOneLine(namespace)} --end\` ends it for all`,
    ),
    ...sessions_ended.map(
      ({ session, title, at, message }) =>
        `Session    ${title === null ? session : `${JSON.stringify(title)} (${session})`}, ${shortTime(at)}: ${message}`,
    ),
    ...stayingLines(status),
    ...lost.flatMap((one) => linesOf(one)),
    ...(error ? [`Problem    ${error.message}. ${error.advice}`] : []),
  ];
}
