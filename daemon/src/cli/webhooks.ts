import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import {
  deleteWebhook,
  EventPattern,
  getWebhook,
  listWebhooks,
  registerWebhook,
  updateWebhook,
  type Webhook,
} from '@reverie/shared/contract/events/webhooks';
import { testWebhook } from '@reverie/shared/contract/events/deliveries';
import { agreed } from './confirm.ts';
import { clientOf } from './connection.ts';
import { addDeliveries, printAttempts } from './deliveries.ts';
import { jsonOption, whole, yesOption } from './options.ts';
import { note, paint, printJson, printTable, say, shortTime } from './print.ts';
import { readSecret } from './read-secret.ts';
import type { Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie webhooks add https://ci.example.org/hook --event memory.write --event dream
  reverie webhooks test whk_01…         sends one now, and says what came back
  reverie webhooks deliveries --status dead
  reverie webhooks replay dlv_01…`;

/** `reverie webhooks`, with its commands; alone it lists. */
export function addWebhooks(program: Command, terminal: Terminal): void {
  const webhooks = program
    .command('webhooks')
    .description('send events to other programs by HTTP, and see how that goes')
    .addHelpText('after', AFTER);
  webhooks
    .command('list', { isDefault: true })
    .description('list where events go, and how their receivers do')
    .addOption(jsonOption())
    .action(({ json }: { json?: true }) => list(terminal, json));
  addAdd(webhooks, terminal);
  webhooks
    .command('test')
    .description('send a test event now, and say what came back')
    .argument('<id>', 'as in `reverie webhooks`')
    .addOption(jsonOption())
    .action(async (id: string, { json }: { json?: true }) => {
      const delivery = await (await clientOf(terminal))(testWebhook, { params: { id } });
      if (delivery.status !== 'delivered') terminal.exitCode = 1;
      if (json) return printJson(terminal, delivery);
      printAttempts(terminal, delivery);
    });
  addChanges(webhooks, terminal);
  addDeliveries(webhooks, terminal);
}

async function list(terminal: Terminal, json: true | undefined): Promise<void> {
  const reply = await (await clientOf(terminal))(listWebhooks, {});
  if (json) return printJson(terminal, reply);
  const { isTTY } = terminal.stdout;
  printTable(
    terminal,
    ['Id', 'URL', 'Events', 'State', 'Waiting', 'Dead', 'Delivered last'],
    reply.webhooks.map((webhook) => [
      webhook.id,
      webhook.url,
      webhook.events.join(', '),
      stateOf(webhook),
      String(webhook.pending),
      String(webhook.dead_letters),
      webhook.last_delivery_at === null
        ? ''
        : isTTY
          ? shortTime(webhook.last_delivery_at)
          : webhook.last_delivery_at,
    ]),
  );
  if (isTTY && reply.webhooks.length === 0)
    note(terminal, 'Events go nowhere yet. `reverie webhooks add URL` sends them to a program.');
}

function stateOf({ status, disabled_reason, failing_since }: Webhook): string {
  if (status === 'disabled')
    return disabled_reason === 'gone' ? 'off: its receiver is gone' : 'off: it failed for five days';
  return status === 'active' && failing_since !== null ? 'failing' : status;
}

interface AddOptions {
  event?: EventPattern[];
  description?: string;
  ordered?: true;
  allDevices?: true;
  privateNetwork?: true;
  rate?: number;
  askSecret?: true;
  json?: true;
}

function pattern(text: string, before: readonly EventPattern[] = []): EventPattern[] {
  // A family may be said without its star, as `events --type` takes it.
  const parsed = EventPattern.safeParse(/^\w+$/.test(text) ? `${text}.*` : text);
  if (parsed.success) return [...before, parsed.data];
  throw new InvalidArgumentError(`It ${parsed.error.issues.map(({ message }) => message).join('; ')}.`);
}

function addAdd(webhooks: Command, terminal: Terminal): void {
  webhooks
    .command('add')
    .description('deliver events to a URL; prints the secret that signs them, once')
    .argument('<url>', 'where each event is sent by POST')
    .option(
      '-e, --event <kind>',
      'a kind such as memory.write, a family such as memory; may be given again',
      pattern,
    )
    .option('--description <text>', 'what it is for')
    .option('--ordered', 'each waits until the one before was delivered')
    .option('--all-devices', 'also what comes from your other devices')
    .option('--private-network', 'the URL may be in a private network, such as your own')
    .option('--rate <number>', 'at most so many in a second (else 50)', whole(1))
    .option('--ask-secret', 'ask for the secret, or read it from standard input, instead of making one')
    .addOption(jsonOption())
    .action(async (url: string, options: AddOptions) => {
      const secret = options.askSecret
        ? await readSecret(terminal, 'Secret of the webhook')
        : `whsec_${randomBytes(24).toString('base64')}`;
      const added = await (
        await clientOf(terminal)
      )(registerWebhook, {
        body: {
          url,
          events: options.event ?? ['*'],
          secret,
          description: options.description,
          ordered: options.ordered,
          ...(options.allDevices && { origins: 'all' as const }),
          allow_private_network: options.privateNetwork,
          rate_per_s: options.rate,
        },
      });
      const made = options.askSecret ? {} : { secret };
      if (options.json) return printJson(terminal, { ...added, ...made });
      say(terminal, `${added.id} sends ${added.events.join(', ')} to ${added.url}.`);
      if (options.askSecret) return;
      say(terminal, `Secret: ${secret}`);
      note(
        terminal,
        'Give the secret to the receiver: it checks the signatures (Standard Webhooks). It is not shown again.',
      );
    });
}

function addChanges(webhooks: Command, terminal: Terminal): void {
  for (const [name, status, description] of [
    ['pause', 'paused', 'send nothing until it is resumed; what happens meanwhile is sent then'],
    ['resume', 'active', 'send again, also where it was turned off because it failed'],
  ] as const)
    webhooks
      .command(name)
      .description(description)
      .argument('<id>', 'as in `reverie webhooks`')
      .addOption(jsonOption())
      .action(async (id: string, { json }: { json?: true }) => {
        const webhook = await (await clientOf(terminal))(updateWebhook, { params: { id }, body: { status } });
        if (json) printJson(terminal, webhook);
        else say(terminal, `${webhook.id} is ${paint(terminal, 'bold', webhook.status)}.`);
      });
  webhooks
    .command('remove')
    .description('delete a webhook with what it still had to deliver; asks first')
    .argument('<id>', 'as in `reverie webhooks`')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(async (id: string, { yes = false, json }: { yes?: boolean; json?: true }) => {
      const client = await clientOf(terminal);
      const { url, pending } = await client(getWebhook, { params: { id } });
      const waiting = pending > 0 ? ` ${pending} that wait are not delivered.` : '';
      const what = `This deletes the webhook ${id} to ${url}.${waiting}`;
      if (!(await agreed(terminal, { what, type: 'remove', yes }))) {
        note(terminal, 'Nothing was deleted.');
        terminal.exitCode = 1;
        return;
      }
      const reply = await client(deleteWebhook, { params: { id } });
      if (json) printJson(terminal, reply);
      else say(terminal, `Deleted ${reply.id}.`);
    });
}
