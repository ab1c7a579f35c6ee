import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { type Home, homeAt } from './home.ts';
import { leftoversIn, removeLeftovers } from './leftovers.ts';

let temporary: { folder: string; remove: () => void };
let home: Home;

beforeEach(() => {
  temporary = temporaryFolder();
  home = homeAt(temporary.folder);
  for (const folder of [home.backups, home.outbox, home.logs]) fs.mkdirSync(folder);
});
afterEach(() => temporary.remove());

const HEX = '0123456789ab';

function write(names: readonly string[]): void {
  for (const name of names) fs.writeFileSync(path.join(home.folder, name), 'x');
}

/** All that lies in the home, as paths below it. */
function names(): string[] {
  return fs
    .readdirSync(home.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(home.folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

const USED = [
  ...['reverie.db', 'reverie.db-wal', 'reverie.db-shm', 'lock.db', 'lock.db-journal', 'owner-key', 'api-key'],
  ...[
    'connections.json',
    'connections.json.lock.db',
    'config.json',
    'daemon.json',
    'background.json',
    'secrets.json',
    'open.html',
  ],
  ...['backups/reverie-2031-05-14T12-00-00-000Z.db', 'backups/mine', 'backups/before-restore-2031.db'],
  ...['backups/before-restore-2031.db-wal', 'backups/before-restore-2031-owner-key', 'outbox/acc_1.eml'],
  'logs/reverie.log.1',
];

/** Each kind that an end in the midst of something leaves, and whether a start takes it away at once. */
const LEFT: readonly [string, boolean][] = [
  [`backups/a.db.${HEX}.draft`, true],
  [`backups/a.db.${HEX}.draft-wal`, true],
  [`backups/a.db.${HEX}.draft-journal`, true],
  ['backups/moving-1936526400000.db', false],
  [`incoming-${HEX}.db`, false],
  [`incoming-${HEX}.db-shm`, false],
  [`everything.db.${HEX}.part`, false],
  [`backups/copy.db.${HEX}.part`, false],
  [`.probe-${HEX}`, false],
  [`owner-key.${HEX}`, false],
  [`outbox/acc_2.eml.${HEX}`, false],
];

test('what is used is no leftover', () => {
  write(USED);
  expect(leftoversIn(home)).toEqual([]);
  expect(removeLeftovers(home, Date.now() + 1e12)).toEqual([]);
  expect(names()).toEqual([...USED].sort());
});

test.each(LEFT)('%s is taken away by a start, at once: %s', (name, isAtOnce) => {
  write([...USED, name]);
  expect(leftoversIn(home).map(({ file }) => file)).toEqual([path.join(home.folder, name)]);
  removeLeftovers(home);
  expect(names().includes(name)).toBe(!isAtOnce);
  removeLeftovers(home, Date.now() + 2 * 3_600_000);
  expect(names()).toEqual([...USED].sort());
});

test('what is not known to be ours is named, and stays', () => {
  const others = ['notes.txt', 'backups/mine-wal', 'reverie.db.bak'];
  write([...USED, ...others]);
  const expected = others.map((name) => path.join(home.folder, name)).sort();
  expect(
    leftoversIn(home)
      .map(({ file }) => file)
      .sort(),
  ).toEqual(expected);
  removeLeftovers(home, Date.now() + 1e12);
  expect(names()).toEqual([...USED, ...others].sort());
  fs.rmSync(home.database);
  expect(leftoversIn(home).filter(({ what }) => what === 'of a database that is not there')).toHaveLength(2);
});
