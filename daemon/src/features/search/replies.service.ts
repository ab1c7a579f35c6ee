import type { Caller } from '@reverie/shared/accounts/caller';
import { accountFor } from '@reverie/shared/accounts/narrower-keys';
import { readConditions } from '@reverie/shared/contract/conditions';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { namespacesIn, understandQuery } from '@reverie/shared/contract/search/operators';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import type { SearchHit, searchMemories, searchMemoriesGet } from '@reverie/shared/contract/search/search';
import type { TellAnchors } from '../../platform/tell-anchors.ts';
import { createYielding } from '../../platform/yielding.ts';
import {
  findElsewhere,
  findHits,
  findInFiles,
  findInSessions,
  type Hits,
  type HitsDeps,
} from './hits/hits.service.ts';
import type { SearchedFiles } from './files.ts';
import type { SearchedMemories } from './ports.ts';
import type { SearchedSessions } from './sessions.ts';

/** What answering a search needs; each search yields to others by itself. */
export interface RepliesDeps extends Omit<HitsDeps, 'yieldToOthers'> {
  sessions: SearchedSessions;
  files: SearchedFiles;
  tellAnchors: TellAnchors;
}

const NO_HITS: Hits = { hits: [], corrected: [] };

/** Searches the memories, other namespaces and sessions that a request asks for; tells how it was understood where that is asked. */
export async function searchReply(
  deps: RepliesDeps,
  caller: Caller,
  body: Parsed<typeof searchMemories>['body'],
): Promise<Reply<typeof searchMemories>> {
  const { text: query, filters } = understandQuery(body.query, body.namespace);
  const readable = namespacesIn(filters, caller.readable);
  const wanted = {
    ...body,
    account: caller.account,
    query,
    operators: filters,
    where: readConditions(body.where),
    readable,
    passages: true,
  };
  const looking = { ...deps, yieldToOthers: createYielding() };
  const isOfMemories = body.sources.includes('memories');
  const { hits: results, cut, corrected } = isOfMemories ? await findHits(looking, wanted) : NO_HITS;
  const others = isOfMemories ? await findElsewhere(looking, wanted, results) : [];
  const files = isOfMemories ? await findInFiles(looking, wanted) : [];
  const sessions = body.sources.includes('sessions')
    ? await findInSessions(looking, caller, wanted)
    : undefined;
  const understood = {
    text: query,
    filters,
    ...(corrected.length > 0 && { corrected: corrected.map(({ word, read_as }) => ({ word, read_as })) }),
  };
  return {
    results: await deps.tellAnchors(caller.account, results),
    count: results.length,
    ...(others.length > 0 && { elsewhere: others }),
    ...(files.length > 0 && { files }),
    ...(sessions && { sessions }),
    ...(body.explain && { understood, ...(cut && { cut }) }),
  };
}

type Asked = Parsed<typeof searchMemoriesGet>['query'];

/** Searches memories only, for who asks by an address alone. */
export async function plainReply(
  deps: RepliesDeps,
  caller: Caller,
  { q, limit, threshold, namespace = 'default' }: Asked,
): Promise<Reply<typeof searchMemoriesGet>> {
  const { text: query, filters } = understandQuery(q, namespace);
  const account = namespace === EVERY_NAMESPACE ? caller.account : accountFor(caller, namespace);
  const looking = { ...deps, yieldToOthers: createYielding() };
  const { hits } = await findHits(looking, {
    account,
    query,
    namespace,
    threshold,
    operators: filters,
    values: true,
    passages: false,
    readable: namespacesIn(filters, caller.readable),
    limit: Math.min(limit ?? 10, 200),
  });
  return { memories: hits.map(toRow) };
}

/** The same reply with every memory, as JSON piece by piece; each has score 1, for nothing was asked. */
export async function* everythingReply(
  memories: Pick<SearchedMemories, 'every'>,
  { account, readable }: Caller,
  asked: Asked,
): AsyncGenerator<string> {
  yield '{"memories":[';
  let separator = '';
  for await (const memory of memories.every(account, { ...asked, readable })) {
    yield separator + JSON.stringify(toRow({ ...memory, score: 1 }));
    separator = ',';
  }
  yield ']}';
}

function toRow({ key, value = '', score, namespace, created_at, noted_at }: SearchHit) {
  return { key, value, score, namespace, created_at, ...(noted_at !== undefined && { noted_at }) };
}
