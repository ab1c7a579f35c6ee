import type { Caller } from '@reverie/shared/accounts/caller';
import { today } from '@reverie/shared/contract/memories/today';
import type { Mount } from '@reverie/shared/http/mount';
import { todayOf, type TodayDeps } from './today.service.ts';

export function todayRoutes(mount: Mount<Caller>, deps: TodayDeps): void {
  mount(today, ({ query, caller }) => todayOf(deps, caller, query));
}
