import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { Config } from '../config/config.ts';
import type { Settings } from '../config/settings-file.ts';
import { settingsRoutes } from '../features/settings/settings.routes.ts';
import { refuseForeign } from '../platform/refuse-foreign.ts';
import type { Part } from './parts.ts';

/** Serves the settings that a person changes while the daemon runs. */
export function createSettingsPart(
  settings: Settings,
  world: { config: Config; isMachine: (account: AccountId) => boolean },
): Part {
  const { config } = world;
  return {
    serve: ({ mount }) =>
      settingsRoutes(mount, {
        settings,
        ofMachine: ({ key }: Caller) => refuseForeign(world, key.account),
        // Dreams and the trash read them there each time; the page asks for its own.
        changed({ dream: { schedule, budget_tokens }, trash }) {
          Object.assign(config.dream, { schedule, budget_tokens });
          Object.assign(config.trash, trash);
        },
      }),
  };
}
