import { type changeSettings, getSettings } from '@reverie/shared/contract/system/settings';
import type { Received, Sent } from '@reverie/shared/contract/route';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { partUnderWay } from '../../platform/queries/today.ts';

export type Settings = Received<typeof getSettings>;
export type SettingsChange = Sent<typeof changeSettings>['body'];

/** What a person chose for every window; the owner's of this machine alone. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => (await partUnderWay('settings')) ?? call(getSettings, {}, { signal }),
});
