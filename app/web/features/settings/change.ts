import { ApiError } from '@reverie/shared/client';
import { changeSettings } from '@reverie/shared/contract/system/settings';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { followDates } from '../../platform/locale.ts';
import { notify } from '../../platform/notices.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { chooseTheme, type Theme } from '../../platform/theme.ts';
import { tellWindows } from '../../platform/queries/windows.ts';
import { type Settings, type SettingsChange, settingsQuery } from './queries.ts';

/** Whether the session is an owner's, but not of this machine's account. */
export function isForeign(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'forbidden_scope';
}

/** Has this window look as was chosen. */
export function followPage({ theme, region, time_zone }: Settings['page']): void {
  chooseTheme(localStorage, document.documentElement, theme);
  followDates({ region, time_zone });
}

/** Changes settings for every window. */
export function useChangeSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingsChange) => change(queries, body),
    onError: ({ message }) => notify('bad', `It stays as it was: ${message}`),
  });
}

async function change(queries: QueryClient, body: SettingsChange): Promise<void> {
  // One that was asked for before must not come after it.
  await queries.cancelQueries({ queryKey: settingsQuery.queryKey });
  const settings = await call(changeSettings, { body });
  queries.setQueryData(settingsQuery.queryKey, settings);
  followPage(settings.page);
  tellWindows('settings');
}

/** Chooses a theme: here at once, and for every window where the session may. */
export async function keepTheme(queries: QueryClient, theme: Theme): Promise<void> {
  chooseTheme(localStorage, document.documentElement, theme);
  if (!allows(session.get(), 'owner')) return;
  try {
    await change(queries, { page: { theme } });
  } catch (error) {
    // An owner of another account chooses for this window alone.
    if (!isForeign(error)) notify('bad', 'Only this window looks so: it could not be kept for the others.');
  }
}
