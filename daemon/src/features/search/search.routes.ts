import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/search/search';
import { type Mount, Streamed } from '@reverie/shared/http/mount';
import type { SearchedMemories } from './ports.ts';
import { everythingReply, plainReply, type RepliesDeps, searchReply } from './replies.service.ts';

export function searchRoutes(
  mount: Mount<Caller>,
  searching: Omit<RepliesDeps, 'memories'>,
  memories: SearchedMemories,
): void {
  const deps = { ...searching, memories };
  for (const route of [contract.searchMemories, contract.searchMemoriesShort])
    mount(route, ({ body, caller }) => searchReply(deps, caller, body));
  mount(contract.searchMemoriesGet, ({ query, caller }) =>
    query.q === '*'
      ? new Streamed(everythingReply(memories, caller, query))
      : plainReply(deps, caller, query),
  );
}
