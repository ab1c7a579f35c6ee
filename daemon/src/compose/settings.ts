import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { Settings } from '../config/settings-file.ts';
import { settingsRoutes } from '../features/settings/settings.routes.ts';
import { refuseForeign } from '../platform/refuse-foreign.ts';
import type { Part } from './parts.ts';

/** Serves the settings that a person changes while the daemon runs. */
export function createSettingsPart(
  settings: Settings,
  world: { isMachine: (account: AccountId) => boolean },
): Part {
  return {
    serve: ({ mount }) =>
      settingsRoutes(mount, settings, ({ key }: Caller) => refuseForeign(world, key.account)),
  };
}
