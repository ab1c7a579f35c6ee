import { type Command, Option } from 'commander';
import {
  type Delivery,
  type DeliveryDetail,
  deliveryStatuses,
  getDelivery,
  listDeliveries,
  replayDeadLetters,
  replayDelivery,
} from '@reverie/shared/contract/events/deliveries';
import { connect } from './connection.ts';
import { jsonOption, whole } from './options.ts';
import { count, note, paint, printJson, printTable, say, shortTime } from './print.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

interface ListOptions {
  status?: Delivery['status'];
  limit: number;
  json?: true;
}

interface ReplayOptions {
  dead?: true;
  json?: true;
}

/** `reverie webhooks deliveries` and `replay`: what was sent, and sending it again. */
export function addDeliveries(webhooks: Command, terminal: Terminal): void {
  webhooks
    .command('deliveries')
    .description('list what was sent, newest first; of one delivery every attempt')
    .argument('[id]', 'of a webhook (whk_…): only its own; of a delivery (dlv_…): its attempts')
    .addOption(new Option('--status <status>', 'only these').choices(deliveryStatuses))
    .option('-l, --limit <number>', 'at most so many', whole(1), 50)
    .addOption(jsonOption())
    .action((id: string | undefined, options: ListOptions) =>
      id?.startsWith('dlv_') ? showOne(terminal, id, options) : list(terminal, id, options),
    );
  webhooks
    .command('replay')
    .description('deliver again: deliveries by their ids, or all that could not be delivered')
    .argument('[id...]', 'of deliveries (dlv_…); with --dead of one webhook (whk_…)')
    .option('--dead', 'all that every attempt failed for')
    .addOption(jsonOption())
    .action((ids: string[], options: ReplayOptions) => replay(terminal, ids, options));
}

async function list(terminal: Terminal, webhook_id: string | undefined, options: ListOptions): Promise<void> {
  const { status, limit, json } = options;
  const { client } = await connect(homeOf(terminal), terminal.env);
  const reply = await client(listDeliveries, { query: { webhook_id, status, limit } });
  if (json) return printJson(terminal, reply);
  const { isTTY } = terminal.stdout;
  printTable(
    terminal,
    ['Id', 'Made', 'Event', 'State', 'Attempts', 'Came back'],
    reply.deliveries.map((delivery) => [
      delivery.id,
      isTTY ? shortTime(delivery.created_at) : delivery.created_at,
      delivery.event,
      delivery.status,
      String(delivery.attempts),
      cameBack(delivery),
    ]),
  );
  if (isTTY && reply.deliveries.length === 0) note(terminal, 'Nothing of the kind was sent.');
  if (isTTY && reply.next !== null) note(terminal, 'There are older ones: --limit shows more.');
}

function cameBack({ last_status, last_error }: Delivery): string {
  return last_error ?? (last_status === null ? '' : `status ${last_status}`);
}

async function showOne(terminal: Terminal, id: string, { json }: ListOptions): Promise<void> {
  const { client } = await connect(homeOf(terminal), terminal.env);
  const delivery = await client(getDelivery, { params: { id } });
  if (json) return printJson(terminal, delivery);
  printAttempts(terminal, delivery);
}

/** A delivery in a line, and each of its attempts. */
export function printAttempts(terminal: Terminal, delivery: DeliveryDetail): void {
  const { isTTY } = terminal.stdout;
  const { id, event, status: end } = delivery;
  say(terminal, `${id}, ${event}: ${paint(terminal, end === 'delivered' ? 'green' : 'red', end)}`);
  printTable(
    terminal,
    ['', 'Begun', 'Took', 'Came back'],
    delivery.log.map(({ number, started_at, latency_ms, status, error, response }) => [
      String(number),
      isTTY ? shortTime(started_at) : started_at,
      `${latency_ms} ms`,
      [error ?? (status === null ? 'nothing' : `status ${status}`), response ?? '']
        .filter(Boolean)
        .join(': '),
    ]),
  );
}

async function replay(
  terminal: Terminal,
  ids: readonly string[],
  { dead, json }: ReplayOptions,
): Promise<void> {
  const [webhook_id] = ids;
  const { client } = await connect(homeOf(terminal), terminal.env);
  if (dead) {
    if (ids.length > 1 || webhook_id?.startsWith('dlv_'))
      throw new UsageError('--dead takes at most one webhook (whk_…): reverie webhooks replay --dead [ID]');
    const since = new Date(0).toISOString();
    const reply = await client(replayDeadLetters, { body: { since, webhook_id } });
    if (json) return printJson(terminal, reply);
    say(terminal, `${count(reply.replayed, 'delivery', 'deliveries')} will be sent again.`);
    if (reply.skipped > 0)
      note(
        terminal,
        `${reply.skipped} cannot be: their webhook was deleted, or their event has left the log.`,
      );
    return;
  }
  if (ids.length === 0)
    throw new UsageError(
      'Say which: reverie webhooks replay dlv_…, or --dead for all that could not be delivered.',
    );
  const replayed = [];
  for (const id of ids) {
    const delivery = await client(replayDelivery, { params: { id } });
    replayed.push(delivery);
    if (!json) say(terminal, `${delivery.id} is sent again.`);
  }
  if (json) printJson(terminal, { deliveries: replayed });
}
