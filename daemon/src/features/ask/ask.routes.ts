import type { Caller } from '@reverie/shared/accounts/caller';
import { askMemory } from '@reverie/shared/contract/search/ask';
import type { Mount } from '@reverie/shared/http/mount';
import type { TellAnchors } from '../../platform/tell-anchors.ts';
import type { AskSessionsDeps } from './in-sessions.ts';

export function askRoutes(mount: Mount<Caller>, deps: AskSessionsDeps, tellAnchors: TellAnchors): void {
  mount(askMemory, async ({ body, caller, gone }) => {
    // Loaded late: a daemon that starts listens sooner without it.
    const { askSources } = await import('./in-sessions.ts');
    const reply = await askSources(deps, { caller, gone }, body);
    return { ...reply, citations: await tellAnchors(caller.account, reply.citations) };
  });
}
