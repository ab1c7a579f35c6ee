import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/system/models';
import type { Mount } from '@reverie/shared/http/mount';
import type { Use } from './use.service.ts';

/** `ofMachine` refuses owners of other accounts: the models are the machine's. */
export function useRoutes(mount: Mount<Caller>, use: Use, ofMachine: (caller: Caller) => void): void {
  mount(contract.modelsState, ({ caller }) => {
    ofMachine(caller);
    return use.state();
  });
  mount(contract.useModel, ({ caller, body }) => {
    ofMachine(caller);
    return use.use(body);
  });
  mount(contract.stopUsingModels, ({ caller, query }) => {
    ofMachine(caller);
    return use.off(query);
  });
}
