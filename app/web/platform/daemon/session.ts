import { scopes, type Scope } from '@reverie/shared/contract/route';
import { z } from 'zod';
import { createStore, type ValueStore } from '../store.ts';

/** What the page speaks with. `own` tokens were made for this browser; a pasted key belongs to somebody else. */
export const OpenedSession = z.object({
  token: z.string().min(1),
  scope: z.enum(scopes),
  own: z.boolean(),
  /** The account that it is of, by the id that people see. */
  account: z.string().min(1),
});
export type OpenedSession = z.infer<typeof OpenedSession>;

/** Whether the page may speak to the daemon. `why` is the sentence that says what ended the last session. */
export type PageAccess =
  { kind: 'opening' } | { kind: 'closed'; why: string | undefined } | ({ kind: 'open' } & OpenedSession);

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PLACE = 'reverie.session';

/** The session of this tab, kept in `sessionStorage`: it ends with the tab, and no page of another origin can read it. */
export const session: ValueStore<PageAccess> = createStore<PageAccess>({ kind: 'opening' });

/** The session that an earlier load of this tab kept, if there is one. */
export function keptSession(storage: Storage): OpenedSession | undefined {
  return OpenedSession.safeParse(parseJson(storage.getItem(PLACE))).data;
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    // What stands there is not ours: there is no session then.
    return undefined;
  }
}

/** Begins a session and keeps it for reloads of this tab. */
export function openSession(storage: Storage, opened: OpenedSession): void {
  const { token, scope, own, account } = opened;
  storage.setItem(PLACE, JSON.stringify({ token, scope, own, account }));
  session.set({ kind: 'open', token, scope, own, account });
}

/** Ends the session; `why` is shown on the screen that asks for the next one. */
export function closeSession(storage: Storage, why?: string): void {
  storage.removeItem(PLACE);
  session.set({ kind: 'closed', why });
}

/** The ticket of `#ticket=…`, if the address carries one. */
export function ticketOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('ticket') || undefined;
}

/** Whether a session of this scope may do what needs `needed`. */
export function allows(now: PageAccess, needed: Scope): boolean {
  return now.kind === 'open' && scopes.indexOf(now.scope) >= scopes.indexOf(needed);
}
