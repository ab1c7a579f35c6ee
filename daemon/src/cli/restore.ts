import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { filesBeside, hashedFiles, isSound, lendFiles } from '../platform/home/hashed-files.ts';
import { type Home, prepareHome, Refusal } from '../platform/home/home.ts';
import { isHeld, takeLock } from '../platform/home/lock.ts';
import { agreed, refuseUnasked } from './confirm.ts';
import { ifInterrupted } from './interrupted.ts';
import { backgroundFlags } from '../platform/home/background-file.ts';
import { startInBackground } from './background.ts';
import { countHeld } from '../db/backup/verify.ts';
import { discardCandidates, finishCandidate, prepareCandidate } from '../db/backup/candidate.ts';
import { isMoved } from '../db/backup/moved-home.ts';
import { yesOption } from './options.ts';
import { count, note, say } from './print.ts';
import { replaceDatabase } from '../db/backup/replace-database.ts';
import { stopDaemon } from './stop.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie restore FILE` */
export function addRestore(program: Command, terminal: Terminal): void {
  program
    .command('restore')
    .description('put a backup in the place of the database; asks first, and keeps the present one')
    .argument('<file>', 'a backup')
    .addOption(yesOption())
    .action((file: string, { yes = false }: { yes?: boolean }) => restore(terminal, file, yes));
}

async function restore(terminal: Terminal, file: string, yes: boolean): Promise<void> {
  const home = homeOf(terminal);
  if (!fs.existsSync(file))
    throw new Refusal(
      `There is no file ${file}. Backups that \`reverie backup\` made are in ${home.backups}.`,
    );
  const what = `The backup takes the place of the database in ${home.folder}; the present one is kept in backups/.`;
  refuseUnasked(terminal, { what, yes });
  prepareHome(home);
  note(terminal, 'Checking the backup …');
  const calm = ifInterrupted(() => discardCandidates(home));
  const candidate = await prepareCandidate(home, file).catch((cause: unknown) => {
    calm();
    throw cause;
  });
  try {
    if (isMoved(candidate.file))
      throw new Refusal(`${file} was made by \`reverie move out\`: bring it in with \`reverie move in\`.`);
    const { memories, events } = candidate.verified;
    note(terminal, `The backup is sound: ${describe({ memories, events })}. Now there: ${presentIn(home)}.`);
    if (!(await agreed(terminal, { what, type: 'yes', yes }))) {
      note(terminal, 'Nothing was changed.');
      terminal.exitCode = 1;
      return;
    }
    finishCandidate(candidate, () => undefined);
    const aside = await whileStopped(terminal, home, () => {
      const before = replaceDatabase(home, candidate);
      bringFiles(terminal, home, { from: file, before });
      return before;
    });
    say(terminal, `Restored ${count(memories, 'memory', 'memories')} from ${file}.`);
    if (aside !== undefined) note(terminal, `The database from before is ${aside}.`);
    note(terminal, 'Keys are those of the backup: `reverie key list` shows them, also ones revoked since.');
  } finally {
    calm();
    candidate.discard();
  }
}

/** Brings the pictures and documents that lie beside a backup, and lends those of before to the database that was set aside. */
export function bringFiles(
  terminal: Terminal,
  home: Home,
  { from, before }: { from: string; before: string | undefined },
): void {
  const files = hashedFiles(home.attachments);
  if (before !== undefined) lendFiles(files, filesBeside(before));
  const beside = hashedFiles(filesBeside(path.resolve(from)));
  const hashes = beside.hashes();
  const sound = hashes.filter((hash) => isSound(beside, hash));
  lendFiles(beside, home.attachments, sound);
  if (sound.length < hashes.length)
    note(terminal, `Left out of ${beside.folder}: ${count(hashes.length - sound.length, 'file')}, damaged.`);
}

/**
 * Does something to a home while no daemon runs on it: ends the one that runs, holds the lock, and starts
 * it again where it ran in the background, also when the work failed. Else it says how to start it.
 */
export async function whileStopped<T>(terminal: Terminal, home: Home, work: () => T): Promise<T> {
  const flags = backgroundFlags(home);
  const pid = await stopDaemon(home, terminal.env);
  if (pid !== undefined) note(terminal, `Reverie (process ${pid}) has stopped.`);
  try {
    const lock = takeLock(home);
    try {
      return work();
    } finally {
      lock.release();
    }
  } finally {
    if (pid !== undefined && flags) {
      const daemon = await startInBackground({ home, env: terminal.env, flags });
      note(terminal, `Reverie runs in the background again, at ${daemon.origin}.`);
    } else if (!isHeld(home))
      note(
        terminal,
        'Start Reverie again as you did before: `reverie start`, or `reverie start --background`.',
      );
  }
}

function describe(held: { memories: number; events: number }): string {
  return `${count(held.memories, 'memory', 'memories')} and ${count(held.events, 'event')}`;
}

/** What the present database holds, as far as it can be read. */
export function presentIn(home: Home): string {
  if (!fs.existsSync(home.database)) return 'nothing';
  try {
    return describe(countHeld(home.database));
  } catch (cause) {
    return `a database that cannot be read (${cause instanceof Error ? cause.message : String(cause)})`;
  }
}
