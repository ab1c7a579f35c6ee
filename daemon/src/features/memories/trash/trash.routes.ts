import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/memories/trash';
import type { Mount } from '@reverie/shared/http/mount';
import { authorOf } from '../../../db/change.ts';
import { emptyTrash, restoreTrash, type TrashDeps, trashMemories, trashOf } from './trash.service.ts';

export function trashRoutes(mount: Mount<Caller>, deps: TrashDeps): void {
  mount(contract.trashMemories, ({ body, caller }) => ({
    success: true as const,
    trashed: trashMemories(deps, authorOf(caller), body.items),
  }));

  mount(contract.listTrash, ({ query, caller }) => ({
    ...trashOf(deps, caller, query),
    limit: query.limit,
    offset: query.offset,
    days: deps.trashDays,
  }));

  mount(contract.restoreTrash, ({ body, caller }) => ({
    success: true as const,
    restored: restoreTrash(deps, authorOf(caller), body.items),
  }));

  mount(contract.emptyTrash, ({ body, caller }) => ({
    success: true as const,
    deleted: emptyTrash(deps, authorOf(caller), body),
  }));
}
