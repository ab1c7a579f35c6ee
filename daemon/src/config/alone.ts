import Database from 'better-sqlite3';
import { Refusal } from '../platform/home.ts';

/** A change takes milliseconds; who waits longer than this is told. */
const PATIENCE = 3000;

/**
 * Does something to a file while no other process of ours does: an exclusive transaction on an empty database beside
 * it, which the system ends with the process, as that of the home's lock. Throws `Refusal` where another stays at it.
 */
export function alone<T>(file: string, work: () => T): T {
  const db = new Database(`${file}.lock.db`, { timeout: PATIENCE });
  try {
    // A journal in a file would need room on a disk that may be full.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return work();
  } catch (cause) {
    if (!String((cause as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw cause;
    throw new Refusal(`Another program of Reverie is changing ${file}. Try again in a moment.`, cause);
  } finally {
    db.close();
  }
}
