import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/settings';
import type { Reply } from '@reverie/shared/contract/route';
import type { Mount } from '@reverie/shared/http/mount';
import { changeSettings, readSettings, refuseGiven } from '../../config/changing.ts';
import type { Config } from '../../config/config.ts';
import type { Settings } from '../../config/settings-file.ts';

/** What every window of this machine goes by; `ofMachine` refuses owners of other accounts. */
export function settingsRoutes(
  mount: Mount<Caller>,
  settings: Settings,
  ofMachine: (caller: Caller) => void,
): void {
  mount(contract.getSettings, ({ caller }) => {
    ofMachine(caller);
    return shown(readSettings(settings));
  });
  mount(contract.changeSettings, ({ caller, body }) => {
    ofMachine(caller);
    const changes = { 'thoughts.namespace': body.thoughts.namespace };
    refuseGiven(settings, changes);
    return shown(changeSettings(settings, changes));
  });
}

function shown({ thoughts }: Config): Reply<typeof contract.getSettings> {
  return { thoughts };
}
