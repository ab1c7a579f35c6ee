import type { Caller } from '@reverie/shared/accounts/caller';
import { askMemory } from '@reverie/shared/contract/ask';
import type { Mount } from '@reverie/shared/http/mount';
import type { AskSessionsDeps } from './in-sessions.ts';

export function askRoutes(mount: Mount<Caller>, deps: AskSessionsDeps): void {
  mount(askMemory, async ({ body, caller, gone }) => {
    // Loaded late: a daemon that starts listens sooner without it.
    const { askSources } = await import('./in-sessions.ts');
    return askSources(deps, { caller, gone }, body);
  });
}
