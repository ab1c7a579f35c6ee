import type { Caller } from '@reverie/shared/accounts/caller';
import { changeNamespace } from '@reverie/shared/contract/memories';
import type { Mount } from '@reverie/shared/http/mount';
import { changeFace } from './faces.ts';
import { keepFromModels, modelsThatMaySee, type PrivacyDeps } from './privacy.ts';

/** What a person says of a namespace: which models may see it, and how it looks. */
export function namespaceRoutes(mount: Mount<Caller>, deps: PrivacyDeps): void {
  mount(changeNamespace, ({ params: { namespace }, body: { models, ...face }, caller: { account } }) => {
    if (models !== undefined) keepFromModels(deps, account, { namespace, models });
    const { colour, sign } = changeFace(deps.store, account, { namespace, ...face });
    return {
      namespace,
      models: modelsThatMaySee(deps, account, namespace),
      ...(colour !== null && { colour }),
      ...(sign !== null && { sign }),
    };
  });
}
