import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/events';
import type { Mount } from '@reverie/shared/http/mount';
import type { Store } from '../../db/open-store.ts';
import { withoutOthers } from './events.service.ts';
import { accountEnds, eventsAfter, logEnds, newestEvents } from './events.store.ts';

export interface EventRoutesDeps {
  store: Store;
  logId: string;
}

export function eventRoutes(mount: Mount<Caller>, { store, logId }: EventRoutesDeps): void {
  mount(contract.listEvents, ({ query, caller }) =>
    store.read((db) => {
      const { oldest, newest } = logEnds(db);
      const filter = {
        account: caller.account,
        family: query.family ?? null,
        type: query.type ?? null,
        namespace: query.namespace ?? null,
        within: caller.within,
        actorKind: query.actor_kind ?? null,
        actorId: query.actor_id ?? null,
        limit: query.limit,
      };
      const { since } = query;
      const reset =
        since !== undefined &&
        (since + 1 < oldest || since > newest || (query.log_id !== undefined && query.log_id !== logId));
      const events = (
        since === undefined ? newestEvents(db, filter) : eventsAfter(db, filter, reset ? oldest - 1 : since)
      ).map((event) => withoutOthers(event, caller.readable));
      // What others write is not told: an account sees the ends of its own events only.
      const own = accountEnds(db, caller.account);
      const full = events.length === query.limit && since !== undefined;
      const upToDate = Math.max(own.newest, reset ? 0 : (since ?? 0));
      return {
        log_id: logId,
        oldest_seq: own.oldest,
        newest_seq: own.newest,
        reset,
        next: full ? (events.at(-1)?.seq ?? upToDate) : upToDate,
        events,
      };
    }),
  );
}
