import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** What a disk has to take before it is believed to have room: a memory of the largest size fits. */
const ENOUGH = 2 * 1024 * 1024;

/** Whether a failed operation on a file says that the disk, or this user's share of it, is full. */
export function isDiskFull(cause: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(String((cause as { code?: unknown }).code));
}

/** Whether a folder's disk takes 2 MiB more; found out by writing them, since a user's share is told by nothing else. */
export function hasRoom(folder: string): boolean {
  const { bavail, bsize } = fs.statfsSync(folder);
  if (bavail * bsize < ENOUGH) return false;
  const probe = path.join(folder, `.probe-${randomBytes(6).toString('hex')}`);
  try {
    fs.writeFileSync(probe, Buffer.alloc(ENOUGH), { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (cause) {
    if (isDiskFull(cause)) return false;
    throw cause;
  } finally {
    fs.rmSync(probe, { force: true });
  }
}
