import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { changeNamespace } from '@reverie/shared/contract/memories/memories';
import type { Mount } from '@reverie/shared/http/mount';
import { changeFace } from './faces.ts';
import { keepFromModels, modelsThatMaySee, type PrivacyDeps } from './privacy.ts';

export interface NamespaceRoutesDeps extends PrivacyDeps {
  /** Says whether this device syncs a namespace; answers how many changes of one that it does not had not reached the relay. */
  chooseSync: (
    account: AccountId,
    wanted: { namespace: string; sync: boolean; remove_from_relay?: true | undefined },
  ) => Promise<{ unsent?: number }>;
}

/** What a person says of a namespace: which models may see it, whether it is synced, and how it looks. */
export function namespaceRoutes(mount: Mount<Caller>, deps: NamespaceRoutesDeps): void {
  mount(changeNamespace, async ({ params: { namespace }, body, caller: { account } }) => {
    const { models, sync, remove_from_relay, ...face } = body;
    // What may be refused comes first.
    const chosen =
      sync === undefined ? {} : await deps.chooseSync(account, { namespace, sync, remove_from_relay });
    if (models !== undefined) keepFromModels(deps, account, { namespace, models });
    const { colour, sign } = changeFace(deps.store, account, { namespace, ...face });
    return {
      namespace,
      models: modelsThatMaySee(deps, account, namespace),
      ...(colour !== null && { colour }),
      ...(sign !== null && { sign }),
      ...chosen,
    };
  });
}
