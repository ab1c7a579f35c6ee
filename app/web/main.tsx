import './platform/strict-csp.ts';
import './ui/layers.css';
import './ui/fonts.css';
import './ui/base.css';
import './ui/reading/print.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Tooltip } from 'radix-ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sendAcksOnLeave } from './features/inbox/acks.ts';
import { drafts } from './features/memories/writing/draft.ts';
import { hasRoom } from './features/memories/writing/unsaved.ts';
import { keepDrafts } from './features/memories/writing/keep-drafts.ts';
import { refresh } from './features/memories/queries.ts';
import { inApp, startSession } from './features/session/open-session.ts';
import { callNow, heldWrites, reach } from './platform/api.ts';
import { gatherChanges, type Changes } from './platform/changes.ts';
import { wallClock } from './platform/clock.ts';
import { isInApp, openLines } from './platform/desktop.ts';
import { feed } from './platform/feed.ts';
import { openStream, startLive } from './platform/live.ts';
import { queryClient } from './platform/query-client.ts';
import { startRecovery } from './platform/recovery.ts';
import { session, ticketOf } from './platform/session.ts';
import { startTheme } from './platform/theme.ts';
import { latePages, router } from './routes.tsx';
import { tabs } from './sign-out.ts';

startTheme(localStorage, document.documentElement);
startRecovery(wallClock, () => void queryClient.invalidateQueries());
sendAcksOnLeave(window);
warnOfDrafts(window);
watchWhileOpen();
void startSession(window, tabs);
if (isInApp) signInAgain();
window.addEventListener('load', () => setTimeout(fetchLateParts, 1_000));
// The same address with another ticket is no new page to the browser.
window.addEventListener('hashchange', () => {
  if (ticketOf(location.hash) !== undefined) void startSession(window, tabs);
});

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delayDuration={400}>
          <RouterProvider router={router} />
        </Tooltip.Provider>
      </QueryClientProvider>
    </StrictMode>,
  );

/** The app signs its windows in: a session that ran out, or whose home was restored, is followed by another. Signing out stays. */
function signInAgain(): void {
  session.subscribe(() => {
    const now = session.get();
    if (now.kind === 'closed' && now.why !== undefined)
      void inApp().then(({ startInApp }) => startInApp(window));
  });
}

/** Fetches the parts that are loaded late while there is time: they must be there when the daemon is not. */
function fetchLateParts(): void {
  for (const part of [
    () => import('./ui/reading/Reading.tsx'),
    () => import('./features/memories/writing/WritingSheet.tsx'),
    () => import('./features/memories/writing/NewMemory.tsx'),
    () => import('./features/memories/reading/History.tsx'),
    () => import('./features/memories/trash/TrashList.tsx'),
    () => import('./features/memories/trash/TrashedMemory.tsx'),
    () => import('./features/memories/acting/Acting.tsx'),
    () => import('./features/namespaces/ClearNamespace.tsx'),
    () => import('./Field.tsx'),
    () => import('./PageMenu.tsx'),
    () => import('./ShortcutsHelp.tsx'),
    () => import('./features/map/Picture.tsx'),
    ...latePages,
  ])
    // One that fails now is asked for again, and reported, when it is needed.
    part().catch(() => undefined);
}

/** Follows the stream of events as long as there is a session to read it with. */
function watchWhileOpen(): void {
  let stop: (() => void) | undefined;
  let account: string | undefined;
  let stopKeeping: (() => void) | undefined;
  session.subscribe(() => {
    stop?.();
    stop = undefined;
    const now = session.get();
    if (now.kind === 'open' && now.account !== account) {
      // First, so that the browser still has them for whom they are.
      stopKeeping?.();
      if (account !== undefined) drafts.set(new Map());
      account = now.account;
      stopKeeping = keepDrafts(account);
    }
    // The next session may be another account's.
    if (now.kind === 'open') stop = followStream(now.token);
    else queryClient.clear();
  });
}

function followStream(token: string): () => void {
  const changes = gatherChanges({ clock: wallClock, onChange: fetchAgain });
  const live = startLive({
    call: callNow,
    clock: wallClock,
    random: Math.random,
    open: isInApp ? openLines(token) : openStream(token),
    onEvent: (event) => {
      changes.add(event);
      feed.tell(event);
    },
    onMissed: () => {
      changes.missed();
      feed.tell('missed');
    },
  });
  const unsubscribe = reach.subscribe(() => {
    if (reach.get() === 'up') live.retry();
  });
  return () => {
    unsubscribe();
    live.stop();
    changes.stop();
  };
}

function fetchAgain(changed: Changes | 'all'): void {
  // A hidden page fetches everything when it is looked at again.
  if (document.visibilityState !== 'visible') return;
  if (changed === 'all') return void queryClient.invalidateQueries();
  if (changed.memories.size > 0) {
    void refresh(queryClient, changed.memories);
    // A deletion takes what it deleted out of earlier events, too.
    void queryClient.invalidateQueries({ queryKey: ['events'] });
  }
  if (changed.dreams) void queryClient.invalidateQueries({ queryKey: ['dreams'] });
  if (changed.webhooks) void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
  for (const namespace of changed.inboxes)
    void queryClient.invalidateQueries({ queryKey: ['inbox', namespace] });
  // A namespace that nobody knew may have got its first message.
  if (changed.inboxes.size > 0) void queryClient.invalidateQueries({ queryKey: ['inboxes'] });
}

/** Lets the browser ask before a tab with changes that wait for the daemon, or with text that it has no room to keep, is closed. */
function warnOfDrafts(page: Window): void {
  page.addEventListener('beforeunload', (event) => {
    if (heldWrites.get() > 0 || (drafts.get().size > 0 && !hasRoom.get())) event.preventDefault();
  });
}
