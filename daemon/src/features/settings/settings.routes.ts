import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/system/settings';
import type { Mount } from '@reverie/shared/http/mount';
import { changeSettings, readSettings, refuseGiven } from '../../config/changing.ts';
import type { Config } from '../../config/config.ts';
import type { Settings } from '../../config/settings-file.ts';
import { shownSettings } from './settings.service.ts';

export interface SettingsDeps {
  settings: Settings;
  /** Refuses owners of other accounts. */
  ofMachine: (caller: Caller) => void;
  /** Told what holds from now on, so that what runs goes by it without a new start. */
  changed: (config: Config) => void;
}

/** What every window of this machine goes by. */
export function settingsRoutes(mount: Mount<Caller>, { settings, ofMachine, changed }: SettingsDeps): void {
  mount(contract.getSettings, ({ caller }) => {
    ofMachine(caller);
    return shownSettings(settings, readSettings(settings));
  });
  mount(contract.changeSettings, ({ caller, body }) => {
    ofMachine(caller);
    const changes = byName(body);
    refuseGiven(settings, changes);
    const config = changeSettings(settings, changes);
    changed(config);
    return shownSettings(settings, config);
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
