import { type ListOrder, listOrders } from '@reverie/shared/contract/memories/memories';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { z } from 'zod';

/**
 * Where in the page somebody is, as it stands in the address after `?`. Keys and namespaces may hold any
 * character, slashes too, so they are in the query and never in the path.
 */
export interface Place {
  namespace?: string | undefined;
  key?: string | undefined;
  /** The namespace of the open memory, where the list is of every one. */
  in?: string | undefined;
  /** What is searched for. */
  q?: string | undefined;
  class?: string | undefined;
  order?: ListOrder | undefined;
  mode?: 'edit' | 'history' | 'new' | 'trash' | undefined;
  /** Which events are listed, and the `seq` of the open one. */
  family?: string | undefined;
  actor?: string | undefined;
  event?: string | undefined;
  /** The webhook that is looked at, and which of its deliveries. */
  webhook?: string | undefined;
  status?: string | undefined;
  delivery?: string | undefined;
  /** The day (`2026-05-01`) of which a question is answered; `today` for the note of that day. */
  day?: string | undefined;
  /** What is open beside a list that is nothing of it: how a namespace's dreams are doing. */
  panel?: 'health' | undefined;
  /** The insight that is looked at, and of which strategy they are listed. */
  insight?: string | undefined;
  strategy?: string | undefined;
  /** The message of the inbox that is looked at. */
  message?: string | undefined;
  /** The account, or the e-mail that was not sent, that is looked at. */
  account?: string | undefined;
  mail?: string | undefined;
  /** Which sessions are listed, and the entry of one that is looked at. */
  agent?: string | undefined;
  project?: string | undefined;
  entry?: string | undefined;
  /** What the small window at the tray shows. */
  tab?: TrayTab | undefined;
}

export const trayTabs = ['recent', 'review', 'inbox', 'activity'] as const;
export type TrayTab = (typeof trayTabs)[number];

const text = z.string().min(1).optional().catch(undefined);
const PlaceOfAddress = z.object({
  namespace: text,
  key: text,
  in: text,
  q: text,
  class: text,
  order: z.enum(listOrders).optional().catch(undefined),
  mode: z.enum(['edit', 'history', 'new', 'trash']).optional().catch(undefined),
  family: text,
  actor: text,
  event: text,
  webhook: text,
  status: text,
  delivery: text,
  day: text,
  panel: z.literal('health').optional().catch(undefined),
  insight: text,
  strategy: text,
  message: text,
  account: text,
  mail: text,
  agent: text,
  project: text,
  entry: text,
  tab: z.enum(trayTabs).optional().catch(undefined),
});

/** Reads `?a=b`; every value is text, so that a key such as `123` stays one. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Writes what `parseSearch` reads; what is undefined is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (typeof value === 'string') query.set(name, value);
  return query.size > 0 ? `?${query}` : '';
}

/** The place that an address names; what it does not know is left out. */
export function placeOf(search: Record<string, unknown>): Place {
  const place = PlaceOfAddress.parse(search);
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
}

export function usePlace(): Place {
  return useSearch({ strict: false });
}

/** Changes the place, by what is given or by what a function makes of the place at that moment. */
export type Go = (change: Place | ((now: Place) => Place), options?: { replace?: boolean }) => void;

/** The views whose place can be changed. */
export type ViewPath =
  | '/'
  | '/memories'
  | '/events'
  | '/webhooks'
  | '/inbox'
  | '/accounts'
  | '/ask'
  | '/dreams'
  | '/map'
  | '/sessions'
  | '/tray';

/** Changes the place within a view: what is not named stays; `replace` leaves no step behind for the back button. */
export function useGo(view: ViewPath = '/memories'): Go {
  const navigate = useNavigate();
  return useCallback(
    (change, options = {}) =>
      void navigate({
        to: view,
        search: (now: Place) => {
          const next = { ...now, ...(typeof change === 'function' ? change(now) : change) };
          // Named, though undefined: else the router would keep the namespace that was chosen.
          return { namespace: undefined, ...placeOf(next) };
        },
        replace: options.replace ?? false,
      }),
    [navigate, view],
  );
}
