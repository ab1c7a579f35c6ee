import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Store, WriteDb } from '../../db/open-store.ts';
import { attachmentRoutes } from '../../features/attachments/attachments.routes.ts';
import { removeFreed, removeStrays } from '../../features/attachments/attachments.service.ts';
import { deleteAttachmentsOf } from '../../features/attachments/attachments.store.ts';
import { syncedFiles } from '../../features/attachments/synced.ts';
import { takeAttachments } from '../../features/attachments/taking.ts';
import { createPdfReader } from '../../features/attachments/texts/pdf-reader.ts';
import { createTextReading } from '../../features/attachments/texts/reading.ts';
import { searchFiles } from '../../features/attachments/texts/text-search.ts';
import type { TakePictures } from '../../features/folders/pictures.ts';
import type { SearchedFiles } from '../../features/search/files.ts';
import { otherQuery } from '../../features/search/other-texts.ts';
import type { RankingDeps } from '../../features/search/query/query.ts';
import type { Clock } from '../../platform/clock.ts';
import { hashedFiles } from '../../platform/home/hashed-files.ts';
import type { Home } from '../../platform/home/home.ts';
import type { Log } from '../../platform/log.ts';
import type { SyncedFiles } from '../../sync/ports.ts';
import type { Part } from '../parts.ts';

/** How long until files that are nobody's any more are removed, at most, ms. */
const LOOK_EVERY = 1_000;
/** How long until what is of namespaces that are gone is looked for, ms. */
const STRAYS_EVERY = 60_000;

/** Joins the parts of pictures and documents that notes name. */
export function createAttachments({
  store,
  clock,
  log,
  home,
  ranking,
}: {
  store: Store;
  clock: Clock;
  log: Log;
  home: Home;
  ranking: RankingDeps;
}): Part & {
  take: TakePictures;
  /** Finds what PDFs say that memories name. */
  searched: SearchedFiles;
  /** Those of namespaces, as they go between devices. */
  synced: SyncedFiles;
  /** A namespace is about to be cleared. */
  cleared(db: WriteDb, at: { account: AccountId; namespace: string }): void;
} {
  const deps = { store, files: hashedFiles(home.attachments) };
  const texts = createTextReading({ store, files: deps.files, log, reader: createPdfReader() });
  const look = (remove: () => unknown) => {
    try {
      remove();
    } catch (error) {
      log.warn({ err: error }, 'files of attachments could not be removed; it is tried again');
    }
  };
  return {
    async take(folder) {
      try {
        return await takeAttachments(deps, folder);
      } finally {
        texts.wake();
      }
    },
    searched: (wanted) =>
      searchFiles({ store, otherQuery: (...asked) => otherQuery(ranking, ...asked) }, wanted),
    synced: syncedFiles(deps, texts.wake),
    cleared: deleteAttachmentsOf,
    serve: ({ mount }) => attachmentRoutes(mount, deps),
    start() {
      look(() => removeStrays(deps));
      const endReading = texts.start();
      const timers = [
        clock.every(LOOK_EVERY, () => look(() => removeFreed(deps, texts.released))),
        clock.every(STRAYS_EVERY, () => look(() => removeStrays(deps))),
      ];
      return () => {
        endReading();
        for (const timer of timers) timer.stop();
      };
    },
  };
}
