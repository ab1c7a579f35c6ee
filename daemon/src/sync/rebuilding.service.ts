import type { rebuildSync } from '@reverie/shared/contract/sync';
import type { Reply } from '@reverie/shared/contract/route';
import { findLink } from './link.store.ts';
import { notLinked } from './link.ts';
import type { LinkingDeps } from './linking.service.ts';
import { listSynced } from './namespaces.store.ts';

/** Makes the memories of every synced namespace anew from its documents. Throws `not_linked`. */
export function rebuildAll({
  store,
  replicas,
}: Pick<LinkingDeps, 'store' | 'replicas'>): Reply<typeof rebuildSync> {
  if (!store.read(findLink)) throw notLinked();
  const all = store.read(listSynced).map(({ id }) => replicas.rebuild(id));
  const sum = (of: 'memories' | 'differed') => all.reduce((total, one) => total + one[of], 0);
  return { memories: sum('memories'), differed: sum('differed') };
}
