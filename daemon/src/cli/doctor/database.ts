import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { countLinks } from '../../db/dead-links.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { verifyInWorker } from '../../db/backup/verify-in-worker.ts';
import { count, size } from '../print.ts';
import { type DoctorFinding, fine, type Patient, problem, reasonOf, warning } from './finding.ts';
import { isFull } from './machine.ts';

const DAY = 86_400_000;

/** Whether the database opens, is of a version that we know, is whole, and agrees with its indexes. */
export async function checkDatabase({ home }: Patient): Promise<DoctorFinding> {
  if (!fs.existsSync(home.database)) return fine('Database', 'there is none yet');
  const mend = `Stop Reverie, keep a copy of ${home.folder}, then \`reverie restore\` with your newest backup in ${home.backups}.`;
  const refused = whyNotAllowed(home.database);
  if (refused !== undefined)
    return problem(
      'Database',
      `this user may not read it (${refused})`,
      `Make it yours again, as an administrator: \`chown ${os.userInfo().username} ${home.database}\` and \`chmod 600 ${home.database}\`.`,
    );
  const readable = readableCopy(home.database);
  try {
    const version = versionOf(readable.file);
    const latest = loadMigrations().at(-1)?.version ?? 0;
    if (version > latest)
      return problem(
        'Database',
        `it is of version ${version}, and this Reverie knows versions up to ${latest}`,
        'Install a newer Reverie; nothing is lost.',
      );
    const older =
      version < latest ? `it is of version ${version}, and the next start brings it to ${latest}; ` : '';
    const { problems, memories, events } = await verifyInWorker(readable.file);
    if (problems.includes(LOCKED) && isFull(home)) return heldAlone();
    if (problems.length > 0) return problem('Database', problems.join('; '), mend);
    const bytes = fs.statSync(home.database).size;
    return fine(
      'Database',
      `${older}it is whole, and rows and indexes agree: ${count(memories, 'memory', 'memories')}, ${count(events, 'event')}, ${size(bytes)}`,
    );
  } catch (cause) {
    if (reasonOf(cause) === LOCKED && isFull(home)) return heldAlone();
    return problem('Database', `it cannot be read (${reasonOf(cause)})`, mend);
  } finally {
    readable.remove();
  }
}

/** What SQLite says of a database that another connection holds for itself. */
const LOCKED = 'database is locked';

function heldAlone(): DoctorFinding {
  return warning(
    'Database',
    'it cannot be looked at: Reverie holds it alone while the disk is full',
    'Free some space, and look again.',
  );
}

/** How many links between notes lead nowhere; nothing of that is Reverie's to mend. */
export function checkLinks({ home }: Patient): DoctorFinding {
  if (!fs.existsSync(home.database)) return fine('Links', 'there are none yet');
  const readable = readableCopy(home.database);
  try {
    const links = countLinks(readable.file);
    if (!links) return fine('Links', 'they are read at the next start');
    const dead = links.dead === 0 ? 'each leads to a note' : `${links.dead} lead to what is not there`;
    return fine(
      'Links',
      links.all === 0 ? 'there are none' : `${count(links.all, 'link')} between notes; ${dead}`,
    );
  } finally {
    readable.remove();
  }
}

function whyNotAllowed(file: string): string | undefined {
  try {
    fs.accessSync(file, fs.constants.R_OK);
    return undefined;
  } catch (cause) {
    return reasonOf(cause);
  }
}

function versionOf(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    return db.pragma('user_version', { simple: true }) as number;
  } finally {
    db.close();
  }
}

/**
 * SQLite reads a write-ahead log only where it may write beside it: where the home is read-only, a copy
 * for this user alone is looked at instead.
 */
function readableCopy(database: string): { file: string; remove: () => void } {
  try {
    versionOf(database);
    return { file: database, remove: () => undefined };
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    if (!/^SQLITE_(CANTOPEN|READONLY)/.test(String(code))) return { file: database, remove: () => undefined };
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-doctor-'));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  const file = path.join(folder, 'copy.db');
  try {
    fs.copyFileSync(database, file);
    if (fs.existsSync(`${database}-wal`)) fs.copyFileSync(`${database}-wal`, `${file}-wal`);
    for (const made of fs.readdirSync(folder)) fs.chmodSync(path.join(folder, made), 0o600);
  } catch {
    // No room, or no right to read: then opening the database itself tells what is wrong.
    remove();
    return { file: database, remove: () => undefined };
  }
  return { file, remove };
}

/** Whether there is a backup, and how old the newest is. */
export function checkBackups({ home, now }: Patient): DoctorFinding {
  const todo = 'Run `reverie backup`, now and then, and keep a copy on another disk.';
  let newest = 0;
  try {
    for (const name of fs.readdirSync(home.backups))
      if (name.endsWith('.db') && !name.startsWith('before-restore-'))
        newest = Math.max(newest, fs.statSync(path.join(home.backups, name)).mtimeMs);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      return warning('Backups', `${home.backups} cannot be read (${reasonOf(cause)})`, todo);
  }
  if (newest === 0)
    return fs.existsSync(home.database)
      ? warning('Backups', 'there is none', todo)
      : fine('Backups', 'there is nothing to back up yet');
  const days = Math.max(0, Math.floor((now - newest) / DAY));
  const text = days === 0 ? 'the newest is less than a day old' : `the newest is ${count(days, 'day')} old`;
  return days > 30 ? warning('Backups', text, todo) : fine('Backups', text);
}
