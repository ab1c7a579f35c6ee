import { randomBytes } from 'node:crypto';
import type { AccountId, Caller, KeyRow } from '@reverie/shared/accounts/caller';
import { hashKey, makeKey } from '@reverie/shared/accounts/key-format';
import { Problem } from '@reverie/shared/contract/problems';
import type { WriteDb } from '../../db/open-store.ts';
import { newUlid } from '../../platform/ids.ts';
import { findAccount, insertKey } from './accounts.store.ts';
import type { KeysDeps } from './keys.service.ts';
import { deleteEndedSessions, deleteSession, findPageKey, insertSession } from './page-sessions.store.ts';

const DAY = 86_400_000;
const PAGE_SESSION = 7 * DAY;

interface Ticket {
  account: AccountId;
  expires_at: number;
}

const TICKET_LIFE = 60_000;
const MAX_TICKETS = 100;

/** One-use tickets that open the page: 60 seconds, in memory only, 256 random bits. */
export function createTickets({ clock }: Pick<KeysDeps, 'clock'>) {
  const open = new Map<string, Ticket>();
  return {
    issue(account: AccountId): { ticket: string; expires_at: number } {
      for (const [ticket, { expires_at }] of open) if (expires_at <= clock.now()) open.delete(ticket);
      const oldest = open.keys().next();
      if (open.size >= MAX_TICKETS && !oldest.done) open.delete(oldest.value);
      const ticket = randomBytes(32).toString('base64url');
      const expires_at = clock.now() + TICKET_LIFE;
      open.set(ticket, { account, expires_at });
      return { ticket, expires_at };
    },
    /** The account of a ticket, which is used up by this; undefined when it is unknown, used or too old. */
    redeem(ticket: string): AccountId | undefined {
      const found = open.get(ticket);
      open.delete(ticket);
      return found && found.expires_at > clock.now() ? found.account : undefined;
    },
  };
}
export type Tickets = ReturnType<typeof createTickets>;

/**
 * Opens a session for the account's one page key, which is made where none works. Its token has scope `owner`, lives for a week, is kept by
 * the page only, and has the form of a key, so that it can be sent wherever a key can.
 */
export function openPageSession(deps: Pick<KeysDeps, 'store' | 'clock'>, account: AccountId) {
  const now = deps.clock.now();
  const token = makeKey('live');
  const expires_at = now + PAGE_SESSION;
  const publicId = deps.store.write((db) => {
    const found = findAccount(db, account);
    if (!found) throw new Problem('gone', 'The account of this ticket is gone');
    deleteEndedSessions(db, now);
    const { id: key_id } = findPageKey(db, account) ?? makePageKey(db, account, now);
    const id = `ses_${newUlid(now)}`;
    insertSession(db, { id, account, key_id, hash: hashKey(token), created_at: now, expires_at });
    return found.public_id;
  });
  return {
    token,
    scope: 'owner' as const,
    account: publicId,
    expires_at: new Date(expires_at).toISOString(),
  };
}

/** The key of the page: nobody has its text, for its hash is of none. */
function makePageKey(db: WriteDb, account: AccountId, now: number): KeyRow {
  const row: KeyRow = {
    id: `key_${newUlid(now)}`,
    account,
    name: 'Page',
    scope: 'owner',
    namespaces: null,
    can: null,
    purpose: 'page',
    key_prefix: '',
    created_at: now,
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
  };
  insertKey(db, { ...row, hash: randomBytes(32) });
  return row;
}

/** Ends the session that a request came with; the others of the page stay. Throws `conflict` for a key. */
export function endPageSession(deps: KeysDeps, { session }: Pick<Caller, 'session'>): void {
  if (session === null)
    throw new Problem(
      'conflict',
      'This request came with a key, not with a session of the page: revoke the key by its id',
    );
  deps.store.write((db) => deleteSession(db, session));
  deps.changed(session);
}
