import type { Caller } from '@reverie/shared/accounts/caller';
import { memoryGraph } from '@reverie/shared/contract/search/graph';
import type { Mount } from '@reverie/shared/http/mount';
import { graphAround, type GraphDeps } from './graph.service.ts';

export function graphRoutes(mount: Mount<Caller>, deps: GraphDeps): void {
  mount(memoryGraph, ({ query, caller }) => graphAround(deps, caller.account, query));
}
