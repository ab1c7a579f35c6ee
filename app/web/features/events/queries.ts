import { listEvents, type Event } from '@reverie/shared/contract/events/events';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

/** An event as the log has it now; null where it has dropped it. */
export function eventQuery(seq: number) {
  return queryOptions({
    queryKey: ['events', seq],
    // What is deleted meanwhile must not stay here.
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Event | null> => {
      const { events } = await call(listEvents, { query: { since: seq - 1, limit: 1 } }, { signal });
      return events.find((event) => event.seq === seq) ?? null;
    },
  });
}
