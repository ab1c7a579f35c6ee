import fs from 'node:fs';
import path from 'node:path';
import { createBackup } from '@reverie/shared/contract/system/system';
import Database from 'better-sqlite3';
import type { Command } from 'commander';
import { type BackupFile, hashOf, writeBackup } from '../db/backup/backup-file.ts';
import { filesBeside, hashedFiles, lendFiles } from '../platform/home/hashed-files.ts';
import { type Home, Refusal } from '../platform/home/home.ts';
import { removeLeftovers } from '../platform/home/leftovers.ts';
import { isHeld, takeLock } from '../platform/home/lock.ts';
import { connect } from './connection.ts';
import { ifInterrupted } from './interrupted.ts';
import { claimFile, copyPrivately } from '../platform/home/new-file.ts';
import { jsonOption } from './options.ts';
import { count, note, printJson, say, size } from './print.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

/** `reverie backup` */
export function addBackup(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description('write a checked copy of the database, while Reverie goes on')
    .option('--name <name>', 'its file name in the folder of backups; else made from the time')
    .option('-o, --output <file>', 'put it there instead of into the folder of backups')
    .addOption(jsonOption())
    .action(async ({ name, output, json }: { name?: string; output?: string; json?: true }) => {
      const target = output === undefined ? undefined : path.resolve(output);
      // Refused before the work, not after it.
      if (target !== undefined) claimFile(target);
      const made = await makeBackup(homeOf(terminal), terminal.env, name);
      if (target !== undefined) await moveFile(made, target);
      const backup = { ...made, file: target ?? made.file };
      if (json) return printJson(terminal, backup);
      say(terminal, backup.file);
      note(
        terminal,
        `A copy of ${count(backup.memories, 'memory', 'memories')} (${size(backup.bytes)}), checked. \`reverie restore ${backup.file}\` brings it back.${besideIt(backup.file)}`,
      );
    });
}

/** Says that a backup has a folder beside it, where it has one. */
export function besideIt(file: string): string {
  return fs.existsSync(filesBeside(file))
    ? ` Pictures and documents of notes are in ${filesBeside(file)}: keep the two together.`
    : '';
}

/**
 * A verified copy of the database in `backups/`: made by the running daemon on its own connection, or
 * here, under the lock, where none runs.
 */
export async function makeBackup(
  home: Home,
  env: NodeJS.ProcessEnv,
  name: string | undefined,
): Promise<BackupFile> {
  if (isHeld(home)) {
    const { client } = await connect(home, env);
    return client(createBackup, { body: { name } });
  }
  const parsed = createBackup.body.safeParse({ name });
  if (!parsed.success) throw new UsageError(`--name ${parsed.error.issues[0]?.message}`);
  if (!fs.existsSync(home.database))
    throw new Refusal(`There is no database in ${home.folder} yet: start Reverie first, or set --home.`);
  const lock = takeLock(home);
  const calm = ifInterrupted(() => void removeLeftovers(home));
  try {
    removeLeftovers(home);
    const db = new Database(home.database, { readonly: true });
    try {
      const copy = async (file: string) => {
        await db.backup(file);
      };
      return await writeBackup(copy, {
        folder: home.backups,
        name,
        now: Date.now(),
        attachments: hashedFiles(home.attachments),
      });
    } finally {
      db.close();
    }
  } finally {
    calm();
    lock.release();
  }
}

/** Moves a backup to its place, on another disk too; what arrives there has its checksum. */
async function moveFile(backup: BackupFile, target: string): Promise<void> {
  const claimed = claimFile(target);
  const calm = ifInterrupted(claimed.discard);
  try {
    copyPrivately(backup.file, claimed.draft);
    if ((await hashOf(claimed.draft)) !== backup.sha256)
      throw new Refusal(`The copy at ${target} differs from ${backup.file}, which is kept. Check that disk.`);
    lendFiles(hashedFiles(filesBeside(backup.file)), filesBeside(target));
    claimed.finish();
  } finally {
    calm();
    claimed.discard();
  }
  fs.rmSync(backup.file);
  fs.rmSync(filesBeside(backup.file), { recursive: true, force: true });
}
