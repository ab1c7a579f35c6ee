import type { Caller } from '@reverie/shared/accounts/caller';
import { askMemory } from '@reverie/shared/contract/ask';
import type { Mount } from '@reverie/shared/http/mount';
import { ask, type AskDeps } from './ask.service.ts';

export function askRoutes(mount: Mount<Caller>, deps: AskDeps): void {
  mount(askMemory, ({ body, caller: { account, key }, gone }) =>
    ask(deps, { account, payer: key.account, gone }, body),
  );
}
