import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { type Home, prepareHome, Refusal, writePrivateFile } from '../platform/home/home.ts';
import { agreed, refuseUnasked } from './confirm.ts';
import { ifInterrupted } from './interrupted.ts';
import { besideIt, makeBackup } from './backup.ts';
import {
  discardCandidates,
  finishCandidate,
  prepareCandidate,
  refuseNoDatabase,
} from '../db/backup/candidate.ts';
import { isMoved, type MovedFiles, packInto, unpackFrom } from '../db/backup/moved-home.ts';
import { filesBeside, hashedFiles, lendFiles } from '../platform/home/hashed-files.ts';
import { claimFile, copyPrivately } from '../platform/home/new-file.ts';
import { yesOption } from './options.ts';
import { count, note, say, size } from './print.ts';
import { asideStem, replaceDatabase } from '../db/backup/replace-database.ts';
import { bringFiles, presentIn, whileStopped } from './restore.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie move out FILE`, `reverie move in FILE` */
export function addMove(program: Command, terminal: Terminal): void {
  const move = program
    .command('move')
    .description('take everything to a new machine: one file out, one file in');
  move
    .command('out')
    .description('write all memories, settings and keys into one file')
    .argument('<file>', 'a new file')
    .action((file: string) => moveOut(terminal, path.resolve(file)));
  move
    .command('in')
    .description('make the home of this machine from such a file')
    .argument('<file>', 'what `reverie move out` wrote')
    .option('--replace', 'also where this home holds memories already; they are kept in backups/')
    .addOption(yesOption())
    .action((file: string, options: MoveIn) => moveIn(terminal, file, options));
}

async function moveOut(terminal: Terminal, file: string): Promise<void> {
  const home = homeOf(terminal);
  const claimed = claimFile(file);
  const backup = await makeBackup(home, terminal.env, `moving-${Date.now()}.db`);
  const cleanUp = () => {
    claimed.discard();
    fs.rmSync(backup.file, { force: true });
    fs.rmSync(filesBeside(backup.file), { recursive: true, force: true });
  };
  const calm = ifInterrupted(cleanUp);
  try {
    copyPrivately(backup.file, claimed.draft);
    packInto(claimed.draft, home);
    lendFiles(hashedFiles(filesBeside(backup.file)), filesBeside(file));
    claimed.finish();
  } finally {
    calm();
    cleanUp();
  }
  say(terminal, file);
  note(
    terminal,
    [
      `It holds ${count(backup.memories, 'memory', 'memories')} (${size(fs.statSync(file).size)}), and the settings and keys of this home.`,
      'Whoever has this file can read every memory and act with your keys: send it by a safe way, and delete it afterwards.',
      `On the new machine: \`reverie move in ${path.basename(file)}\`. What is stored here from now on is not in it.${besideIt(file)}`,
    ].join('\n'),
  );
}

interface MoveIn {
  replace?: true;
  yes?: boolean;
}

/**
 * The keys stay, so that agents go on with what they have. The log of events gets a new `log_id`, as with
 * a restore: the old home may have gone on after the file was made, so that the same `seq` may mean two
 * different events, and whoever follows the log has to be told.
 */
async function moveIn(terminal: Terminal, file: string, { replace, yes = false }: MoveIn): Promise<void> {
  const home = homeOf(terminal);
  // First of all: what is wrong with the file is wrong in every home.
  refuseNoDatabase(file);
  const isNew = ![home.database, home.ownerKey, home.apiKey, home.config].some((file) => fs.existsSync(file));
  if (!isNew && !replace)
    throw new Refusal(
      `${home.folder} is in use: its database holds ${presentIn(home)}. Add --replace to put the moved home in its place (what is there is kept in backups/), or choose another folder with --home.`,
    );
  const what = `The moved home takes the place of the one in ${home.folder}, with its settings and keys.`;
  if (!isNew) refuseUnasked(terminal, { what, yes });
  prepareHome(home);
  note(terminal, 'Checking the file …');
  const calm = ifInterrupted(() => discardCandidates(home));
  const candidate = await prepareCandidate(home, file).catch((cause: unknown) => {
    calm();
    throw cause;
  });
  try {
    if (!isMoved(candidate.file))
      throw new Refusal(
        `${file} is a backup without keys and settings: bring it in with \`reverie restore\`.`,
      );
    const { memories } = candidate.verified;
    note(terminal, `It holds ${count(memories, 'memory', 'memories')}. Now there: ${presentIn(home)}.`);
    if (!isNew && !(await agreed(terminal, { what, type: 'yes', yes }))) {
      note(terminal, 'Nothing was changed.');
      terminal.exitCode = 1;
      return;
    }
    let files: MovedFiles = new Map();
    finishCandidate(candidate, (db) => (files = unpackFrom(db)));
    const aside = await whileStopped(terminal, home, () => {
      const before = replaceDatabase(home, candidate);
      placeFiles(home, files, before);
      bringFiles(terminal, home, { from: file, before });
      return before;
    });
    say(terminal, `Moved ${count(memories, 'memory', 'memories')} into ${home.folder}.`);
    if (aside !== undefined)
      note(terminal, `What was there before is ${aside}, with its settings and keys beside it.`);
    note(
      terminal,
      'Do not go on with the old machine: the two know nothing of each other. Delete the file, which holds your keys.',
    );
  } finally {
    calm();
    candidate.discard();
  }
}

/**
 * After the database: should it end before them, the next start makes new keys for the database, while
 * new files beside an old database would make it end the keys that agents use.
 */
function placeFiles(home: Home, files: MovedFiles, aside: string | undefined): void {
  const stem = aside?.replace(/\.db$/, '') ?? asideStem(home);
  fs.mkdirSync(home.backups, { recursive: true, mode: 0o700 });
  for (const name of ['ownerKey', 'apiKey', 'config'] as const) {
    const target = home[name];
    if (fs.existsSync(target)) copyPrivately(target, `${stem}-${path.basename(target)}`);
    const content = files.get(name);
    if (content !== undefined) writePrivateFile(target, content);
    else fs.rmSync(target, { force: true });
  }
}
