import type { Caller } from '@reverie/shared/accounts/caller';
import { listFacts } from '@reverie/shared/contract/search/knowledge';
import type { Mount } from '@reverie/shared/http/mount';
import type { Store } from '../../db/open-store.ts';
import { pageOfFacts } from './knowledge.service.ts';

export function knowledgeRoutes(mount: Mount<Caller>, deps: { store: Store }): void {
  mount(listFacts, ({ query, caller }) => pageOfFacts(deps, caller.account, query));
}
