import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/settings';
import type { Reply } from '@reverie/shared/contract/route';
import type { Mount } from '@reverie/shared/http/mount';
import { changeSettings, readSettings, refuseGiven } from '../../config/changing.ts';
import type { Config } from '../../config/config.ts';
import type { Settings } from '../../config/settings-file.ts';

export interface SettingsDeps {
  settings: Settings;
  /** Refuses owners of other accounts. */
  ofMachine: (caller: Caller) => void;
  /** Told what holds from now on, so that what runs goes by it without a new start. */
  changed: (config: Config) => void;
}

/** What a person chooses here, as it stands in the file. */
const NAMES = [
  'thoughts.namespace',
  'page.theme',
  'page.region',
  'page.time_zone',
  'dream.schedule',
  'dream.budget_tokens',
  'trash.days',
] as const;

/** What every window of this machine goes by. */
export function settingsRoutes(mount: Mount<Caller>, { settings, ofMachine, changed }: SettingsDeps): void {
  mount(contract.getSettings, ({ caller }) => {
    ofMachine(caller);
    return shown(settings, readSettings(settings));
  });
  mount(contract.changeSettings, ({ caller, body }) => {
    ofMachine(caller);
    const changes = byName(body);
    refuseGiven(settings, changes);
    const config = changeSettings(settings, changes);
    changed(config);
    return shown(settings, config);
  });
}

/** The changes by dotted name; null becomes undefined, which takes a setting out of the file. */
function byName(groups: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>) {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, values = {}]) =>
      Object.entries(values).map(([name, value]) => [`${group}.${name}`, value ?? undefined]),
    ),
  );
}

function shown(
  settings: Settings,
  { thoughts, page, dream, trash }: Config,
): Reply<typeof contract.getSettings> {
  const isFixed = (name: string) => ['variable', 'flag'].includes(settings.sourceOf(name));
  return {
    thoughts,
    page: { theme: page.theme, region: page.region ?? null, time_zone: page.time_zone ?? null },
    dream: { schedule: dream.schedule, budget_tokens: dream.budget_tokens },
    trash,
    fixed: NAMES.filter(isFixed).map((name) => ({ name, by: settings.describe(name) })),
  };
}
