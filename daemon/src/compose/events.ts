import { randomUUID } from 'node:crypto';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { byteLength } from '@reverie/shared/contract/fields';
import type { Config } from '../config/config.ts';
import { authorOf } from '../db/change.ts';
import { readMeta, saveMeta } from '../db/meta.store.ts';
import type { Store } from '../db/open-store.ts';
import { eventRoutes } from '../features/events/events.routes.ts';
import { type RecordEvent, startEventSweep } from '../features/events/events.service.ts';
import { createStreamHub } from '../features/events/stream-hub.ts';
import { streamLimits, streamsFor } from '../features/events/stream-limits.ts';
import { streamRoutes } from '../features/events/stream.routes.ts';
import { forgetResponses, isAwaited } from '../features/webhooks/deliveries.store.ts';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Part } from './parts.ts';
import type { Quotas } from './quotas.ts';

export interface EventsParts {
  config: Pick<Config, 'events'>;
  store: Store;
  clock: Clock;
  log: Log;
  record: RecordEvent;
  makeRoom: Quotas['makeRoom'];
  isMachine: (account: AccountId) => boolean;
}

export interface Events extends Part {
  /** The id of the event log. */
  readonly logId: string;
  /** Told of each event that was written. */
  wake(): void;
}

/** Joins the event log and its live stream; the composition root holds it. */
export function createEvents({
  config,
  store,
  clock,
  log,
  record,
  makeRoom,
  isMachine,
}: EventsParts): Events {
  const logId = openLog(store);
  const { streams: _, streamsOfMachine: __, ...unsent } = streamLimits;
  const streamsOf = streamsFor(isMachine);
  const hub = createStreamHub({ store, logId, defer: setImmediate, limits: { streamsOf, ...unsent } });
  const served: Stop[] = [];
  return {
    logId,
    wake: hub.wake,
    serve({ http, mount, auth, connections }) {
      eventRoutes(mount, { store, logId });
      const stop = streamRoutes(http, {
        hub,
        clock,
        callerOf: auth.callerOf,
        connections,
        count: auth.countMessage,
        emit: (caller, event) =>
          store.write((db) => {
            record(db, { ...authorOf(caller), key: null, before: null, ...event });
            // Once it is written: where there is little room what is there is measured, and it with that.
            makeRoom(db, caller.account, byteLength(JSON.stringify(event.after)));
          }),
      });
      served.push(stop);
    },
    cut: hub.closeAll,
    stop() {
      for (const stop of served) stop();
    },
    // Removes old events from time to time.
    start: () =>
      startEventSweep({
        store,
        clock,
        log,
        retentionDays: config.events.retention_days,
        deliveries: { isAwaited, forget: forgetResponses },
      }),
  };
}

/** The id of the event log, made with the database; a restored backup gets a new one. */
function openLog(store: Store): string {
  return store.write((db) => {
    const found = readMeta(db, 'log_id');
    if (found !== undefined) return found;
    const made = `log_${randomUUID()}`;
    saveMeta(db, 'log_id', made);
    return made;
  });
}
