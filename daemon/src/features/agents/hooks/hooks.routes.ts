import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/agents/hooks';
import type { Mount } from '@reverie/shared/http/mount';
import { answerHook, firingsOf, type HooksDeps } from './hooks.service.ts';
import { statusLine } from './statusline.service.ts';

export function hookRoutes(mount: Mount<Caller>, deps: HooksDeps): void {
  mount(contract.callHook, ({ body, caller, gone }) => answerHook(deps, { caller, gone }, body));
  mount(contract.statusLine, ({ body, caller }) => statusLine(deps, caller, body));
  mount(contract.listHooks, ({ caller }) => ({ hooks: firingsOf(deps, caller.account) }));
}
