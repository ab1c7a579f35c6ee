import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Client } from '@reverie/shared/client';
import {
  ackMessage,
  type InboxMessage,
  listMessages,
  sendMessage,
} from '@reverie/shared/contract/events/inbox';
import { connect } from './connection.ts';
import { jsonObject, jsonOption, several, whole } from './options.ts';
import { count, cutTo, note, printJson, printTable, say, shortTime } from './print.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

interface InboxOptions {
  ack?: string[];
  send?: string | true;
  from: string;
  kind: string;
  replyTo?: string;
  all?: true;
  limit: number;
  json?: true;
}

const AFTER = `
Examples:
  reverie inbox                          what nobody has read yet
  reverie inbox work --all               of the namespace work, read ones, too
  reverie inbox work --ack msg_01…       mark a message as read
  reverie inbox work --send '{"text": "the build is red"}' --from ci --kind build
  reverie inbox work --send '{"text": "mended"}' --reply-to msg_01…
  make-report | reverie inbox work --send    the message comes on stdin`;

/** `reverie inbox [NAMESPACE]` */
export function addInbox(program: Command, terminal: Terminal): void {
  program
    .command('inbox')
    .description('read, acknowledge and send messages between agents')
    .argument('[namespace]', 'whose inbox', 'default')
    .option('--ack <id>', 'mark a message as read; may be given again', several)
    .option('--send [payload]', 'send a JSON object; from stdin where it is left out')
    .option('--from <name>', 'who sends', 'reverie-cli')
    .option('--kind <kind>', 'what kind of message it is', 'message')
    .option('--reply-to <id>', 'the message of this inbox that it answers')
    .option('-a, --all', 'show those that were read, too')
    .option('-l, --limit <number>', 'show at most so many', whole(1), 50)
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action(async (namespace: string, options: InboxOptions) => {
      if (options.send !== undefined && options.ack)
        throw new UsageError('--send and --ack are two things: do one after the other.');
      const { client } = await connect(homeOf(terminal), terminal.env);
      if (options.send !== undefined) return sendOne(terminal, client, { namespace, options });
      if (options.ack) return ackAll(terminal, client, { namespace, options });
      return show(terminal, client, { namespace, options });
    });
}

interface Asked {
  namespace: string;
  options: InboxOptions;
}

async function sendOne(terminal: Terminal, client: Client, { namespace, options }: Asked): Promise<void> {
  if (options.send === true && terminal.stdin.isTTY)
    throw new UsageError('Give the message as JSON after --send, or on stdin.');
  const payload = jsonObject(options.send === true ? await text(terminal.stdin) : (options.send ?? ''));
  const { from, kind, replyTo } = options;
  const reply = await client(sendMessage, {
    params: { namespace },
    body: { from, kind, payload, ...(replyTo !== undefined && { in_reply_to: replyTo }) },
  });
  if (options.json) printJson(terminal, { ...reply, namespace });
  else say(terminal, `Sent ${reply.id} to ${namespace}.`);
}

async function ackAll(terminal: Terminal, client: Client, { namespace, options }: Asked): Promise<void> {
  const acked = [];
  for (const id of options.ack ?? []) {
    const { acked_at } = await client(ackMessage, { params: { namespace, id } });
    acked.push({ id, acked_at });
    if (!options.json) say(terminal, `Marked ${id} as read.`);
  }
  if (options.json) printJson(terminal, { success: true, namespace, acked });
}

async function show(terminal: Terminal, client: Client, { namespace, options }: Asked): Promise<void> {
  const query = { unread: options.all ? ('false' as const) : ('true' as const), limit: options.limit };
  const reply = await client(listMessages, { params: { namespace }, query });
  if (options.json) return printJson(terminal, reply);
  const { isTTY } = terminal.stdout;
  const row = ({ id, from, kind, created_at, acked_at, payload }: InboxMessage) => {
    const cells = [
      acked_at === null ? 'unread' : 'read',
      isTTY ? shortTime(created_at) : created_at,
      id,
      from,
      kind,
    ];
    const used = cells.reduce((width, cell) => width + cell.length + 2, 0);
    const shown = JSON.stringify(payload);
    return [...cells, isTTY ? cutTo(shown, terminal.stdout, used) : shown];
  };
  if (reply.messages.length > 0 || !isTTY)
    printTable(terminal, ['', 'Sent', 'Id', 'From', 'Kind', 'Payload'], reply.messages.map(row));
  if (isTTY && reply.messages.length === 0)
    note(
      terminal,
      `Nothing is unread in ${namespace}. \`reverie inbox ${namespace} --all\` shows what was read.`,
    );
  if (isTTY && reply.next !== null)
    note(terminal, `${count(reply.unread, 'message')} unread in all: --limit shows more.`);
  if (reply.elsewhere.length > 0) {
    const others = reply.elsewhere.map((other) => `${other.namespace} (${other.unread})`).join(', ');
    note(terminal, `Unread elsewhere: ${others}. \`reverie inbox NAMESPACE\` shows one.`);
  }
}
