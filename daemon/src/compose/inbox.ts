import type { Config } from '../config/config.ts';
import type { Store } from '../db/open-store.ts';
import type { RecordEvent } from '../features/events/events.service.ts';
import { inboxRoutes } from '../features/inbox/inbox.routes.ts';
import { startInboxSweep } from '../features/inbox/inbox.service.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Part } from './parts.ts';
import type { Quotas } from './quotas.ts';

/** Joins the inbox of agents with the event log. */
export function createInbox({
  config,
  record,
  makeRoom,
  ...deps
}: {
  config: Pick<Config, 'events'>;
  store: Store;
  clock: Clock;
  log: Log;
  record: RecordEvent;
  makeRoom: Quotas['makeRoom'];
}): Part {
  return {
    serve: ({ mount }) => inboxRoutes(mount, { ...deps, record, makeRoom }),
    start: () => startInboxSweep({ ...deps, retentionDays: config.events.retention_days }),
  };
}
