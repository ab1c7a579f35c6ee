import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { Mount } from '@reverie/shared/http/mount';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Store } from '../db/open-store.ts';
import { startDeliverySweep } from '../features/webhooks/deliveries.service.ts';
import { createDispatcher } from '../features/webhooks/dispatcher.ts';
import type { EventSource } from '../features/webhooks/event-source.ts';
import { isOwnAddress } from '../features/webhooks/own-address.ts';
import { createPacer } from '../features/webhooks/pacer.ts';
import { sharing, systemResolve } from '../features/webhooks/target.ts';
import { checkTargets, webhookRoutes } from '../features/webhooks/webhooks.routes.ts';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { VERSION } from '../version.ts';

export interface WebhooksParts {
  config: Config;
  store: Store;
  clock: Clock;
  log: Log;
  world: WebhooksWorld;
}

/** What webhooks need of the rest. */
export interface WebhooksWorld {
  events: EventSource;
  /** The names and ports under which this process is reached. */
  hosts: () => readonly string[];
  isMachine: (account: AccountId) => boolean;
}

export interface Webhooks {
  /** Told after each commit that wrote events. */
  wake(): void;
  /** Told after a webhook was changed or deleted by others than its routes. */
  changed(account: AccountId, webhookId: string): void;
  serve(http: FastifyInstance, mount: Mount<Caller>, callerOf: (request: FastifyRequest) => Caller): void;
  start(): Stop;
  /** Cuts tests that are under way, for a stop does not wait for their receivers. */
  cut(): void;
}

/** Joins the parts of webhooks; the composition root holds it. */
export function createWebhooks({ config, store, clock, log, world }: WebhooksParts): Webhooks {
  const { events, hosts, isMachine } = world;
  const probes = new AbortController();
  const sending = {
    rules: {
      resolve: sharing(systemResolve),
      isOwn: (address: string, port: number) => isOwnAddress(hosts(), { address, port }),
    },
    timeoutMs: config.webhooks.timeout_ms,
    userAgent: `Reverie/${VERSION}`,
  };
  const dispatcher = createDispatcher({
    store,
    clock,
    log,
    events,
    settings: {
      ...sending,
      policy: { minMs: config.webhooks.retry_min_ms, maxMs: config.webhooks.retry_max_ms },
      random: Math.random,
      createPacer,
    },
  });
  const deps = {
    store,
    clock,
    ...sending,
    events,
    newest: events.newest,
    signal: probes.signal,
    accounts: { isMachine, changed: dispatcher.changed },
  };
  return {
    wake: dispatcher.wake,
    changed: dispatcher.changed,
    serve(http, mount, callerOf) {
      checkTargets(http, deps, callerOf);
      webhookRoutes(mount, deps);
    },
    start() {
      dispatcher.start();
      const { retention_days: retentionDays } = config.webhooks;
      const stopSweep = startDeliverySweep({ store, clock, log, retentionDays });
      return () => {
        stopSweep();
        dispatcher.stop();
      };
    },
    cut: () => probes.abort(),
  };
}
