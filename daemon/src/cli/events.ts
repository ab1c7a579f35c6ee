import { type Command, Option } from 'commander';
import type { Client } from '@reverie/shared/client';
import { type Event, eventFamilies, eventTypes, listEvents } from '@reverie/shared/contract/events/events';
import { listKeys } from '@reverie/shared/contract/accounts/keys';
import type { Received } from '@reverie/shared/contract/route';
import type { StreamMessage } from '@reverie/shared/contract/events/stream';
import { connect } from './connection.ts';
import { sentenceOf } from './event-sentence.ts';
import { jsonOption, whole } from './options.ts';
import { note, paint, printJson, say, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

type Topic = (typeof eventFamilies)[number] | (typeof eventTypes)[number];

interface Options {
  follow?: true;
  type?: Topic;
  namespace?: string;
  limit: number;
  since?: number;
  json?: true;
}

const AFTER = `
Examples:
  reverie events                        what happened last, oldest first
  reverie events --follow --type memory what happens to memories, as it happens
  reverie events --follow --json        a line of JSON for each, for programs`;

/** `reverie events [--follow]` */
export function addEvents(program: Command, terminal: Terminal): void {
  program
    .command('events')
    .description('show what happened, and with --follow what happens')
    .option('-f, --follow', 'go on with each event as it happens, until Ctrl-C; restarts are waited for')
    .addOption(
      new Option(
        '--type <kind>',
        'only these: a family such as memory, or a kind such as memory.write',
      ).choices([...eventFamilies, ...eventTypes]),
    )
    .option('-n, --namespace <name>', 'only of this namespace')
    .option('-l, --limit <number>', 'at most so many that happened before', whole(0), 20)
    .option('--since <seq>', 'those after this one, by the `seq` that --json shows', whole(0))
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action((options: Options) => showEvents(terminal, options));
}

async function showEvents(terminal: Terminal, options: Options): Promise<void> {
  const { follow, type, namespace, since, limit, json } = options;
  const { client } = await connect(homeOf(terminal), terminal.env);
  const query = {
    ...(type !== undefined && (isFamily(type) ? { family: type } : { type })),
    namespace,
    since,
    limit: Math.max(limit, 1),
  };
  const reply = await client(listEvents, { query });
  const events = limit === 0 ? [] : reply.events;
  if (json && !follow) return printJson(terminal, { ...reply, events });
  const tell = json
    ? (message: StreamMessage) => say(terminal, JSON.stringify(message))
    : await teller(terminal, client);
  if (reply.reset) note(terminal, MISSED);
  for (const event of events) tell(event);
  if (!follow) {
    if (terminal.stdout.isTTY && events.length === 0) note(terminal, 'Nothing of the kind has happened.');
    return;
  }
  // The stream's library is of no use to any other command.
  const { followStream } = await import('./follow.ts');
  await followStream(terminal, {
    from: { since: lastTold(reply, options), log_id: reply.log_id },
    ...(type !== undefined && { topics: [type] }),
    namespace,
    onMessage: tell,
    onLost: () => note(terminal, 'Reverie has stopped; waiting until it runs again.'),
  });
}

/** What the stream goes on after: all that was there is told, unless the limit left some of it for the stream. */
function lastTold(
  { newest_seq, next, events }: Received<typeof listEvents>,
  { since, limit }: Pick<Options, 'since' | 'limit'>,
): number {
  if (since === undefined) return newest_seq;
  if (limit === 0) return since;
  return events.length < limit ? newest_seq : next;
}

function isFamily(type: Topic): type is (typeof eventFamilies)[number] {
  return eventFamilies.some((family) => family === type);
}

const MISSED = 'Some events were missed: they are no longer in the log.';

/** Says an event as a sentence behind its time; keys are told by their names. */
async function teller(terminal: Terminal, client: Client): Promise<(message: StreamMessage) => void> {
  const { keys } = await client(listKeys, {});
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const { isTTY } = terminal.stdout;
  const line = (event: Event) => {
    const time = isTTY ? shortTime(event.created_at) : event.created_at;
    say(terminal, `${paint(terminal, 'dim', time)}${isTTY ? '  ' : '\t'}${sentenceOf(event, names)}`);
  };
  return (message) => {
    if (message.type === 'reset') note(terminal, MISSED);
    else if (message.type === 'error') note(terminal, message.detail);
    else line(message);
  };
}
