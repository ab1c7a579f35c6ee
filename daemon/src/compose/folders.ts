import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Author } from '../db/change.ts';
import { createFolders, type Folders } from '../features/folders/folders.service.ts';
import type { Landing } from '../features/folders/landing.ts';
import { startWatching } from '../features/folders/following/watching.ts';
import { landMemory, landRemoval, noteAgreement } from '../features/memories/imports/landing.service.ts';
import { moveSource } from '../features/memories/imports/vanishing.service.ts';
import type { MemoryDeps } from '../features/memories/deps.ts';
import type { Log } from '../platform/log.ts';

const authorOf = (account: AccountId): Author => ({
  ...{ account, actor: { kind: 'system', id: 'folders' }, origin: 'import' },
});

/** Joins the folders that are followed with the memories that their files are. */
export function createFollowedFolders({
  memories,
  log,
  home,
}: {
  memories: MemoryDeps;
  log: Log;
  /** The folder of the home. */
  home: string;
}): Folders {
  const landing: Landing = {
    put: (db, account, file) => landMemory(db, memories, { author: authorOf(account), ...file }),
    move: (_db, account, file) => moveSource(memories, authorOf(account), file),
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
