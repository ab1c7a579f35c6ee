import type { rebuildSync } from '@reverie/shared/contract/sync';
import type { Reply } from '@reverie/shared/contract/route';
import { turnOfOnesOwn } from '@reverie/shared/time/turns';
import { findLink } from './link.store.ts';
import { notLinked } from './link.ts';
import type { LinkingDeps } from './linking.service.ts';
import { listSynced } from './namespaces.store.ts';

/** Makes the memories of every synced namespace anew from its documents, a namespace a turn. Throws `not_linked`. */
export async function rebuildAll({
  store,
  replicas,
}: Pick<LinkingDeps, 'store' | 'replicas'>): Promise<Reply<typeof rebuildSync>> {
  if (!store.read(findLink)) throw notLinked();
  const all: ReturnType<typeof replicas.rebuild>[] = [];
  for (const { id } of store.read(listSynced)) {
    await turnOfOnesOwn();
    all.push(replicas.rebuild(id));
  }
  const sum = (of: 'memories' | 'differed') => all.reduce((total, one) => total + one[of], 0);
  return { memories: sum('memories'), differed: sum('differed') };
}
