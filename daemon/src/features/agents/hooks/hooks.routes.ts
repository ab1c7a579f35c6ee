import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/hooks';
import type { Mount } from '@reverie/shared/http/mount';
import { answerHook, type HooksDeps } from './hooks.service.ts';
import { listFirings } from './hooks.store.ts';

export function hookRoutes(mount: Mount<Caller>, deps: HooksDeps): void {
  mount(contract.callHook, ({ body, caller, gone }) => answerHook(deps, { caller, gone }, body));
  mount(contract.listHooks, ({ caller }) => ({
    hooks: deps.store
      .read((db) => listFirings(db, caller.account))
      .map(({ last_at, ...firing }) => ({ ...firing, last_fired_at: new Date(last_at).toISOString() })),
  }));
}
