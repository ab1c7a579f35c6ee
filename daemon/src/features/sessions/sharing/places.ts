import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listed } from '../../../language/words/word-lists.ts';

/** Folders of the system at the top of a machine: they are the same everywhere. */
const SYSTEM = new Set(
  'bin boot dev etc lib lib32 lib64 libx32 lost+found proc sbin snap sys usr'.split(' '),
);

/** The folders at the top of this machine that are its own, and those that others have. */
function ownRoots(): string[] {
  const own = fs.existsSync('/') ? fs.readdirSync('/', { withFileTypes: true }) : [];
  const folders = own.filter((one) => one.isDirectory() && !SYSTEM.has(one.name)).map(({ name }) => name);
  const named = [...listed('sessions/path-roots'), ...folders];
  return [...new Set(named)].filter((name) => /^[\w.-]{2,64}$/u.test(name));
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);

let known: RegExp | undefined;

/** An absolute path below one of those folders, also of Windows, as an address, and reached by `../..`; its last part is a group. */
function absolutePaths(): RegExp {
  known ??= new RegExp(
    String.raw`(?<![\w.~/\\-])(?:file:\/\/)?(?:(?:\.\.[\\/])+|[A-Za-z]:[\\/]{1,4}|[\\/]{1,4})(?:${ownRoots().map(escaped).join('|')})(?:[\\/]{1,4}([^\s\\/"'\x60<>|:*?,;()[\]{}=]{1,255}))+`,
    'gu',
  );
  return known;
}

/** A text in which the working folder is `.`, the home folder `~`, and of every other path of this machine only the last part is left. */
export function withoutPlaces(text: string, folder: string | null, home = os.homedir()): string {
  const named = (given: string, place: string, short: string) =>
    // `/work/api` is no part of `/work/api-internal`.
    place.length < 3 || !given.includes(place)
      ? given
      : given.replaceAll(new RegExp(String.raw`${escaped(place)}(?![\w-]|\.\w)`, 'gu'), short);
  const own = named(folder === null ? text : named(text, folder, '.'), home, '~');
  return own.replaceAll(absolutePaths(), '$1');
}

/** A file as it may be named elsewhere: from the working folder, or a neighbour of it; of any other only its name. */
export function fileElsewhere(file: string, folder: string | null): string {
  if (path.posix.isAbsolute(file) || path.win32.isAbsolute(file) || file.startsWith('~'))
    return path.win32.basename(file);
  if (!/^\.\.[\\/]/u.test(file)) return file;
  const around = path.posix.dirname(folder ?? '/');
  const isNeighbour = around !== '/' && path.posix.resolve(folder ?? '/', file).startsWith(`${around}/`);
  return isNeighbour ? file : path.win32.basename(file);
}
