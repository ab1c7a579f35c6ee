import type { WriteDb } from '../../db/open-store.ts';
import {
  earlierEventsOf,
  findNamesakes,
  saveEarlierName,
  takeOverNames,
  wasCalled,
} from '../../features/events/earlier-names.store.ts';
import { type EventsOf, redactEvents, seqsOf } from '../../features/events/events.store.ts';
import type { RecordEvent } from '../../features/events/events.service.ts';
import type { MemoryEvents } from '../../features/memories/deps.ts';
import { forgetResponses, hasDeliveries } from '../../features/webhooks/deliveries.store.ts';

/** The event log as memories use it: what a deleted memory said goes out of earlier events, and out of what receivers answered to them. */
export function createMemoryEvents(record: RecordEvent): MemoryEvents {
  function redact(db: WriteDb, at: EventsOf): void {
    if (hasDeliveries(db, at.account)) for (const seq of seqsOf(db, at)) forgetResponses(db, at.account, seq);
    redactEvents(db, at);
  }
  return {
    record,
    redact,
    redactEarlier(db, of) {
      for (const at of earlierEventsOf(db, of)) redact(db, at);
    },
    renamed: saveEarlierName,
    wasCalled,
    goesOn: takeOverNames,
    namesakes: findNamesakes,
  };
}
