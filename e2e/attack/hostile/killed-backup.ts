import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { deleteMemory, setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { createBackup } from '@reverie/shared/contract/system/system';
import { type AttackedDaemon, eventually } from '../grounds.ts';
import { secretWord, wordsBelow } from '../planted.ts';
import { type Row, textWith } from './row.ts';

const REVERIE = path.join(import.meta.dirname, '../../../daemon/bin/reverie.cjs');
const KILLS = 3;

/** A backup that is killed leaves nothing behind after the next start; `doctor` names what is left in a home. */
export const killedBackup: Row = {
  name: 'row 1: a killed backup',
  async run({ section, grounds, random }) {
    const daemon = await grounds.daemon('killed-backup');
    const word = secretWord(random);
    await daemon.call(setMemory, { body: { key: 'secret', value: textWith(word) } });
    for (const batch of [1, 2, 3, 4]) {
      const items = Array.from({ length: 60 }, (_, n) => ({
        key: `${batch} ${n}`,
        value: textWith('nothing', 40_000),
      }));
      await daemon.call(storeBatch, { body: { items } });
    }
    let left = 0;
    for (let n = 0; n < KILLS; n += 1) {
      const running = daemon.call(createBackup, { body: { name: `killed-${n}.db` } }).catch(() => undefined);
      await eventually(() => (draftsOf(daemon).length > 0 ? true : undefined), {
        withinMs: 10_000,
        everyMs: 2,
      });
      await daemon.kill();
      await running;
      section.did('kills');
      left += draftsOf(daemon).length;
      await daemon.start();
    }
    section.figure('drafts when killed', String(left));
    await daemon.call(deleteMemory, { body: { key: 'secret' } });
    const isClean = await eventually(() => (draftsOf(daemon).length === 0 ? true : undefined), {
      withinMs: 5000,
    });
    if (!isClean) section.found('readable', 'the draft of a killed backup stays after a restart');
    if (wordsBelow(daemon.home.backups, new Set([word])).length > 0)
      section.found('readable', 'a deleted value stands in what a killed backup left');

    const planted = path.join(daemon.home.backups, 'left.db.0123456789ab.draft');
    fs.mkdirSync(daemon.home.backups, { recursive: true });
    fs.writeFileSync(planted, 'left by somebody');
    // What is younger may be a backup that is being written.
    const hourAgo = Date.now() / 1000 - 3600;
    fs.utimesSync(planted, hourAgo, hourAgo);
    const env = { ...process.env, REVERIE_HOME: daemon.home.folder };
    const { stdout } = await promisify(execFile)(process.execPath, [REVERIE, 'doctor'], { env }).catch(
      (cause: unknown) => cause as { stdout: string },
    );
    if (!stdout.includes('left.db'))
      section.found('wrong', '`doctor` does not name a file that was left in backups/');
  },
};

function draftsOf({ home }: AttackedDaemon): string[] {
  return fs.existsSync(home.backups)
    ? fs.readdirSync(home.backups).filter((name) => name.includes('.draft'))
    : [];
}
