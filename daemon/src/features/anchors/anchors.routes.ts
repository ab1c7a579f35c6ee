import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/memories/anchors';
import type { Mount } from '@reverie/shared/http/mount';
import { anchorsAt, type AnchorsDeps, nameFolder } from './anchors.service.ts';

export function anchorRoutes(mount: Mount<Caller>, deps: AnchorsDeps): void {
  mount(contract.readAnchors, async ({ body, caller }) => ({ anchors: await anchorsAt(deps, caller, body) }));
  mount(contract.nameFolder, ({ body, caller }) => ({ namespace: nameFolder(deps, caller, body.folder) }));
}
