import fs from 'node:fs';
import path from 'node:path';
import type { Home } from './home.ts';

/** Something in a home that nothing uses. */
export interface Leftover {
  file: string;
  bytes: number;
  /** When it was written last, ms since 1970. */
  at: number;
  /** What it is, in a few words. */
  what: string;
  /** Who takes it away: a start at once, a start once it is an hour old (a command may be at it), or a person. */
  goes: 'at a start' | 'when old' | 'by hand';
}

type Place = 'folder' | 'backups' | 'outbox' | 'attachments';

interface Kind {
  in: readonly Place[];
  name: RegExp;
  what: string;
  goes: Leftover['goes'];
}

/** What an end in the midst of something leaves; names with twelve digits are made by this program alone. */
const KINDS: readonly Kind[] = [
  // Written under the lock of the home alone, so that who holds it knows that nobody is at it.
  { in: ['backups'], name: /\.[\da-f]{12}\.draft(-\w+)?$/, what: 'half a backup', goes: 'at a start' },
  {
    in: ['backups'],
    name: /^moving-\d{13}\.db(\.attachments)?$/,
    what: 'the copy of a `move out`',
    goes: 'when old',
  },
  {
    in: ['folder'],
    name: /^incoming-[\da-f]{12}\.db(-\w+)?$/,
    what: 'the copy of a restore or a move',
    goes: 'when old',
  },
  {
    in: ['folder'],
    name: /^editing-[\da-f]{12}$/,
    what: 'what was typed in `reverie edit` and is not stored',
    goes: 'by hand',
  },
  { in: ['folder', 'backups'], name: /\.[\da-f]{12}\.part(-\w+)?$/, what: 'half a copy', goes: 'when old' },
  { in: ['attachments'], name: /^[\da-f]{12}\.part$/, what: 'half a picture', goes: 'at a start' },
  {
    in: ['folder'],
    name: /^\.probe-[\da-f]{12}$/,
    what: 'a try whether the disk takes anything',
    goes: 'when old',
  },
  { in: ['folder', 'outbox'], name: /\.[\da-f]{12}$/, what: 'half a file', goes: 'when old' },
  {
    in: ['backups'],
    name: /^(?!before-restore-).*-(wal|shm|journal)$/,
    what: 'what a program left that opened the backup',
    goes: 'by hand',
  },
];

/** The other files of a home, beside those that `Home` names. */
const KNOWN =
  /^(lock\.db-journal|reverie\.db-journal|background\.json|secrets\.json|open\.html|desktop\.json|desktop\.json\.damaged|runtime|connections\.json|(config|connections)\.json\.lock\.db)$/;

const HOUR = 3_600_000;

/** What lies in a home that nothing uses, the largest first. */
export function leftoversIn(home: Home): Leftover[] {
  const found = (['folder', 'backups', 'outbox', 'attachments'] as const).flatMap((place) =>
    namesIn(home[place]).flatMap((name): Leftover[] => {
      const file = path.join(home[place], name);
      const kind = KINDS.find((one) => one.in.includes(place) && one.name.test(name));
      const rest = kind ?? (place === 'folder' ? unknown(home, name) : undefined);
      const stats = rest && fs.lstatSync(file, { throwIfNoEntry: false });
      if (!rest || !stats) return [];
      return [{ file, bytes: stats.size, at: stats.mtimeMs, what: rest.what, goes: rest.goes }];
    }),
  );
  return found.sort((a, b) => b.bytes - a.bytes);
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}

function unknown(home: Home, name: string): Pick<Leftover, 'what' | 'goes'> | undefined {
  const file = path.join(home.folder, name);
  if (Object.values(home).includes(file) || KNOWN.test(name)) return undefined;
  const isOfDatabase = [`${home.database}-wal`, `${home.database}-shm`].includes(file);
  if (isOfDatabase && fs.existsSync(home.database)) return undefined;
  const what = isOfDatabase ? 'of a database that is not there' : 'nothing of Reverie';
  return { what, goes: 'by hand' };
}

/** Removes what an interrupted run left in the home, and answers what that was. Only who holds the lock of the home may. */
export function removeLeftovers(home: Home, now = Date.now()): Leftover[] {
  const gone = leftoversIn(home).filter(
    ({ goes, at }) => goes === 'at a start' || (goes === 'when old' && now - at > HOUR),
  );
  for (const { file } of gone) fs.rmSync(file, { force: true, recursive: true });
  return gone;
}
