import * as contract from '@reverie/shared/contract/relay/relay-operator';
import type { Mount } from '@reverie/shared/http/mount';
import {
  accountDetails,
  auditOf,
  deleteAccount,
  listAccounts,
  listRooms,
  type OperatorDeps,
  setDisabled,
  storageOf,
} from '../operator/operator.service.ts';
import type { Caller } from './callers.ts';

/** What who runs the relay may ask for and do, with an operator's key. */
export function operatorRoutes(mount: Mount<Caller>, deps: OperatorDeps): void {
  mount(contract.listAccounts, async () => ({ accounts: await listAccounts(deps) }));
  mount(contract.getAccount, ({ params }) => accountDetails(deps, params.account));
  mount(contract.changeAccount, ({ params, body, caller }) =>
    setDisabled(deps, params.account, { disabled: body.disabled, operator: caller.operator }),
  );
  mount(contract.deleteAccount, async ({ params, query, caller }) => {
    await deleteAccount(deps, params.account, { yes: query.yes, operator: caller.operator });
    return { success: true as const, id: params.account };
  });
  mount(contract.listAllRooms, async () => ({ rooms: await listRooms(deps) }));
  mount(contract.getStorage, () => storageOf(deps));
  mount(contract.listAudit, async ({ query }) => ({ entries: await auditOf(deps, query) }));
}
