import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Config } from '../config/config.ts';
import type { Store } from '../db/open-store.ts';
import type { RecordEvent } from '../features/events/events.service.ts';
import { accountsAfter, findEvent, headersAfter, logEnds } from '../features/events/events.store.ts';
import { startDeliverySweep } from '../features/webhooks/deliveries.service.ts';
import { createDispatcher } from '../features/webhooks/dispatcher.ts';
import type { EventSource } from '../features/webhooks/event-source.ts';
import { isOwnAddress } from '../features/webhooks/sending/own-address.ts';
import { createPacer } from '../features/webhooks/sending/pacer.ts';
import { sharing, systemResolve } from '../features/webhooks/sending/target.ts';
import { checkTargets, webhookRoutes } from '../features/webhooks/webhooks.routes.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { VERSION } from '../version.ts';
import type { Part } from './parts.ts';

export interface WebhooksParts {
  config: Config;
  store: Store;
  clock: Clock;
  log: Log;
  world: WebhooksWorld;
}

/** What webhooks need of the rest. */
export interface WebhooksWorld {
  record: RecordEvent;
  /** The names and ports under which this process is reached. */
  hosts: () => readonly string[];
  isMachine: (account: AccountId) => boolean;
}

export interface Webhooks extends Part {
  /** Told after each commit that wrote events. */
  wake(): void;
  /** Told after a webhook was changed or deleted by others than its routes. */
  changed(account: AccountId, webhookId: string): void;
}

/** Joins the parts of webhooks; the composition root holds it. */
export function createWebhooks({ config, store, clock, log, world }: WebhooksParts): Webhooks {
  const { record, hosts, isMachine } = world;
  const events: EventSource = {
    newest: (db) => logEnds(db).newest,
    accountsAfter,
    after: headersAfter,
    find: findEvent,
    record,
  };
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
    serve({ http, mount, auth }) {
      checkTargets(http, deps, auth.callerOf);
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
    // A stop does not wait for the receivers of tests that are under way.
    cut: () => probes.abort(),
  };
}
