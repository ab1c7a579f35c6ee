import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Author } from './db/change.ts';
import { createFolders, type Folders } from './features/folders/folders.service.ts';
import type { Landing } from './features/folders/landing.ts';
import { startWatching } from './features/folders/watching.ts';
import { landMemory, landRemoval, landRename, noteAgreement } from './features/memories/landing.service.ts';
import type { TrashDeps } from './features/memories/trash/trash.service.ts';
import type { Log } from './platform/log.ts';

const authorOf = (account: AccountId): Author => ({
  ...{ account, actor: { kind: 'system', id: 'folders' }, origin: 'import' },
});

/** Joins the folders that are followed with the memories that their files are. */
export function createFollowing({
  memories,
  log,
  home,
}: {
  memories: TrashDeps;
  log: Log;
  /** The folder of the home. */
  home: string;
}): Folders {
  const landing: Landing = {
    put: (db, account, file) => landMemory(db, memories, { author: authorOf(account), ...file }),
    rename: (db, account, file) => landRename(db, memories, { author: authorOf(account), ...file }),
    remove: (db, account, file) => landRemoval(db, memories, { author: authorOf(account), ...file }),
    agree: (db, account, file) => noteAgreement(db, authorOf(account), file),
  };
  return createFolders({
    taking: { store: memories.store, clock: memories.clock, landing },
    log,
    home,
    watch: startWatching,
    schedule(ms, run) {
      const timer = setTimeout(run, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
}
