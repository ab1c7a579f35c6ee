import fs from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Home } from '../../platform/home/home.ts';
import { isDiskFull } from '../../platform/home/room.ts';
import { count, size } from '../print.ts';
import { type DoctorFinding, fine, type Patient, problem, reasonOf, warning } from './finding.ts';

const NEEDED = [22, 18] as const;
const MiB = 1024 * 1024;

/** Whether this Node can run Reverie. */
export function checkNode(version = process.version): DoctorFinding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const enough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
  if (enough) return fine('Node', `${version}, at ${process.execPath}`);
  return problem(
    'Node',
    `${version} is too old: Reverie needs ${NEEDED.join('.')} or newer`,
    'Install one from https://nodejs.org.',
  );
}

/** Room on the disk of the home, measured against what a backup or a restore needs. */
export function checkDisk({ home }: Patient): DoctorFinding {
  const free = freeBytes(home);
  const database = fs.statSync(home.database, { throwIfNoEntry: false })?.size ?? 0;
  const text = `${size(free)} are free where ${home.folder} lies`;
  if (free < 100 * MiB)
    return problem(
      'Disk',
      text,
      'Free some space: a full disk refuses every write. Nothing that is stored is lost.',
    );
  if (free < 1024 * MiB || free < 2 * database)
    return warning(
      'Disk',
      text,
      `Free some space: a backup needs as much as the database has (${size(database)}).`,
    );
  return fine('Disk', text);
}

function freeBytes({ folder }: Home): number {
  const { bavail, bsize } = fs.statfsSync(nearest(folder));
  return bavail * bsize;
}

/** Whether the disk of the home has no room for a write of any size. */
export function isFull(home: Home): boolean {
  return freeBytes(home) < MiB;
}

/** The folder, or the nearest above it that is there. */
export function nearest(folder: string): string {
  let at = path.resolve(folder);
  while (!fs.existsSync(at) && path.dirname(at) !== at) at = path.dirname(at);
  return at;
}

/** Whether the home is there, can be written to, and is this user's alone. */
export function checkHome({ home }: Patient): DoctorFinding {
  const stats = fs.statSync(home.folder, { throwIfNoEntry: false });
  if (!stats) return fine('Home', `${home.folder} is not there yet; the first \`reverie start\` makes it`);
  if (!stats.isDirectory())
    return problem('Home', `${home.folder} is not a folder`, 'Set REVERIE_HOME or --home to a folder.');
  const unwritable = whyNotWritable(home.folder);
  if (unwritable instanceof Error && isDiskFull(unwritable))
    return problem(
      'Home',
      `the disk of ${home.folder} is full`,
      'Free some space. What is stored there is not lost, and is served meanwhile.',
    );
  if (unwritable !== undefined)
    return problem(
      'Home',
      `${home.folder} cannot be written to (${reasonOf(unwritable)})`,
      'Make the folder writable for this user, or set REVERIE_HOME to another one. What is stored there is not lost.',
    );
  const open = openToOthers([
    home.folder,
    home.database,
    home.ownerKey,
    home.apiKey,
    home.daemon,
    home.config,
  ]);
  if (open.length > 0)
    return problem(
      'Home',
      `other users of this machine can read ${open.join(', ')}`,
      `Run \`chmod -R go-rwx ${home.folder}\`; if others may have read the keys, replace them with \`reverie key rotate\`.`,
    );
  return fine('Home', `${home.folder} is yours alone and can be written to`);
}

function whyNotWritable(folder: string): unknown {
  const probe = path.join(folder, `.probe-${randomBytes(6).toString('hex')}`);
  try {
    fs.writeFileSync(probe, 'x', { flag: 'wx', mode: 0o600 });
    return undefined;
  } catch (cause) {
    return cause;
  } finally {
    fs.rmSync(probe, { force: true });
  }
}

function openToOthers(files: readonly string[]): string[] {
  if (process.platform === 'win32') return [];
  return files.filter((file) => ((fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
}

/** The year when this was written: no memory is older, so no clock may be. */
const FIRST_YEAR = 2025;
const LATEST_YEAR = 2100;
const APART = 120_000;

/** Whether the clock can be right: the year, the times of the home's files, the time of the disk. */
export function checkClock({ home, now }: Patient): DoctorFinding {
  const shown = Number.isFinite(now) ? new Date(now).toISOString() : String(now);
  const year = new Date(now).getUTCFullYear();
  const todo =
    'Set the clock, best by the time service of the system: times of memories and the life of keys depend on it.';
  if (!(year >= FIRST_YEAR && year <= LATEST_YEAR)) return problem('Clock', `it says ${shown}`, todo);
  const ahead = newestOf([home.database, `${home.database}-wal`, home.daemon, home.ownerKey]) - now;
  if (ahead > APART)
    return problem(
      'Clock',
      `it says ${shown}, but Reverie wrote to its files ${count(Math.round(ahead / 60_000), 'minute')} later than that`,
      todo,
    );
  const disk = timeOfDisk(home.folder);
  if (disk !== undefined && Math.abs(disk - now) > APART)
    return warning(
      'Clock',
      `it says ${shown}, and the disk of ${home.folder} ${new Date(disk).toISOString()}`,
      'Set the clock of the machine that the disk belongs to.',
    );
  return fine('Clock', `it says ${shown}`);
}

function newestOf(files: readonly string[]): number {
  return Math.max(0, ...files.map((file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

function timeOfDisk(folder: string): number | undefined {
  const probe = path.join(folder, `.probe-${randomBytes(6).toString('hex')}`);
  try {
    fs.writeFileSync(probe, 'x', { flag: 'wx', mode: 0o600 });
    return fs.statSync(probe).mtimeMs;
  } catch {
    // The check of the home tells why.
    return undefined;
  } finally {
    fs.rmSync(probe, { force: true });
  }
}
