import type { IncomingMessage } from 'node:http';
import { hashKey, isKey } from '@reverie/shared/accounts/key-format';
import { Problem } from '@reverie/shared/contract/problems';
import { proveIdentity } from '@reverie/shared/contract/relay/relay';
import { type AddressBuckets, rateLimited, sendBucket } from '@reverie/shared/http/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Device, findLiveDevice } from '../accounts/devices.store.ts';
import type { RefusedCallers } from '../audit/refused-callers.ts';
import type { Clock } from '@reverie/shared/time/clock';
import type { Config } from '../config.ts';
import type { Records } from '../db/records.ts';
import { findOperatorKey } from '../operator/operator-keys.store.ts';
import { disabled } from '../transport/refusals.ts';

/** Who makes a request; a public route has an address only. */
export interface Caller {
  device: string;
  account: string;
  address: string;
  /** The id of an operator's key, on the routes of operators. */
  operator: string;
}

export interface CallerDeps {
  records: Records;
  clock: Clock;
  refused: Pick<RefusedCallers, 'note'>;
  buckets: {
    anonymous: AddressBuckets;
    accounts: AddressBuckets;
    proofs: AddressBuckets;
    tries: AddressBuckets;
  };
}

/** The hash of the key in a header `Authorization`; undefined where there is none that could be one. */
function keyHashOf(header: string | undefined): Buffer | undefined {
  const key = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  return key === undefined || !isKey(key) ? undefined : hashKey(key);
}

/** The device of a key that works now, and when its account was disabled. */
async function deviceOfKey(
  { records, clock }: Pick<CallerDeps, 'records' | 'clock'>,
  header: string | undefined,
): Promise<(Device & { disabled_at: number | null }) | undefined> {
  const hash = keyHashOf(header);
  return hash && records.read(() => findLiveDevice(hash, clock.now()));
}

/** Finds out who calls before a body is read, and counts it: by account, or by address without a key. */
export function authenticate(app: FastifyInstance, deps: CallerDeps): (request: FastifyRequest) => Caller {
  const callers = new WeakMap<FastifyRequest, Caller>();
  app.addHook('onRequest', async (request, reply) => {
    const { route } = request.routeOptions.config;
    const now = deps.clock.now();
    const { authorization } = request.headers;
    if (route?.isOperators) {
      const operator = await admitOperator(deps, request, reply);
      callers.set(request, { device: '', account: '', address: request.ip, operator });
      return;
    }
    const device = await deviceOfKey(deps, authorization);
    const { anonymous, accounts, proofs } = deps.buckets;
    const isProof = route?.id === proveIdentity.id;
    const bucket = device
      ? accounts.count(device.account, now)
      : (isProof ? proofs : anonymous).count(request.ip, now);
    sendBucket(reply, bucket);
    if (bucket.exceeded) throw rateLimited(bucket, now);
    const isOut = device ? device.disabled_at !== null : authorization !== undefined;
    if (route && isOut) deps.refused.note('login.failed', request.ip, device?.account);
    if (route && route.scope !== 'public' && device && isOut) throw disabled();
    if (route && route.scope !== 'public' && !device)
      throw new Problem('unauthorized', 'Send the key of a linked device: `Authorization: Bearer <key>`', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    const { id = '', account = '' } = device ?? {};
    callers.set(request, { device: id, account, address: request.ip, operator: '' });
  });
  return (request) => callers.get(request) ?? { device: '', account: '', address: request.ip, operator: '' };
}

/** The id of an operator's key; an address that tries many others is refused before they are looked at. */
async function admitOperator(
  { records, clock, refused, buckets: { accounts, tries } }: CallerDeps,
  { ip, headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const now = clock.now();
  const before = tries.peek(ip, now);
  if (before.remaining === 0) throw rateLimited(before, now);
  const hash = keyHashOf(headers.authorization);
  const id = hash && (await records.read(() => findOperatorKey(hash)));
  const bucket = id === undefined ? tries.count(ip, now) : accounts.count(id, now);
  sendBucket(reply, bucket);
  if (id === undefined) {
    refused.note('operator.failed', ip);
    throw new Problem(
      'unauthorized',
      'Send an operator’s key: `Authorization: Bearer <key>`. Who runs the relay makes one with `npm run relay -- admin key`',
      { headers: { 'WWW-Authenticate': 'Bearer' } },
    );
  }
  if (bucket.exceeded) throw rateLimited(bucket, now);
  return id;
}

export interface UpgradeDeps extends Pick<CallerDeps, 'records' | 'clock' | 'refused'> {
  config: Pick<Config, 'RELAY_TRUST_PROXY'>;
  /** Upgrades without a key that works, by address. */
  tries: AddressBuckets;
}

/** The device that asks for an upgrade, by `authorization`; undefined where its key is none that works, `disabled` where its account is, `refused` where its address had too many of either. */
export async function deviceOfUpgrade(
  { config, records, clock, refused, tries }: UpgradeDeps,
  request: IncomingMessage,
  authorization: string | undefined,
): Promise<Device | undefined | 'disabled' | 'refused'> {
  const device = await deviceOfKey({ records, clock }, authorization);
  if (device?.disabled_at === null) return device;
  const address = addressOf(request.headers['x-forwarded-for'], config) ?? request.socket.remoteAddress ?? '';
  refused.note('login.failed', address, device?.account);
  if (tries.count(address, clock.now()).exceeded) return 'refused';
  return device && 'disabled';
}

/** The caller's address as the proxy wrote it, last of all. */
function addressOf(header: string | string[] | undefined, config: UpgradeDeps['config']): string | undefined {
  return config.RELAY_TRUST_PROXY ? [header].flat().at(-1)?.split(',').at(-1)?.trim() : undefined;
}
