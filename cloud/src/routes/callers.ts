import type { IncomingMessage } from 'node:http';
import { hashKey, isKey } from '@reverie/shared/accounts/key-format';
import { Problem } from '@reverie/shared/contract/problems';
import { proveIdentity } from '@reverie/shared/contract/relay';
import { type AddressBuckets, rateLimited, sendBucket } from '@reverie/shared/http/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Device, findLiveDevice } from '../accounts/devices.store.ts';
import type { Clock } from '@reverie/shared/time/clock';
import type { Config } from '../config.ts';
import type { Records } from '../db/records.ts';

/** Who makes a request; a public route has an address only. */
export interface Caller {
  device: string;
  account: string;
  address: string;
}

export interface CallerDeps {
  records: Records;
  clock: Clock;
  buckets: { anonymous: AddressBuckets; accounts: AddressBuckets; proofs: AddressBuckets };
}

/** The device of a key that works now. */
export async function deviceOfKey(
  { records, clock }: Pick<CallerDeps, 'records' | 'clock'>,
  header: string | undefined,
): Promise<Device | undefined> {
  const key = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (key === undefined || !isKey(key)) return undefined;
  return records.read(() => findLiveDevice(hashKey(key), clock.now()));
}

/** Finds out who calls before a body is read, and counts it: by account, or by address without a key. */
export function authenticate(app: FastifyInstance, deps: CallerDeps): (request: FastifyRequest) => Caller {
  const callers = new WeakMap<FastifyRequest, Caller>();
  app.addHook('onRequest', async (request, reply) => {
    const { route } = request.routeOptions.config;
    const now = deps.clock.now();
    const device = await deviceOfKey(deps, request.headers.authorization);
    const { anonymous, accounts, proofs } = deps.buckets;
    const isProof = route?.id === proveIdentity.id;
    const bucket = device
      ? accounts.count(device.account, now)
      : (isProof ? proofs : anonymous).count(request.ip, now);
    sendBucket(reply, bucket);
    if (bucket.exceeded) throw rateLimited(bucket, now);
    if (route && route.scope !== 'public' && !device)
      throw new Problem('unauthorized', 'Send the key of a linked device: `Authorization: Bearer <key>`', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    const { id = '', account = '' } = device ?? {};
    callers.set(request, { device: id, account, address: request.ip });
  });
  return (request) => callers.get(request) ?? { device: '', account: '', address: request.ip };
}

export interface UpgradeDeps extends Pick<CallerDeps, 'records' | 'clock'> {
  config: Pick<Config, 'RELAY_TRUST_PROXY'>;
  /** Upgrades without a key that works, by address. */
  tries: AddressBuckets;
}

/** The device that asks for an upgrade, by `authorization`; undefined where its key is none that works, `refused` where its address had too many of those. */
export async function deviceOfUpgrade(
  { config, records, clock, tries }: UpgradeDeps,
  request: IncomingMessage,
  authorization: string | undefined,
): Promise<Device | undefined | 'refused'> {
  const device = await deviceOfKey({ records, clock }, authorization);
  if (device) return device;
  const address = addressOf(request.headers['x-forwarded-for'], config) ?? request.socket.remoteAddress ?? '';
  return tries.count(address, clock.now()).exceeded ? 'refused' : undefined;
}

/** The caller's address as the proxy wrote it, last of all. */
function addressOf(header: string | string[] | undefined, config: UpgradeDeps['config']): string | undefined {
  return config.RELAY_TRUST_PROXY ? [header].flat().at(-1)?.split(',').at(-1)?.trim() : undefined;
}
