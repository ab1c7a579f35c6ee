import { type BackupFile, writeBackup } from '../../db/backup/backup-file.ts';
import type { Store } from '../../db/open-store.ts';
import type { HashedFiles } from '../../platform/home/hashed-files.ts';
import type { Clock } from '../../platform/clock.ts';

export interface BackupDeps {
  store: Pick<Store, 'backup'>;
  clock: Clock;
  /** The folder of backups. */
  folder: string;
  attachments: HashedFiles;
}

/**
 * Writes a checked copy of the database on the daemon's own connection (another process would have to
 * start anew at each write).
 */
export function createBackup(
  { store, clock, folder, attachments }: BackupDeps,
  { name }: { name?: string | undefined },
): Promise<BackupFile> {
  return writeBackup((file) => store.backup(file), { folder, name, now: clock.now(), attachments });
}
