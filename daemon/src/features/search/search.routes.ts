import type { Caller } from '@reverie/shared/accounts/caller';
import { accountFor } from '@reverie/shared/accounts/narrower-keys';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { Memory } from '@reverie/shared/contract/memories';
import { namespacesIn, understandQuery } from '@reverie/shared/contract/operators';
import * as contract from '@reverie/shared/contract/search';
import { type Mount, Streamed } from '@reverie/shared/http/mount';
import { createYielding } from '../../platform/yielding.ts';
import { findElsewhere, findHits, findInSessions, type Hits, type HitsDeps } from './hits/hits.service.ts';
import type { SearchedMemories } from './ports.ts';
import type { SearchDeps } from './search.service.ts';
import type { SearchedSessions } from './sessions.ts';

export interface SearchRoutesDeps extends SearchDeps, Pick<HitsDeps, 'prepare'> {
  sessions: SearchedSessions;
}

export function searchRoutes(mount: Mount<Caller>, deps: SearchRoutesDeps, memories: SearchedMemories): void {
  for (const route of [contract.searchMemories, contract.searchMemoriesShort])
    mount(route, async ({ body, caller }) => {
      const { text: query, filters } = understandQuery(body.query, body.namespace);
      const readable = namespacesIn(filters, caller.readable);
      const wanted = {
        ...body,
        account: caller.account,
        query,
        operators: filters,
        readable,
        passages: true,
      };
      const looking = { ...deps, memories, yieldToOthers: createYielding() };
      const isOfMemories = body.sources.includes('memories');
      const { hits: results, cut, corrected } = isOfMemories ? await findHits(looking, wanted) : NO_HITS;
      const others = isOfMemories ? await findElsewhere(looking, wanted, results) : [];
      const sessions = body.sources.includes('sessions')
        ? await findInSessions(looking, caller, wanted)
        : undefined;
      const understood = {
        ...{ text: query, filters },
        ...(corrected.length > 0 && { corrected: corrected.map(({ word, read_as }) => ({ word, read_as })) }),
      };
      return {
        ...{ results, count: results.length },
        ...(others.length > 0 && { elsewhere: others }),
        ...(sessions && { sessions }),
        ...(body.explain && { understood, ...(cut && { cut }) }),
      };
    });

  mount(contract.searchMemoriesGet, async ({ query: asked, caller }) => {
    const { q, limit, threshold, namespace = 'default' } = asked;
    if (q === '*') {
      const { readable } = caller;
      return new Streamed(everything(memories.every(caller.account, { ...asked, readable })));
    }
    const { text: query, filters } = understandQuery(q, namespace);
    const account = namespace === EVERY_NAMESPACE ? caller.account : accountFor(caller, namespace);
    const looking = { ...deps, memories, yieldToOthers: createYielding() };
    const { hits } = await findHits(looking, {
      ...{ account, query, namespace, threshold, operators: filters, values: true, passages: false },
      readable: namespacesIn(filters, caller.readable),
      limit: Math.min(limit ?? 10, 200),
    });
    return { memories: hits.map(toRow) };
  });
}

const NO_HITS: Hits = { hits: [], corrected: [] };

function toRow({ key, value = '', score, namespace, created_at }: contract.SearchHit) {
  return { key, value, score, namespace, created_at };
}

/** The document of `q=*`, piece by piece; each memory has score 1, for nothing was asked. */
async function* everything(memories: AsyncIterable<Memory>): AsyncGenerator<string> {
  yield '{"memories":[';
  let separator = '';
  for await (const memory of memories) {
    yield separator + JSON.stringify(toRow({ ...memory, score: 1 }));
    separator = ',';
  }
  yield ']}';
}
