import type { AccountId } from '@reverie/shared/accounts/caller';
import type { LostNamespace, LostReason } from '@reverie/shared/contract/lost';
import { Problem } from '@reverie/shared/contract/problems';
import type { ReadDb, Store } from '../db/open-store.ts';
import { findLink } from './link.store.ts';
import { type Link, notLinked } from './link.ts';
import { findLost, listLost, type LostRow, saveKept } from './lost.store.ts';
import { insertSynced, memoriesIn } from './namespaces.store.ts';

const happened: Readonly<Record<LostReason, string>> = {
  deleted: 'This account deleted it on the relay, from another device.',
  ended:
    'This account is no member of it any more: its owner removed you or deleted it, or you left it on another device.',
  left: 'You left it.',
  restored: 'The relay was restored from a backup of before this account joined it.',
};

const SAFE = 'Its memories are still here, and changes stay on this machine.';

function adviceOf({ reason, kept, name }: LostRow): string {
  if (kept === 1) return `${SAFE} Sync it again whenever you want.`;
  if (reason === 'deleted') return `${SAFE} Keep it here, or sync it again: it can be shared anew then.`;
  const owner = reason === 'restored' ? 'Ask its owner' : 'If you want back in, ask its owner';
  return `${SAFE} ${owner} for a new invite and join as ${JSON.stringify(name)}; or sync it as your own, or keep it here.`;
}

/** The namespaces of an account that left sync, as the status tells of them. */
export function lostOf(db: ReadDb, account: AccountId): LostNamespace[] {
  return listLost(db, account).map((row) => ({
    ...{ namespace: row.name, role: row.role, reason: row.reason, unsent: row.unsent },
    ...{ since: new Date(row.lost_at).toISOString(), kept: row.kept === 1 },
    ...{ message: happened[row.reason], advice: adviceOf(row) },
  }));
}

/** Keeps a namespace that left sync on this machine only, or syncs it again in a room of its own. */
export function settleLost(
  { store, link }: { store: Store; link: Pick<Link, 'wake'> },
  account: AccountId,
  { namespace, then }: { namespace: string; then: 'keep' | 'sync' },
): void {
  if (!store.read(findLink)) throw notLinked();
  store.write((db) => {
    if (!findLost(db, account, namespace))
      throw new Problem('not_found', `No namespace ${JSON.stringify(namespace)} has left sync`);
    if (then === 'keep') saveKept(db, account, namespace);
    else insertSynced(db, account, { name: namespace, memories: memoriesIn(db, account, namespace) });
  });
  link.wake();
}
