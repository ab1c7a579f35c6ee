import type { Store } from '../../db/open-store.ts';
import { dailyRoutes } from '../../features/daily/daily.routes.ts';
import { listFolderRows } from '../../features/folders/folders.store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Part } from '../parts.ts';

/** Joins the notes of days with the folders that are followed, whose settings say how those are called. */
export function createDaily({ store, clock }: { store: Store; clock: Pick<Clock, 'now'> }): Part {
  return {
    serve: ({ mount }) =>
      dailyRoutes(mount, {
        store,
        clock,
        foldersOf: (account, namespace) =>
          store
            .read((db) => listFolderRows(db, account))
            .filter((folder) => folder.namespace === namespace)
            .map(({ path }) => path),
      }),
  };
}
