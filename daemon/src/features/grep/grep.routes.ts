import type { Caller } from '@reverie/shared/accounts/caller';
import { grepMemory } from '@reverie/shared/contract/search/grep';
import type { Mount } from '@reverie/shared/http/mount';
import { grep, type GrepDeps } from './grep.service.ts';

export function grepRoutes(mount: Mount<Caller>, deps: GrepDeps): void {
  mount(grepMemory, ({ query, caller, gone }) => grep(deps, { caller, gone }, query));
}
