import { corsHeaders, guard } from '@reverie/shared/http/guard';
import { admitWith, hasNamesOnly, type NamespaceOf } from '@reverie/shared/accounts/narrower-keys';
import { createHeavyRequests, type HeavyLimits } from '@reverie/shared/http/heavy';
import { createMount } from '@reverie/shared/http/mount';
import { Problem } from '@reverie/shared/contract/problems';
import type { Route } from '@reverie/shared/contract/route';
import { sendBucket } from '@reverie/shared/http/rate-limit';
import { createServer, servedMethods } from '@reverie/shared/http/server';
import { type Shed, shedFirst } from '@reverie/shared/http/shed';
import type { ServerResponse } from 'node:http';
import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Store } from '../db/open-store.ts';
import {
  addressHeaders,
  anonymousFor,
  authenticate,
  type Buckets,
} from '../features/accounts/authenticate.ts';
import { createOpenConnections, type OpenConnections } from '../platform/open-connections.ts';
import type { Usage } from '../features/accounts/usage.ts';
import { createOnce } from '../features/idempotency/once.ts';
import { acceptWebSockets, asksForStream } from '../features/events/stream.routes.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Serving } from './parts.ts';

export interface HttpParts {
  config: Config;
  store: Store;
  clock: Clock;
  log: Log;
  world: HttpWorld;
}

/** What the server needs of what stands around it. */
export interface HttpWorld {
  tls: { cert: string; key: string } | undefined;
  usage: Usage;
  buckets: Buckets;
  /** Where the server listens; empty before it does. */
  addresses: () => readonly { scheme: string; host: string }[];
  isStopping: () => boolean;
}

export interface Http {
  http: FastifyInstance;
  auth: ReturnType<typeof authenticate>;
  connections: OpenConnections;
  /** The methods that a path answers. */
  served: ReturnType<typeof servedMethods>;
}

/**
 * The server with what stands before every route: limits by address, hosts and origins, stopping, keys. The order of
 * the hooks is the order in which a request is refused.
 */
export async function createHttp({ config, store, clock, log, world }: HttpParts): Promise<Http> {
  const { usage, buckets, addresses } = world;
  const publicUrl = config.public_url === undefined ? undefined : new URL(config.public_url);
  const http = createServer({
    log,
    https: world.tls,
    trustProxy: config.trust_proxy,
    earlyHeaders: (address) => addressHeaders(buckets.anonymous.peek(address, clock.now()), clock.now()),
  });
  await acceptWebSockets(http);
  const served = servedMethods(http);
  http.addHook('onRequest', async (request, reply) => {
    // Before any refusal, for every response carries these headers; authentication counts and replaces them.
    sendBucket(reply, anonymousFor(buckets, request).peek(request.ip, clock.now()));
  });
  guard(http, {
    hosts: () => [
      ...addresses().map(({ host }) => host),
      ...config.allowed_hosts.map((name) => name.toLowerCase()),
      ...(publicUrl ? [publicUrl.host] : []),
    ],
    ownOrigins: () => [
      ...addresses().map(({ scheme, host }) => `${scheme}://${host}`),
      ...(publicUrl ? [publicUrl.origin] : []),
    ],
    corsOrigins: config.cors.origins,
    refused: (request, reply) =>
      sendBucket(reply, anonymousFor(buckets, request).count(request.ip, clock.now())),
  });
  http.addHook('onRequest', async () => {
    if (world.isStopping())
      throw new Problem('unavailable', 'Reverie is stopping; try again when it runs', {
        headers: { 'Retry-After': '1' },
      });
  });
  const auth = authenticate(http, {
    store,
    clock,
    usage,
    log,
    buckets,
    hasSandbox: config.sandbox.enabled,
    trustProxy: config.trust_proxy,
  });
  const shed: Shed = (request) => {
    const refusal = auth.shed(request);
    // The page of a configured origin has to be able to read that it shall wait.
    const cors = refusal && corsHeaders(request.headers.origin, config.cors.origins);
    return refusal && { ...refusal, headers: { ...refusal.headers, ...cors } };
  };
  shedFirst(http, shed, { upgrades: asksForStream });
  const connections = createOpenConnections({ clock, isLive: auth.isLive });
  http.addHook('onClose', async () => connections.stop());
  return { http, auth, connections, served };
}

/** Heavy requests of an account that signed up, and of the machine's own one, whose agents and pages share it. */
const HEAVY: HeavyLimits = { atOnce: 4, waiting: 64 };
const HEAVY_OF_MACHINE: HeavyLimits = { atOnce: 16, waiting: 1000 };

interface ServingParts {
  store: Store;
  clock: Clock;
  namespaceOf: NamespaceOf;
  isMachine: (account: AccountId) => boolean;
  /** Resolves when what was written of an account is indexed, or after some seconds. */
  settled: (account: AccountId) => Promise<void>;
}

/**
 * What parts put their routes on: each request is made as the caller of its key,
 * once for an `Idempotency-Key`, and only where that key reaches.
 */
export function createServing(
  { http, auth, connections }: Pick<Http, 'http' | 'auth' | 'connections'>,
  { store, clock, namespaceOf, isMachine, settled }: ServingParts,
): Serving {
  const enter = createHeavyRequests((account: AccountId) => (isMachine(account) ? HEAVY_OF_MACHINE : HEAVY));
  const mounting = {
    callerOf: auth.callerOf,
    once: createOnce({ store, clock }),
    admit: admitWith(namespaceOf),
    namesOnly: hasNamesOnly,
    async heavy({ key, account }: Caller, response: ServerResponse, { scope }: Route) {
      await enter(key.account, response);
      // One large write after the other: what waits to be indexed stays small.
      if (scope !== 'read') await settled(account);
    },
  };
  return {
    http,
    auth,
    connections,
    mount: createMount(http, mounting),
    mountAlsoAtRoot: createMount(http, mounting, ['', '/v1']),
  };
}
