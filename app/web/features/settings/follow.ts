import { QueryObserver, type QueryClient } from '@tanstack/react-query';
import { hearWindows } from '../../platform/queries/windows.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { followPage } from './change.ts';
import { settingsQuery } from './queries.ts';

/** Has this window look as was chosen in any: from now on, as long as there is a session that may know it. */
export function followSettings(queries: QueryClient): void {
  const follower = new QueryObserver(queries, { ...settingsQuery, enabled: isAllowed() });
  follower.subscribe(({ data }) => data && followPage(data.page));
  session.subscribe(() => follower.setOptions({ ...settingsQuery, enabled: isAllowed() }));
  hearWindows((changed) => void queries.invalidateQueries({ queryKey: [changed] }));
  // What was told before one could hear it.
  if (isAllowed()) void queries.invalidateQueries({ queryKey: settingsQuery.queryKey });
}

function isAllowed(): boolean {
  return allows(session.get(), 'owner');
}
