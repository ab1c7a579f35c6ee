import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/system/models';
import type { Mount } from '@reverie/shared/http/mount';
import { refuseForeign } from '../../platform/refuse-foreign.ts';
import type { FoundModels } from './found/found.service.ts';
import type { Pulls } from './pull/pull.service.ts';

export interface GettingRoutesDeps {
  find: () => Promise<FoundModels>;
  pulls: Pick<Pulls, 'start' | 'stop'>;
  isMachine: (account: AccountId) => boolean;
}

/** Finding model servers on this machine, and having Ollama get a model: the machine's owner alone may. */
export function gettingRoutes(mount: Mount<Caller>, { find, pulls, isMachine }: GettingRoutesDeps): void {
  const refuseOthers = ({ key }: Caller) => refuseForeign({ isMachine }, key.account);
  mount(contract.findModels, ({ caller }) => {
    refuseOthers(caller);
    return find();
  });
  mount(contract.pullModel, ({ body, caller }) => {
    refuseOthers(caller);
    return pulls.start(body);
  });
  mount(contract.stopPulling, ({ caller }) => {
    refuseOthers(caller);
    return pulls.stop();
  });
}
