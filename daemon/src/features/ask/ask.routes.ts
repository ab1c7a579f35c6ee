import type { Caller } from '@reverie/shared/accounts/caller';
import { askMemory } from '@reverie/shared/contract/ask';
import type { Mount } from '@reverie/shared/http/mount';
import type { AskDeps } from './ask.service.ts';

export function askRoutes(mount: Mount<Caller>, deps: AskDeps): void {
  mount(askMemory, async ({ body, caller: { account, key, readable }, gone }) => {
    // Loaded late: a daemon that starts listens sooner without it.
    const { ask } = await import('./ask.service.ts');
    return ask(deps, { account, payer: key.account, readable, gone }, body);
  });
}
