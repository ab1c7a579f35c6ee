import type { Caller } from '@reverie/shared/accounts/caller';
import { refuseWrongAnchors } from '@reverie/shared/contract/memories/anchors';
import { readConditions } from '@reverie/shared/contract/conditions';
import * as contract from '@reverie/shared/contract/memories/memories';
import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { namespacesIn } from '@reverie/shared/contract/search/operators';
import * as propertiesContract from '@reverie/shared/contract/memories/properties';
import * as naming from '@reverie/shared/contract/memories/naming';
import * as historyContract from '@reverie/shared/contract/memories/history';
import type { Mount } from '@reverie/shared/http/mount';
import { authorOf } from '../../db/change.ts';
import type { TellAnchors } from '../../platform/tell-anchors.ts';
import type { MemoryDeps } from './deps.ts';
import type { Expiry } from './expiry.ts';
import { memoryHistory, restoreVersion } from './history.service.ts';
import { importRoutes } from './imports/import.routes.ts';
import * as service from './memories.service.ts';
import { operatorsOf } from './reading/narrowing.ts';
import * as reading from './reading/reading.service.ts';
import { renameAndMend } from './mending.service.ts';
import { setProperty } from './properties.service.ts';
import { tagMemories } from './tagging.service.ts';

/** Finds memories of the same namespace that are similar to one that was stored just now. */
export type SimilarTo = (
  caller: Pick<Caller, 'account' | 'key' | 'readable'>,
  stored: { namespace: string; key: string; value: string },
) => Promise<contract.SimilarMemory[]>;

export function memoryRoutes(
  mount: Mount<Caller>,
  { tellAnchors, similarTo, ...deps }: MemoryDeps & { tellAnchors: TellAnchors; similarTo: SimilarTo },
  expiry: Expiry,
): void {
  const noteExpiry = (items: readonly { expires_at?: string | undefined }[]) => {
    for (const { expires_at } of items) if (expires_at !== undefined) expiry.note(Date.parse(expires_at));
  };

  for (const route of [contract.setMemory, contract.setMemoryShort])
    mount(
      route,
      ({ body: { similar, ...item }, caller }) => {
        refuseWrongAnchors(item.metadata);
        const { id, outcome } = service.setMemory(deps, authorOf(caller), item);
        noteExpiry([item]);
        const findable = deps.store.read((db) => deps.index.has(db, id));
        const isAsked = similar && outcome === 'created';
        return { success: true as const, key: item.key, findable, ...(isAsked && { similar: [] }) };
      },
      async (reply, { body, caller }) =>
        reply.similar ? { ...reply, similar: await similarTo(caller, body) } : reply,
    );

  mount(contract.storeBatch, ({ body, caller }) => {
    for (const [at, { metadata }] of body.items.entries())
      refuseWrongAnchors(metadata, `items.${at}.metadata`);
    const ids = service.storeBatch(deps, authorOf(caller), body.items);
    noteExpiry(body.items);
    return { success: true as const, count: ids.length, ids };
  });

  mount(contract.getMemory, async ({ body, caller: { account } }) => {
    const memory = reading.getMemory(deps, account, body);
    return (await tellAnchors(account, [memory]))[0] ?? memory;
  });

  mount(contract.deleteMemory, ({ body, caller }) => {
    service.deleteMemory(deps, authorOf(caller), body);
    return { success: true as const, deleted: body.key };
  });

  mount(naming.renameMemory, ({ body: { to, ...from }, caller }) => {
    const address = { key: to.key, namespace: to.namespace ?? from.namespace };
    const mended = renameAndMend(deps, authorOf(caller), { from, to: address });
    return { success: true as const, ...address, mended };
  });

  mount(naming.tagMemories, ({ body, caller }) => ({
    success: true as const,
    ...tagMemories(deps, authorOf(caller), body),
  }));

  mount(propertiesContract.setProperty, ({ body, caller }) => ({
    success: true as const,
    key: body.key,
    updated_at: setProperty(deps, authorOf(caller), body),
  }));

  type Listed = Omit<reading.ListInput, 'where'> & {
    query?: string | undefined;
    where?: readonly string[] | undefined;
  };
  const list = ({ query, where, ...input }: Listed, caller: Caller) => {
    const operators = query === undefined ? [] : operatorsOf(query, input.namespace);
    const readable = namespacesIn(operators, caller.readable);
    return {
      ...reading.listMemories(deps, caller.account, {
        ...input,
        operators,
        readable,
        where: readConditions(where),
      }),
      limit: input.limit,
      offset: input.offset,
    };
  };
  mount(contract.listMemories, ({ body, caller }) => list(body, caller));
  mount(contract.listMemoriesShort, ({ query, caller }) => list(query, caller));

  mount(memoryKeys, ({ query, caller }) => reading.memoryKeys(deps, caller.account, query));

  mount(contract.clearNamespace, ({ body: { namespace }, caller }) => {
    const { deleted, fromTrash } = service.clearNamespace(deps, authorOf(caller), namespace);
    return { success: true as const, namespace, deleted, ...(fromTrash > 0 && { from_trash: fromTrash }) };
  });

  mount(contract.listNamespaces, ({ caller }) => ({
    namespaces: reading.listNamespaces(deps, caller),
  }));

  mount(historyContract.memoryHistory, ({ query, caller }) => ({
    ...query,
    versions: memoryHistory(deps, caller.account, query),
  }));

  mount(historyContract.restoreVersion, ({ body, caller }) => {
    const { version } = restoreVersion(deps, authorOf(caller), body);
    return { success: true as const, key: body.key, version };
  });

  importRoutes(mount, deps, noteExpiry);
}
