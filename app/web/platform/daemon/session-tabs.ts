import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { closeSession, OpenedSession, openSession, session } from './session.ts';

/** What tabs of one browser say to each other about their sessions. It is heard by pages of our own origin only. */
const Said = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('asks') }),
  z.object({ kind: z.literal('offers'), opened: OpenedSession }),
  /** The daemon does not accept this token any more. */
  z.object({ kind: z.literal('ended'), token: z.string(), why: z.string() }),
  /** Somebody signed out of this account; the tab that says so ends this token at the daemon. */
  z.object({ kind: z.literal('signed_out'), token: z.string(), account: z.string() }),
]);
type Said = z.infer<typeof Said>;

/** A channel between the tabs of a browser; a tab does not hear what it says itself. */
export interface TabChannel {
  say(message: unknown): void;
  hear(listener: (message: unknown) => void): void;
}

/** The line of the tabs of this browser. What is said is stored nowhere. */
export function browserLine(): TabChannel {
  const channel = new BroadcastChannel('reverie.session');
  return {
    say: (message) => channel.postMessage(message),
    hear: (listener) => channel.addEventListener('message', ({ data }) => listener(data)),
  };
}

interface TabsDeps {
  line: TabChannel;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  clock: Clock;
  /** The account of this tab was signed out of in another one, which ends `token`. */
  onSignedOut: (token: string) => void;
}

/** How long a tab waits for the session of another one before it asks the person, ms. */
const ANSWER_MS = 300;

/**
 * Lets the tabs of a browser share a session: one that has none gets that of the first which answers, or of the next
 * that is opened. One that has a session keeps it.
 */
export function joinTabs({ line, storage, clock, onSignedOut }: TabsDeps) {
  const say = (said: Said) => line.say(said);
  let isAsking = false;
  let before = session.get();
  /** What came from another tab is known to all. */
  let isHeard = false;

  session.subscribe(() => {
    const was = before;
    const now = session.get();
    before = now;
    if (isHeard) return;
    if (now.kind === 'open') say({ kind: 'offers', opened: openedOf(now) });
    else if (now.kind === 'closed' && now.why !== undefined && was.kind === 'open')
      say({ kind: 'ended', token: was.token, why: now.why });
  });
  line.hear((message) => {
    // A tab of another version may speak otherwise; what is not understood is not for us.
    const said = Said.safeParse(message).data;
    if (!said) return;
    isHeard = true;
    hear(said);
    isHeard = false;
  });

  function hear(said: Said): void {
    const now = session.get();
    switch (said.kind) {
      case 'asks':
        if (now.kind === 'open') say({ kind: 'offers', opened: openedOf(now) });
        return;
      case 'offers':
        if (now.kind === 'closed' || isAsking) openSession(storage, said.opened);
        return;
      case 'ended':
        if (now.kind === 'open' && now.token === said.token) closeSession(storage, said.why);
        return;
      case 'signed_out':
        if (now.kind === 'open' && now.account === said.account) onSignedOut(said.token);
    }
  }

  return {
    /** Asks for the session of another tab; whether there is one is known after 300 ms at the latest. */
    ask(): Promise<boolean> {
      isAsking = true;
      const answered = new Promise<boolean>((resolve) => {
        const end = (isAnswered: boolean) => {
          isAsking = false;
          off();
          cancel();
          resolve(isAnswered);
        };
        const off = session.subscribe(() => end(session.get().kind === 'open'));
        const cancel = clock.after(ANSWER_MS, () => end(false));
      });
      say({ kind: 'asks' });
      return answered;
    },
    /** Has the other tabs of this account end their sessions, too. */
    signOut({ token, account }: OpenedSession): void {
      say({ kind: 'signed_out', token, account });
    },
  };
}

function openedOf({ token, scope, own, account }: OpenedSession): OpenedSession {
  return { token, scope, own, account };
}
