import fs from 'node:fs';
import { makeLockFile } from '@reverie/shared/sqlite/lock-file';
import Database from 'better-sqlite3';
import type { Clock, Stop } from '../clock.ts';
import { type DaemonFile, readDaemonFile, textOf, writeDaemonFile } from './daemon-file.ts';
import { type Home, Refusal } from './home.ts';
import type { Log } from '../log.ts';
import { isDiskFull } from './room.ts';

/** Has `daemon.json` say who runs: now, or as soon as a full disk has room for it. */
export function announce(home: Home, daemon: DaemonFile, { clock, log }: { clock: Clock; log: Log }): Stop {
  if (isWritten(home, daemon)) return () => undefined;
  log.warn('the disk is full: commands find this Reverie only once there is room for daemon.json');
  const timer = clock.every(1000, () => {
    try {
      if (isWritten(home, daemon)) timer.stop();
    } catch (err) {
      timer.stop();
      log.error({ err }, 'daemon.json cannot be written, so that commands do not find this Reverie');
    }
  });
  return () => timer.stop();
}

/** False on a full disk, unless the file that a crash left gives its own room. */
function isWritten(home: Home, daemon: DaemonFile): boolean {
  try {
    writeDaemonFile(home, daemon);
    return true;
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
  }
  if (!fs.existsSync(home.daemon)) return false;
  const handle = fs.openSync(home.daemon, 'r+');
  try {
    const text = textOf(daemon);
    fs.writeSync(handle, text, 0);
    fs.ftruncateSync(handle, Buffer.byteLength(text));
    fs.fsyncSync(handle);
    return readDaemonFile(home)?.nonce === daemon.nonce;
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    return false;
  } finally {
    fs.closeSync(handle);
  }
}

export interface Lock {
  release(): void;
}

/** Whether a process holds the lock of a home. Takes nothing and makes nothing. */
export function isHeld({ lock }: Pick<Home, 'lock'>): boolean {
  if (!fs.existsSync(lock)) return false;
  const db = new Database(lock, { readonly: true, timeout: 0 });
  try {
    db.pragma('schema_version');
    return false;
  } catch (cause) {
    if (String((cause as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return true;
    throw cause;
  } finally {
    db.close();
  }
}

/**
 * The one owner of a home: an exclusive transaction held on `lock.db`. The system ends it with the
 * process, however it ends, so there are no stale locks. Throws `Refusal` while another holds it.
 */
export function takeLock(home: Home): Lock {
  // A moment of patience, for `reverie stop` and `doctor` look whether it is held; an owner keeps it for good.
  makeLockFile(home.lock);
  const db = new Database(home.lock, { timeout: 200 });
  try {
    // A journal in a file would need room on a disk that may be full.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    if (!String((cause as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw cause;
    const running = readDaemonFile(home);
    const who = running ? ` (process ${running.pid}, ${running.origin})` : '';
    throw new Refusal(
      `Reverie is already running on ${home.folder}${who}. Use that one, or stop it with \`reverie stop\`.`,
      cause,
    );
  }
  return {
    release() {
      db.exec('ROLLBACK');
      db.close();
    },
  };
}
