import type { QueryClient } from '@tanstack/react-query';
import { waitingOf, waitingQuery } from '../features/dreams/queries.ts';
import { unreadQuery } from '../features/inbox/queries.ts';
import { namespacesQuery } from '../features/namespaces/queries.ts';
import {
  comingUpOf,
  comingUpQuery,
  decidedQuery,
  hasDreamtQuery,
  sinceQuery,
} from '../features/today/queries.ts';
import { settingsQuery } from '../features/settings/queries.ts';
import { startOfDay } from '../features/today/words.ts';
import type { Cursor } from '../platform/daemon/connection.ts';
import { askToday, type Today, type TodayPart } from '../platform/queries/today.ts';
import { QUICK, TRAY } from '../shell/Shell.tsx';

/** What stands around every view. */
const AROUND: readonly TodayPart[] = ['namespaces', 'to_decide', 'unread'];
const OF_TODAY: readonly TodayPart[] = [...AROUND, 'decided', 'coming_up', 'doings', 'settings'];

/**
 * Asks in one request for all that the first view shows, before anything is drawn, and gives each query its part of the answer. Resolves with where
 * the event log ended then; undefined for the small windows, which show little of it.
 */
export function askFirst(client: QueryClient, pathname: string): Promise<Cursor> | undefined {
  if (pathname === TRAY || pathname === QUICK) return undefined;
  return askToday(pathname === '/' ? OF_TODAY : AROUND).then((told) => {
    give(client, told);
    return told.cursor;
  });
}

function give(client: QueryClient, told: Today): void {
  const { namespaces, to_decide, decided, coming_up, unread, doings, settings } = told;
  if (namespaces) client.setQueryData(namespacesQuery.queryKey, namespaces);
  if (to_decide) client.setQueryData(waitingQuery().queryKey, waitingOf(to_decide));
  if (unread) client.setQueryData(unreadQuery.queryKey, unread);
  if (coming_up) client.setQueryData(comingUpQuery.queryKey, comingUpOf(coming_up));
  if (doings) client.setQueryData(sinceQuery.queryKey, doings);
  if (settings) client.setQueryData(settingsQuery.queryKey, settings);
  if (!decided) return;
  client.setQueryData(decidedQuery(startOfDay(Date.now())).queryKey, decided.count);
  client.setQueryData(hasDreamtQuery.queryKey, decided.dreamt);
}
