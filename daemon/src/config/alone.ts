import { setTimeout as pause } from 'node:timers/promises';
import { makeLockFile } from '@reverie/shared/sqlite/lock-file';
import Database from 'better-sqlite3';
import { Refusal } from '../platform/home/home.ts';

/** A change takes milliseconds; who waits longer than this is told. */
const PATIENCE = 3000;

/**
 * Does something to a file while no other process of ours does: an exclusive transaction on an empty database beside
 * it, which the system ends with the process, as that of the home's lock. Throws `Refusal` where another stays at it.
 */
export function alone<T>(file: string, work: () => T): T {
  const db = openLock(file, PATIENCE);
  try {
    // A journal in a file would need room on a disk that may be full.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return work();
  } catch (cause) {
    if (!isBusy(cause)) throw cause;
    throw stillAt(file, cause);
  } finally {
    db.close();
  }
}

/** Work that asks the daemon in between takes longer. */
const LONG_PATIENCE = 15_000;
const AGAIN = 50;

/** As `alone`, for work that is asynchronous, and with more patience. */
export async function aloneWhile<T>(file: string, work: () => Promise<T>): Promise<T> {
  const db = openLock(file, 0);
  try {
    const until = performance.now() + LONG_PATIENCE;
    for (;;) {
      try {
        db.exec('BEGIN EXCLUSIVE');
        break;
      } catch (cause) {
        if (!isBusy(cause)) throw cause;
        if (performance.now() > until) throw stillAt(file, cause);
      }
      await pause(AGAIN);
    }
    return await work();
  } finally {
    db.close();
  }
}

function openLock(file: string, timeout: number): Database.Database {
  const lock = `${file}.lock.db`;
  makeLockFile(lock);
  return new Database(lock, { timeout });
}

const isBusy = (cause: unknown) => String((cause as { code?: unknown }).code).startsWith('SQLITE_BUSY');

function stillAt(file: string, cause: unknown): Refusal {
  return new Refusal(`Another program of Reverie is changing ${file}. Try again in a moment.`, cause);
}
