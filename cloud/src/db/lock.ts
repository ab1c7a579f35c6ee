import { makeLockFile } from '@reverie/shared/sqlite/lock-file';
import Sqlite from 'better-sqlite3';
import { Refusal } from './refusal.ts';

/** A lock that nothing refers to would be collected, closed and free again while its relay runs. */
const held = new Set<Sqlite.Database>();

/** Makes this process the only relay on a home; the system frees the lock when it ends, however it ends. */
export function takeLock(file: string): () => void {
  makeLockFile(file);
  const lock = new Sqlite(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if (String((cause as { code?: unknown }).code).startsWith('SQLITE_BUSY'))
      throw new Refusal('Another relay runs on this RELAY_HOME. Stop that one first.');
    throw cause;
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}
