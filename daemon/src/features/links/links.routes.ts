import type { Caller } from '@reverie/shared/accounts/caller';
import { memoryLinks } from '@reverie/shared/contract/memories/links';
import type { Mount } from '@reverie/shared/http/mount';
import { linksAround, type LinksDeps } from './links.service.ts';

export function linkRoutes(mount: Mount<Caller>, deps: LinksDeps): void {
  mount(memoryLinks, ({ query, caller }) => linksAround(deps, caller.account, query));
}
