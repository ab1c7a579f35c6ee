import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@reverie/shared/client';
import { botSignup } from '@reverie/shared/contract/accounts/accounts';
import { startDream, dreamStatus, listInsights } from '@reverie/shared/contract/dreams/dreams';
import { sendMessage } from '@reverie/shared/contract/events/inbox';
import { createKey, revokeKey } from '@reverie/shared/contract/accounts/keys';
import { storeBatch, setMemory } from '@reverie/shared/contract/memories/memories';
import { listDeliveries } from '@reverie/shared/contract/events/deliveries';
import { registerWebhook } from '@reverie/shared/contract/events/webhooks';
import { linkOf } from '../../../daemon/src/features/accounts/signup/confirmation-mail.ts';
import { type AttackedDaemon, eventually, newAddress } from '../grounds.ts';
import { createAgent, send } from '../sending.ts';

/** An agent that signed up. */
export interface Bot {
  account: string;
  key: string;
  token: string;
}

/** Signs an agent up from an address of its own, and finds its mail. */
export async function signUpBot(daemon: AttackedDaemon, email: string): Promise<Bot> {
  const before = new Set(mailsOf(daemon));
  const answer = await send(daemon.origin, {
    method: botSignup.method,
    path: `/v1${botSignup.path}`,
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': newAddress() },
    body: JSON.stringify({ email }),
  });
  if (answer.status !== 201) throw new Error(`Signing up answered ${answer.status}: ${answer.text}`);
  const key = (JSON.parse(answer.text) as { api_key: string }).api_key;
  const mail = await eventually(() => mailsOf(daemon).find((name) => !before.has(name)), { withinMs: 5000 });
  const link = mail === undefined ? undefined : linkOf(fs.readFileSync(path.join(daemon.home.outbox, mail)));
  return {
    account: mail === undefined ? '' : path.basename(mail, '.eml'),
    key,
    token: link === undefined ? '' : (new URL(link).searchParams.get('token') ?? ''),
  };
}

function mailsOf({ home }: AttackedDaemon): string[] {
  return fs.existsSync(home.outbox)
    ? fs.readdirSync(home.outbox).filter((name) => name.endsWith('.eml'))
    : [];
}

/** Confirms an agent's address and lifts its quotas, so that they do not hide what lies behind them. */
export async function unbound(daemon: AttackedDaemon, bot: Bot): Promise<Bot> {
  const agent = createAgent(1);
  const ask = (method: string, at: string, body?: object) =>
    send(
      daemon.origin,
      {
        method,
        path: `/v1${at}`,
        body: body && JSON.stringify(body),
        headers: {
          Authorization: `Bearer ${daemon.ownerKey}`,
          ...(body && { 'Content-Type': 'application/json' }),
        },
      },
      { agent },
    );
  const confirmed = await ask('GET', `/auth/confirm?token=${encodeURIComponent(bot.token)}`);
  const raised = await ask('PATCH', `/accounts/${bot.account}`, { tier: 'enterprise' });
  agent.destroy();
  if (confirmed.status !== 200 || raised.status !== 200)
    throw new Error(`The agent ${bot.account} was not let in: ${confirmed.text} ${raised.text}`);
  return bot;
}

/** What stands in an account, by what somebody may guess of it. */
export interface Furniture {
  namespace: string;
  keys: string[];
  webhooks: string[];
  deliveries: string[];
  jobs: string[];
  insights: string[];
  messages: string[];
  apiKeys: string[];
  /** A key that was revoked, itself. */
  revoked: string;
}

/** Puts one of everything into an account; the words of `secrets` stand in each of them. */
export async function furnish(
  call: Client,
  { secrets, hook }: { secrets: readonly string[]; hook: string | undefined },
): Promise<Furniture> {
  const namespace = 'private';
  const secret = (n: number) => secrets[n % Math.max(1, secrets.length)] ?? '';
  const webhooks: string[] = [];
  for (const n of hook === undefined ? [] : [0, 1]) {
    const body = {
      url: `${hook}?${secret(0)}=${n}`,
      events: ['*' as const],
      secret: `of the hook ${secret(1)}`,
      description: secret(2),
    };
    webhooks.push((await call(registerWebhook, { body })).id);
  }
  const keys = Array.from({ length: 12 }, (_, n) => `note ${n}`);
  const about = [
    'The bakery opens at seven',
    'The bakery opens at nine',
    'Ada drives a red van',
    'Ada drives a blue van',
  ];
  const items = keys.map((name, n) => ({
    key: name,
    namespace,
    value: `${about[n % 4] ?? ''}. ${secret(n)} stands here, ${n}.`,
    metadata: { session: 's', tags: [secret(3)] },
  }));
  await call(storeBatch, { body: { items } });
  await call(setMemory, { body: { key: 'note 0', namespace, value: `Said otherwise: ${secret(4)}` } });
  const messages: string[] = [];
  for (const n of [0, 1])
    messages.push(
      (
        await call(sendMessage, {
          params: { namespace },
          body: { from: 'me', kind: 'note', payload: { text: secret(5 + n) } },
        })
      ).id,
    );
  const { key: revoked, id: revokedId } = await call(createKey, { body: { name: 'gone' } });
  await call(revokeKey, { params: { id: revokedId } });
  const apiKeys: string[] = [];
  for (const n of [0, 1, 2])
    apiKeys.push((await call(createKey, { body: { name: `${secret(n)} ${n}` } })).id);
  const { id: job } = await call(startDream, { body: { namespace } });
  await eventually(
    async () =>
      ['complete', 'failed'].includes((await call(dreamStatus, { params: { id: job } })).status)
        ? true
        : undefined,
    { withinMs: 30_000 },
  );
  const { insights } = await call(listInsights, { query: {} });
  const { deliveries } = hook === undefined ? { deliveries: [] } : await call(listDeliveries, { query: {} });
  return {
    namespace,
    keys,
    webhooks,
    messages,
    apiKeys,
    revoked,
    jobs: [job],
    insights: insights.map(({ id }) => id),
    deliveries: deliveries.slice(0, 5).map(({ id }) => id),
  };
}
