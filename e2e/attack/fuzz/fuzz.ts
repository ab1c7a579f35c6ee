import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { verifyDatabase } from '../../../daemon/src/db/backup/verify.ts';
import { openReceiver } from '../../receiver.ts';
import { checkAnswer } from '../answers.ts';
import { openGrounds } from '../grounds.ts';
import type { Section } from '../ledger.ts';
import type { Progress } from '../progress.ts';
import { createAgent, send } from '../sending.ts';
import { lookUpIn, type OpenApi, operationsOf, relayOperations } from './documents.ts';
import type { Words } from './from-schema.ts';
import { furnish, signUpBot, unbound } from './furnish.ts';
import { furnishRelay } from './furnish-relay.ts';
import { knownIn } from './known.ts';
import { type Keys, type Operation, requestsTo } from './requests.ts';

export interface FuzzOptions {
  seed: number;
  /** Requests to each route. */
  times: number;
  progress: Progress;
}

/** Requests at a time: a route is not alone on the machine. */
const AT_ONCE = 4;

interface Field {
  origin: string;
  pid: number;
  operations: readonly Operation[];
  keys: Keys;
  words: (operation: Operation) => Words;
}

/** Asks every documented route of a daemon for all that its document allows, and what it does not. */
export async function fuzzDaemon(section: Section, options: FuzzOptions): Promise<void> {
  const grounds = openGrounds();
  const hook = await openReceiver();
  try {
    const relay = await grounds.relay('relay');
    const daemon = await grounds.daemon('daemon');
    const bot = await unbound(daemon, await signUpBot(daemon, 'bot@example.org'));
    const accounts = [bot.account, (await signUpBot(daemon, 'other@example.org')).account];
    const own = await furnish(daemon.call, { secrets: ['plain'], hook: hook.url });
    await daemon.call(linkDevice, { body: { relay: relay.origin, email: 'fuzz@example.org' } });
    const opened = await send(daemon.origin, { method: 'GET', path: '/v1/openapi.json', headers: {} });
    const document = JSON.parse(opened.text) as OpenApi;
    const sandbox = /`(rv_[^`]+)`/.exec(opened.text)?.[1];
    await fuzz(section, options, {
      origin: daemon.origin,
      pid: daemon.pid,
      operations: inOrder(operationsOf(document)),
      keys: {
        best: daemon.ownerKey,
        others: [
          {},
          bot.key,
          own.revoked,
          ...(sandbox === undefined ? [] : [sandbox]),
          'rv_live_wrong',
          { Authorization: 'Basic x' },
          { Authorization: `Bearer ${daemon.ownerKey}`, 'X-Reverie-Account': bot.account },
          { Authorization: `Bearer ${bot.key}`, 'X-Reverie-Account': 'acc_nobody' },
        ],
      },
      words: ({ route }) => ({
        lookUp: lookUpIn(document),
        known: (name) => knownIn(own, accounts, { name, path: route.path }),
      }),
    });
    section.turn(daemon.longestTurn(), 'the fuzz');
    await daemon.kill('SIGTERM');
    for (const problem of verifyDatabase(daemon.home.database).problems)
      section.found('lost', `the database: ${problem}`);
  } finally {
    await hook.close();
    await grounds.stop();
  }
}

/** The same for a relay; `env` may name a Postgres that it stands on. */
export async function fuzzRelay(
  section: Section,
  options: FuzzOptions,
  env: Record<string, string> = {},
): Promise<void> {
  const grounds = openGrounds();
  try {
    const relay = await grounds.relay('relay', env);
    const made = await furnishRelay(relay.origin);
    await fuzz(section, options, {
      origin: relay.origin,
      pid: relay.pid,
      operations: inOrder(relayOperations()),
      keys: {
        best: made.key,
        others: [{}, made.stranger, made.revoked, 'rv_live_wrong', { Authorization: 'Basic x' }],
      },
      words: ({ route }) => ({
        lookUp: () => ({}),
        known: (name) => made.known(name, route.path),
      }),
    });
    section.turn(relay.longestTurn(), 'the fuzz');
  } finally {
    await grounds.stop();
  }
}

/** What takes away what others ask for comes last. */
function inOrder(operations: readonly Operation[]): Operation[] {
  const rank = ({ route: { method, path } }: Operation) =>
    (method === 'DELETE' ? 2 : 0) +
    (/clear|rebuild|link$|adopt|lost/.test(path) ? 1 : 0) +
    (path === '/account' ? 4 : 0);
  return operations.toSorted((a, b) => rank(a) - rank(b));
}

async function fuzz(section: Section, { seed, times, progress }: FuzzOptions, field: Field): Promise<void> {
  const agent = createAgent(AT_ONCE);
  const all = field.operations.length;
  for (const [n, operation] of field.operations.entries()) {
    progress(`${section.name}: ${n + 1} of ${all} routes, ${operation.route.method} ${operation.route.path}`);
    const waiting = requestsTo(
      operation,
      { words: field.words(operation), keys: field.keys },
      { seed: seed + n, times },
    );
    const ask = async () => {
      for (let sent = waiting.shift(); sent; sent = waiting.shift())
        checkAnswer(section, operation, {
          sent,
          answer: await send(field.origin, sent, { agent, pid: field.pid }),
        });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
    section.did('routes');
  }
  agent.destroy();
  const health = await send(field.origin, { method: 'GET', path: '/healthz', headers: {} });
  if (health.status !== 200)
    section.found('lost', `after all of it /healthz answered ${health.status} ${health.cut ?? ''}`);
}
