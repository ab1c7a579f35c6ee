import type { Caller } from '@reverie/shared/accounts/caller';
import { listEvents } from '@reverie/shared/contract/events/events';
import type { Mount } from '@reverie/shared/http/mount';
import type { Store } from '../../db/open-store.ts';
import { pageOfEvents } from './events.service.ts';

export function eventRoutes(mount: Mount<Caller>, deps: { store: Store; logId: string }): void {
  mount(listEvents, ({ query, caller }) => pageOfEvents(deps, caller, query));
}
