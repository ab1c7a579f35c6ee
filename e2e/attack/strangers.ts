import { once } from 'node:events';
import { createKey, listKeys } from '@reverie/shared/contract/accounts/keys';
import { listInsights } from '@reverie/shared/contract/dreams/dreams';
import { listMessages } from '@reverie/shared/contract/events/inbox';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { listWebhooks } from '@reverie/shared/contract/events/webhooks';
import { WebSocket } from 'ws';
import { call, openRoom, signUp } from '../../cloud/src/testing/device.ts';
import { everyMemory } from '../../daemon/src/cli/every-memory.ts';
import { openReceiver } from '../receiver.ts';
import { checkAnswer } from './answers.ts';
import { lookUpIn, type OpenApi, operationsOf, relayOperations } from './fuzz/documents.ts';
import type { Words } from './fuzz/from-schema.ts';
import { type Bot, type Furniture, furnish, signUpBot, unbound } from './fuzz/furnish.ts';
import { knownIn } from './fuzz/known.ts';
import { type Operation, requestsTo } from './fuzz/requests.ts';
import { type AttackedDaemon, eventually, openGrounds } from './grounds.ts';
import type { Section } from './ledger.ts';
import { secretWord, wordsIn } from './planted.ts';
import type { Progress } from './progress.ts';
import { seeded } from './random.ts';
import { createAgent, send } from './sending.ts';

export interface StrangersOptions {
  seed: number;
  /** Requests with each key to each route. */
  times: number;
  progress: Progress;
}

/** Somebody who has no business in an account, and the only status that may come of it where there is one. */
interface Stranger {
  name: string;
  headers: Record<string, string>;
  answer?: number;
}

interface Intrusion {
  origin: string;
  pid: number;
  operations: readonly Operation[];
  strangers: readonly Stranger[];
  secrets: ReadonlySet<string>;
  words: (operation: Operation) => Words;
}

const bearer = (key: string, more: Record<string, string> = {}) => ({
  Authorization: `Bearer ${key}`,
  ...more,
});
const malformed = [
  'rv_live_',
  'rv_live_0000000000000000000000000000000000000000000',
  "' OR ''='",
  'null',
  '\u00e9',
];

/** Asks every route with keys of every kind for what two other accounts hold, and looks whether a word of it comes back or anything has changed. */
export async function intrude(section: Section, options: StrangersOptions): Promise<void> {
  const random = seeded(options.seed);
  const secrets = Array.from({ length: 14 }, () => secretWord(random));
  const grounds = openGrounds();
  const hook = await openReceiver();
  try {
    const daemon = await grounds.daemon('daemon');
    const machine = await furnish(daemon.call, { secrets: secrets.slice(0, 7), hook: hook.url });
    const victim = await unbound(daemon, await signUpBot(daemon, 'victim@example.org'));
    const theirs = await furnish(daemon.as(daemon.ownerKey, victim.account), {
      secrets: secrets.slice(7),
      hook: undefined,
    });
    const stranger = await unbound(daemon, await signUpBot(daemon, 'stranger@example.org'));
    const { text } = await send(daemon.origin, { method: 'GET', path: '/v1/openapi.json', headers: {} });
    const document = JSON.parse(text) as OpenApi;
    const before = await holdingsOf(daemon, victim);
    const told = await followed(daemon, stranger.key, async () => {
      for (const key of [daemon.ownerKey, victim.key])
        await daemon.as(key)(setMemory, {
          body: { key: 'note 1', namespace: 'private', value: `Again: ${secrets.join(' ')}` },
        });
    });
    const rewritten = await holdingsOf(daemon, victim);
    if (before === rewritten) section.found('wrong', 'what an account holds cannot be compared');
    if (wordsIn(told, new Set(secrets)).length > 0)
      section.found('wrong', 'the stream told of another account');
    await intrudeEverywhere(section, options, {
      origin: daemon.origin,
      pid: daemon.pid,
      operations: operationsOf(document),
      secrets: new Set(secrets),
      strangers: await strangersOf(daemon, stranger, { victim: victim.account, document: text }),
      words: ({ route }) => ({
        lookUp: lookUpIn(document),
        known: (name) => known(name, route.path, [machine, theirs]),
      }),
    });
    if ((await holdingsOf(daemon, victim)) !== rewritten)
      section.found('lost', 'a stranger changed what another account holds');
  } finally {
    await hook.close();
    await grounds.stop();
  }
}

/** The same for the relay: rooms, devices and invites of another account. */
export async function intrudeRelay(section: Section, options: StrangersOptions): Promise<void> {
  const random = seeded(options.seed + 1);
  const [room = '', device = '', name = ''] = Array.from({ length: 3 }, () => secretWord(random));
  const grounds = openGrounds();
  try {
    const { origin, pid } = await grounds.relay('relay');
    const victim = await signUp(origin, `${name}@example.org`);
    await call(origin, {
      method: 'PATCH',
      path: `/devices/${victim.device}`,
      key: victim.key,
      body: { name: device },
    });
    const id = await openRoom(origin, victim, room);
    const { body: invite } = await call(origin, {
      method: 'POST',
      path: `/rooms/${id}/invites`,
      key: victim.key,
      body: { role: 'editor' },
    });
    const stranger = await signUp(origin, 'stranger@example.org');
    const holdings = async () =>
      JSON.stringify(
        await Promise.all(
          ['/rooms', `/rooms/${id}/members`, `/rooms/${id}/invites`, '/account'].map((path) =>
            call(origin, { path, key: victim.key }),
          ),
        ),
      );
    const before = await holdings();
    const ids: Readonly<Record<string, readonly string[]>> = {
      invite: [String(invite['id'])],
      member: [victim.account],
      email: ['somebody@example.org'],
    };
    await intrudeEverywhere(section, options, {
      origin,
      pid,
      // With an account that is deleted all else would be asked without one.
      operations: relayOperations().filter(({ route }) => route.id !== 'relay_account_delete'),
      secrets: new Set([room, device, name]),
      strangers: [
        { name: 'another account', headers: bearer(stranger.key) },
        { name: 'no key', headers: {}, answer: 401 },
        ...malformed
          .slice(0, 2)
          .map((key) => ({ name: 'a malformed key', headers: bearer(key), answer: 401 })),
      ],
      words: ({ route }) => ({
        lookUp: () => ({}),
        known: (field) =>
          field === 'id' ? [route.path.startsWith('/devices') ? victim.device : id] : (ids[field] ?? []),
      }),
    });
    if ((await holdings()) !== before)
      section.found('lost', 'a stranger changed what another account of the relay holds');
  } finally {
    await grounds.stop();
  }
}

async function strangersOf(
  daemon: AttackedDaemon,
  stranger: Bot,
  { victim, document }: { victim: string; document: string },
): Promise<Stranger[]> {
  const made = async (scope: 'read' | 'owner') =>
    (await daemon.as(daemon.ownerKey, stranger.account)(createKey, { body: { name: scope, scope } })).key;
  const [read, owner] = [await made('read'), await made('owner')];
  const { key: revoked, id } = await daemon.as(daemon.ownerKey, stranger.account)(createKey, {
    body: { name: 'gone' },
  });
  await send(daemon.origin, {
    method: 'DELETE',
    path: `/v1/keys/${id}`,
    headers: bearer(daemon.ownerKey, { 'X-Reverie-Account': stranger.account }),
  });
  const sandbox = /`(rv_[^`]+)`/.exec(document)?.[1];
  return [
    { name: 'a bot', headers: bearer(stranger.key) },
    { name: 'a read key', headers: bearer(read) },
    { name: 'an owner key', headers: bearer(owner) },
    ...(sandbox === undefined ? [] : [{ name: 'the sandbox', headers: bearer(sandbox) }]),
    {
      name: 'a key that names another account',
      headers: bearer(owner, { 'X-Reverie-Account': victim }),
      answer: 403,
    },
    { name: 'a revoked key', headers: bearer(revoked), answer: 401 },
    { name: 'no key', headers: {}, answer: 401 },
    ...malformed.map((key) => ({
      name: 'a malformed key',
      headers: bearer(Buffer.from(key).toString('latin1')),
      answer: 401,
    })),
  ];
}

function known(name: string, path: string, furniture: readonly Furniture[]): readonly string[] {
  if (['query', 'q', 'question', 'subject'].includes(name))
    return ['stands here', '*', 'When does the bakery open?', 'What does Ada drive?', 'Ada'];
  return furniture.flatMap((own) => knownIn(own, [], { name, path }));
}

async function intrudeEverywhere(
  section: Section,
  { seed, times, progress }: StrangersOptions,
  at: Intrusion,
): Promise<void> {
  const agent = createAgent(4);
  const work = at.operations.flatMap((operation, n) =>
    at.strangers.map((stranger) => ({ operation, stranger, n })),
  );
  const ask = async () => {
    for (let next = work.shift(); next; next = work.shift()) {
      const { operation, stranger, n } = next;
      progress(`${section.name}: ${work.length} pairs of route and key to go`);
      const keys = { best: '', others: [''] };
      for (const plain of requestsTo(
        operation,
        { words: at.words(operation), keys },
        { seed: seed + n, times },
      )) {
        const { Authorization: _, ...others } = plain.headers;
        const sent = { ...plain, headers: { ...others, ...stranger.headers } };
        const answer = await send(at.origin, sent, { agent, pid: at.pid });
        checkAnswer(section, operation, { sent, answer });
        const leaked = wordsIn(`${answer.text} ${JSON.stringify(answer.headers)}`, at.secrets);
        if (leaked.length > 0)
          section.found('wrong', `${operation.route.id} told ${stranger.name} of another account`, sent);
        const isLetIn = answer.status < 300 && operation.route.scope !== 'public';
        if (stranger.answer !== undefined && isLetIn)
          section.found('wrong', `${operation.route.id} let ${stranger.name} in`, sent);
      }
    }
  };
  await Promise.all([ask(), ask(), ask(), ask()]);
  section.did('routes', at.operations.length);
  agent.destroy();
}

/** What the stream tells one account while something is done in others. */
async function followed(daemon: AttackedDaemon, key: string, run: () => Promise<unknown>): Promise<string> {
  const socket = new WebSocket(`${daemon.origin.replace('http', 'ws')}/v1/stream?since=0`, {
    headers: bearer(key),
  });
  let told = '';
  socket.on('message', (data: Buffer) => (told += data.toString('utf8')));
  await once(socket, 'open');
  await run();
  await daemon.as(key)(setMemory, { body: { key: 'last', value: 'the stream has come this far' } });
  const end = await eventually(() => (told.includes('come this far') ? true : undefined), {
    withinMs: 10_000,
  });
  socket.terminate();
  if (end === undefined) throw new Error('The stream told nothing');
  return told;
}

/** Everything that two accounts hold, but for when it was used. */
async function holdingsOf(daemon: AttackedDaemon, victim: Bot): Promise<string> {
  const held = [];
  for (const client of [daemon.call, daemon.as(victim.key)]) {
    const memories: PortableMemory[] = [];
    for await (const memory of everyMemory(client, {})) memories.push(memory);
    const { messages } = await client(listMessages, { params: { namespace: 'private' }, query: {} });
    const { insights } = await client(listInsights, { query: {} });
    held.push(memories, messages, insights);
  }
  const { keys } = await daemon.call(listKeys, {});
  const { webhooks } = await daemon.call(listWebhooks, {});
  held.push(
    keys.map(({ id, name, scope, revoked_at }) => ({ id, name, scope, revoked_at })),
    webhooks.map(({ id, url, events, status }) => ({ id, url, events, status })),
  );
  return JSON.stringify(held);
}
