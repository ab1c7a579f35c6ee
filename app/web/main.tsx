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
import { drafts } from './features/memories/writing/drafts/draft.ts';
import { hasRoom } from './features/memories/writing/drafts/unsaved.ts';
import { keepDrafts } from './features/memories/writing/drafts/keep-drafts.ts';
import { refresh } from './features/memories/queries.ts';
import { inApp, startSession } from './features/session/open-session.ts';
import { callNow, heldWrites, reach } from './platform/daemon/api.ts';
import { gatherChanges, type Changes } from './platform/daemon/changes.ts';
import { wallClock } from './platform/clock.ts';
import { isInApp, openLines } from './platform/desktop.ts';
import { feed } from './platform/daemon/feed.ts';
import { prefetch, watchSettling } from './platform/idle.ts';
import { createLastSeen } from './platform/queries/last-seen.ts';
import { dropFailedStyles } from './platform/late-part.ts';
import { openStream, startLive } from './platform/daemon/live.ts';
import { queryClient } from './platform/queries/query-client.ts';
import { startRecovery } from './platform/daemon/recovery.ts';
import { session, ticketOf } from './platform/daemon/session.ts';
import { startTheme } from './platform/theme.ts';
import { askFirst } from './bundling/first-answer.ts';
import { likelyPages, router } from './routes.tsx';
import { tabs } from './shell/sign-out.ts';

dropFailedStyles(document);
startTheme(localStorage, document.documentElement);
startRecovery(wallClock, () => void queryClient.invalidateQueries());
sendAcksOnLeave(window);
warnOfDrafts(window);
watchSettling(window);
const lastSeen = createLastSeen({
  client: queryClient,
  clock: wallClock,
  build: new URL(import.meta.url).pathname,
});
watchWhileOpen();
void startSession(window, tabs);
if (isInApp) signInAgain();
// What is likely next; what else is loaded late comes when one points at it.
void prefetch([
  likelyPages.memories,
  () => import('./ui/reading/Reading.tsx'),
  likelyPages.ask,
  () => import('./features/settings/follow.ts').then(({ followSettings }) => followSettings(queryClient)),
  () => import('./shell/Field.tsx'),
  () => import('./shell/PageMenu.tsx'),
]);
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

/** Follows the stream of events as long as there is a session to read it with. */
function watchWhileOpen(): void {
  let stop: (() => void) | undefined;
  let account: string | undefined;
  let stopKeeping: (() => void) | undefined;
  session.subscribe(() => {
    const wasOpen = stop !== undefined;
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
    if (now.kind === 'open') {
      // A key that was pasted stays in its tab, and what it showed does, too.
      lastSeen.open(now.own && now.scope === 'owner' ? now.account : undefined);
      stop = followStream(now.token);
      return;
    }
    // The next session may be another account's.
    queryClient.clear();
    if (wasOpen) lastSeen.close();
  });
}

function followStream(token: string): () => void {
  const changes = gatherChanges({ clock: wallClock, onChange: fetchAgain });
  let first = askFirst(queryClient, location.pathname);
  const live = startLive({
    call: callNow,
    cursor: () => {
      const asked = first;
      first = undefined;
      return asked;
    },
    clock: wallClock,
    random: Math.random,
    open: isInApp ? openLines(token) : openStream(token),
    onEvent: (event) => {
      // Written anew it is fetched soon; of what was changed or is gone nothing may be left meanwhile.
      if (event.type.startsWith('memory.') && event.type !== 'memory.write')
        lastSeen.forget([event.namespace]);
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
