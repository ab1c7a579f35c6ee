import type { Caller } from '@reverie/shared/accounts/caller';
import { dailyNote } from '@reverie/shared/contract/memories/daily';
import type { Mount } from '@reverie/shared/http/mount';
import { type DailyDeps, dailyNoteOf } from './daily.service.ts';

export function dailyRoutes(mount: Mount<Caller>, deps: DailyDeps): void {
  mount(dailyNote, ({ query, caller }) => dailyNoteOf(deps, caller.account, query));
}
