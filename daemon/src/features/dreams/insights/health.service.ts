import type { AccountId } from '@reverie/shared/accounts/caller';
import { countProposed, readHealth } from './insights.store.ts';
import type { InsightDeps } from '../deps.ts';

/** How tidy a namespace is. */
export function namespaceHealth(
  { store }: Pick<InsightDeps, 'store'>,
  at: { account: AccountId; namespace: string },
) {
  return store.read((db) => {
    const row = readHealth(db, at);
    return {
      namespace: at.namespace,
      memories: row?.memories ?? 0,
      merged: row?.merged ?? 0,
      archived: row?.archived ?? 0,
      superseded: row?.superseded ?? 0,
      never_recalled: (row?.memories ?? 0) - (row?.recalled ?? 0),
      stale: row?.stale ?? 0,
      open: countProposed(db, at),
      last_dream_at: row?.last_dream_at == null ? null : new Date(row.last_dream_at).toISOString(),
    };
  });
}
