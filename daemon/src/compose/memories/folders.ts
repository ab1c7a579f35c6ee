import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Author } from '../../db/change.ts';
import { createFolders, type Folders } from '../../features/folders/folders.service.ts';
import { folderRoutes } from '../../features/folders/folders.routes.ts';
import type { TakePictures } from '../../features/folders/pictures.ts';
import type { Landing } from '../../features/folders/landing.ts';
import { startWatching } from '../../features/folders/following/watching.ts';
import {
  landMemory,
  landRemoval,
  noteAgreement,
  tagsOfFile,
} from '../../features/memories/imports/landing.service.ts';
import { moveSource } from '../../features/memories/imports/vanishing.service.ts';
import type { MemoryDeps } from '../../features/memories/deps.ts';
import type { Log } from '../../platform/log.ts';
import type { Part } from '../parts.ts';

const authorOf = (account: AccountId): Author => ({
  account,
  actor: { kind: 'system', id: 'folders' },
  origin: 'import',
});

/** Joins the folders that are followed with the memories that their files are. */
export function createFollowedFolders({
  memories,
  log,
  home,
  isMachine,
  settled,
  take,
}: {
  memories: MemoryDeps;
  log: Log;
  /** The folder of the home. */
  home: string;
  isMachine: (account: AccountId) => boolean;
  /** Resolves when what was written of an account is indexed, or after some seconds. */
  settled: (account: AccountId) => Promise<void>;
  take: TakePictures;
}): Part & Pick<Folders, 'changedHere'> {
  const landing: Landing = {
    put: (db, account, file) => landMemory(db, memories, { author: authorOf(account), ...file }),
    move: (_db, account, file) => moveSource(memories, authorOf(account), file),
    remove: (db, account, file) => landRemoval(db, memories, { author: authorOf(account), ...file }),
    agree: (db, account, file) => noteAgreement(db, authorOf(account), file),
    tagsOf: (db, account, file) => tagsOfFile(db, authorOf(account), file),
    settled,
  };
  const folders = createFolders({
    taking: { store: memories.store, clock: memories.clock, landing },
    log,
    home,
    take,
    watch: startWatching,
    schedule(ms, run) {
      const timer = setTimeout(run, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
  return {
    changedHere: folders.changedHere,
    serve: ({ mount }) => folderRoutes(mount, folders, isMachine),
    start() {
      folders.start();
      return folders.end;
    },
    // Before anything that its writes would wake.
    cut: folders.end,
  };
}
