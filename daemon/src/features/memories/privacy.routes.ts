import type { Caller } from '@reverie/shared/accounts/caller';
import { setNamespaceModels } from '@reverie/shared/contract/memories';
import type { Mount } from '@reverie/shared/http/mount';
import { keepFromModels, type PrivacyDeps } from './privacy.ts';

export function privacyRoutes(mount: Mount<Caller>, deps: PrivacyDeps): void {
  mount(setNamespaceModels, ({ params, body, caller }) => {
    const asked = { ...params, ...body };
    keepFromModels(deps, caller.account, asked);
    return asked;
  });
}
