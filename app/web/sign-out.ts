import { currentKey, revokeKey } from '@reverie/shared/contract/keys';
import { acks } from './features/inbox/acks.ts';
import { drafts } from './features/memories/writing/draft.ts';
import { trashing } from './features/memories/trash/trash.ts';
import { call } from './platform/api.ts';
import { notices, notify } from './platform/notices.ts';
import { closeSession, session } from './platform/session.ts';

/**
 * Ends the session of this tab and forgets what it showed. What could still be undone is done first; a
 * token that was made for this page is revoked, a pasted key stays valid.
 */
export async function signOut(): Promise<void> {
  await Promise.all([trashing.close(), acks.flush()]);
  notices.set([]);
  const now = session.get();
  if (now.kind === 'open' && now.own) await revokeOwn();
  closeSession(sessionStorage);
  drafts.set(new Map());
}

async function revokeOwn(): Promise<void> {
  try {
    const { id } = await call(currentKey, {});
    await call(revokeKey, { params: { id } });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notify('bad', `You are signed out here, but Reverie did not revoke this page’s token: ${reason}.`);
  }
}
