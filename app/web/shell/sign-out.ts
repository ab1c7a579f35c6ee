import { endSession } from '@reverie/shared/contract/accounts/keys';
import { acks } from '../features/inbox/acks.ts';
import { drafts, isChanged, isWritten } from '../features/memories/writing/drafts/draft.ts';
import { saveAllNow } from '../features/memories/writing/drafts/unsaved.ts';
import { trashing } from '../features/memories/trash/trash.ts';
import { clientWith, reach } from '../platform/daemon/api.ts';
import { wallClock } from '../platform/clock.ts';
import { becomes } from '../platform/daemon/holding.ts';
import { notices, notify } from '../platform/notices.ts';
import { browserLine, joinTabs } from '../platform/daemon/session-tabs.ts';
import { closeSession, session } from '../platform/daemon/session.ts';

/** The other tabs of this browser. */
export const tabs = joinTabs({
  line: browserLine(),
  storage: sessionStorage,
  clock: wallClock,
  // What is being written here stays until somebody of another account comes: nobody in this tab chose to leave.
  onSignedOut: (token) => void leave(token),
});

/**
 * Ends the session of this browser and forgets what it showed. What could still be undone is done first; a
 * token that was made for this page ends, a pasted key stays valid. What is written and cannot be saved is thrown away only where one
 * is sure.
 */
export async function signOut(isSure = false): Promise<void> {
  const now = session.get();
  if (!isSure && now.kind === 'open') {
    await unlessAway(saveAllNow());
    if (isUnsaved()) {
      notify(
        'bad',
        'You are still signed in: something you wrote is not saved yet, and signing out would throw it away.',
        { label: 'Sign out all the same', run: () => void signOut(true) },
      );
      return;
    }
  }
  if (now.kind === 'open') tabs.signOut(now);
  await leave();
  drafts.set(new Map());
}

function isUnsaved(): boolean {
  return [...drafts.get().values()].some((draft) => (draft.base ? isChanged(draft) : isWritten(draft)));
}

/** Waits for something, but not for a daemon that is away. */
async function unlessAway(work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const away = becomes(reach, 'down', over.signal).catch(() => undefined);
  await Promise.race([work, away]);
  over.abort();
}

/** Ends the session of this tab; at the daemon only where no other tab does that for the same token. */
async function leave(endedElsewhere?: string): Promise<void> {
  await unlessAway(Promise.all([saveAllNow(), trashing.close(), acks.flush()]));
  notices.set([]);
  const now = session.get();
  closeSession(sessionStorage);
  if (now.kind === 'open' && now.own && now.token !== endedElsewhere) await end(now.token);
}

async function end(token: string): Promise<void> {
  try {
    await clientWith(token)(endSession, {});
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notify('bad', `You are signed out here, but Reverie did not end this page’s session: ${reason}.`);
  }
}
