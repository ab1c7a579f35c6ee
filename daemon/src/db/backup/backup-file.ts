import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Problem } from '@reverie/shared/contract/problems';
import { filesBeside, type HashedFiles, lendFiles } from '../../platform/home/hashed-files.ts';
import { verifyInWorker } from './verify-in-worker.ts';

/** What a backup is, once it is written. */
export interface BackupFile {
  file: string;
  bytes: number;
  memories: number;
  sha256: string;
  created_at: string;
}

export interface BackupWanted {
  /** The folder of backups; made where it is missing. */
  folder: string;
  /** The file name; made from the time where omitted. */
  name?: string | undefined;
  /** Milliseconds since 1970. */
  now: number;
  /** The files of attachments, which get a second name beside the copy. */
  attachments: HashedFiles;
}

/**
 * Lets `copy` write a copy of the database, checks it in a worker, and only then gives it its name.
 * Throws `Problem` where there is such a backup, the copy is not sound, or the disk is full.
 */
export async function writeBackup(
  copy: (file: string) => Promise<void>,
  { folder, name, now, attachments }: BackupWanted,
): Promise<BackupFile> {
  const created_at = new Date(now).toISOString();
  const file = path.join(folder, name ?? `reverie-${created_at.replaceAll(/[:.]/g, '-')}.db`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (fs.existsSync(file))
    throw new Problem('conflict', `There is a backup named ${path.basename(file)} already`);
  const draft = `${file}.${randomBytes(6).toString('hex')}.draft`;
  const draftFiles = `${draft}-attachments`;
  try {
    fs.closeSync(fs.openSync(draft, 'wx', 0o600));
    await copy(draft);
    // At once, before any that the copy names can be removed.
    lendFiles(attachments, draftFiles);
    const { problems, memories } = await verifyInWorker(draft);
    if (problems.length > 0)
      throw new Problem(
        'storage_failed',
        `The copy is not sound (${problems.join('; ')}), so no backup was made. Run \`reverie doctor\`.`,
      );
    const sha256 = await hashOf(draft);
    const handle = fs.openSync(draft, 'r+');
    fs.fsyncSync(handle);
    fs.closeSync(handle);
    if (fs.existsSync(draftFiles)) {
      // What an earlier backup of this name left, which is gone.
      fs.rmSync(filesBeside(file), { recursive: true, force: true });
      fs.renameSync(draftFiles, filesBeside(file));
    }
    fs.renameSync(draft, file);
    return { file, bytes: fs.statSync(file).size, memories, sha256, created_at };
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    if (code === 'ENOSPC' || code === 'SQLITE_FULL')
      throw new Problem(
        'disk_full',
        `The disk that holds ${folder} is full, so no backup was made. Free some space and try again.`,
        { cause },
      );
    throw cause;
  } finally {
    for (const left of [draftFiles, draft, `${draft}-journal`, `${draft}-wal`, `${draft}-shm`])
      fs.rmSync(left, { force: true, recursive: true });
  }
}

/** SHA-256 of a file, in hexadecimal. */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  // Few large reads: each waits for its turn behind whatever else the daemon does.
  await pipeline(fs.createReadStream(file, { highWaterMark: 8 * 1024 * 1024 }), hash);
  return hash.digest('hex');
}
