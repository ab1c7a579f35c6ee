import type { AccountId } from '@reverie/shared/accounts/caller';
import type { LostNamespace, LostReason } from '@reverie/shared/contract/sync/lost';
import { Problem } from '@reverie/shared/contract/problems';
import type { ReadDb, Store } from '../../db/open-store.ts';
import { findLink, notLinked } from '../link.store.ts';
import { type RelayLink } from '../link.ts';
import { deleteLost, findLost, listLost, type LostRow, saveKept } from './lost.store.ts';
import { forgetJoined, insertSynced, memoriesIn } from './namespaces.store.ts';

const happened: Readonly<Record<LostReason, string>> = {
  deleted: 'This account deleted it on the relay, or handed it over and left, from another device.',
  ended:
    'This account is no member of it any more: its owner removed you or deleted it, or you left it on another device.',
  left: 'You left it.',
  restored: 'The relay was restored from a backup of before this account joined it.',
  unlinked: 'This machine left the relay where it was shared with you.',
  unsure:
    'The relay does not know its room. It cannot be told whether it was deleted, you were removed, or the relay was restored from a backup of before it.',
};

const SAFE = 'Its memories are still here, and changes stay on this machine.';

function adviceOf({ reason, role, kept, name, room, waiting, owner }: LostRow): string {
  const called = JSON.stringify(name);
  if (kept === 1)
    return `${SAFE} It stays so when this machine is unlinked or linked. Sync it again whenever you want.`;
  if (waiting !== null && waiting !== room)
    return `${SAFE} Another device of yours syncs a namespace ${called}: sync this one, too, and both go together; or keep it here, and the other one comes under another name.`;
  if (waiting !== null)
    return `${SAFE} This account is a member of it again by another device: join here with an invite as ${called} to go on with it; or sync it as your own, or keep it here, and what the others have comes under another name.`;
  if (role === 'owner') return `${SAFE} Keep it here, or sync it again: it can be shared anew then.`;
  const ask =
    reason === 'restored' || reason === 'unsure' ? 'Ask its owner' : 'If you want back in, ask its owner';
  const of = owner === null ? '' : `, ${owner},`;
  const joined = goesOn(reason)
    ? ' What is here goes together with what the others have then.'
    : ' If it was made anew, it comes under another name, and this one stays apart from it.';
  return `${SAFE} ${ask}${of} for a new invite and join as ${called}.${joined} Or keep it here; to sync it as your own would make a second ${called}.`;
}

/** Whether a namespace that left sync for a reason goes on in another room that is joined under its name: its own was lost with its relay. */
export function goesOn(reason: LostReason): boolean {
  return reason === 'unlinked' || reason === 'restored';
}

/** The namespaces of an account that left sync, as the status tells of them. */
export function lostOf(db: ReadDb, account: AccountId): LostNamespace[] {
  return listLost(db, account).map((row) => ({
    namespace: row.name,
    role: row.role,
    reason: row.reason,
    unsent: row.unsent,
    since: new Date(row.lost_at).toISOString(),
    owner: row.owner,
    kept: row.kept === 1,
    waiting: row.waiting !== null,
    message: happened[row.reason],
    advice: adviceOf(row),
  }));
}

/**
 * Keeps a namespace that left sync on this machine only, or syncs it again in a room of its own; while this home is not linked, together
 * with everything else once it is.
 */
export function settleLost(
  { store, link }: { store: Store; link: Pick<RelayLink, 'wake' | 'matchRooms'> },
  account: AccountId,
  { namespace, then }: { namespace: string; then: 'keep' | 'sync' },
): void {
  const waiting = store.write((db) => {
    const lost = findLost(db, account, namespace);
    if (!lost && !findLink(db)) throw notLinked();
    if (!lost) throw new Problem('not_found', `No namespace ${JSON.stringify(namespace)} has left sync`);
    if (then === 'keep') saveKept(db, account, namespace);
    else {
      deleteLost(db, account, namespace);
      // What it has is not for the members of a room that it was in.
      forgetJoined(db, account, namespace);
      if (findLink(db))
        insertSynced(db, account, { name: namespace, memories: memoriesIn(db, account, namespace) });
    }
    return lost.waiting;
  });
  if (waiting !== null) link.matchRooms();
  link.wake();
}
