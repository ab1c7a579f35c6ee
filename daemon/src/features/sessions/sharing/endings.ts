import type { AccountId } from '@reverie/shared/accounts/caller';
import type { SharingEnded } from '@reverie/shared/contract/sessions/sharing-ended';
import type { ReadDb } from '../../../db/open-store.ts';
import { type EndingRow, listEndings } from './endings.store.ts';

/** How long it is told in the status of sync, ms; at the session itself, until it is shared again. */
const TOLD_MS = 7 * 86_400_000;

/** What is said of a session whose sharing ended. */
export function sharingEnded({ role, reason, at }: EndingRow): SharingEnded {
  return { reason, at: new Date(at).toISOString(), message: messageOf(role, reason) };
}

function messageOf(role: EndingRow['role'], reason: EndingRow['reason']): string {
  const isOwn = role === 'owner';
  if (reason === 'restored')
    return `The relay was restored from a backup of before this session was shared: ${isOwn ? 'nobody reads on any more. Share it again, and send the new link to those who read it' : 'ask its owner to share it again. What was read stays here'}`;
  if (reason === 'left')
    return `This machine left the relay where it was shared: ${isOwn ? 'share it again here' : 'ask its owner for a new link. What was read stays here'}`;
  return isOwn
    ? 'Its sharing was ended on another device'
    : 'Its owner ended sharing it, or removed you. What was read stays here';
}

/** The sessions of an account whose sharing ended lately without anybody here ending it. */
export function endingsOf(
  db: ReadDb,
  account: AccountId,
  now: number,
): (SharingEnded & { session: string; title: string | null })[] {
  return listEndings(db, account, now - TOLD_MS).map((row) => ({
    session: row.id,
    title: row.title,
    ...sharingEnded(row),
  }));
}
