import { compoundWord } from './compound-word.ts';
import { deletedRoom } from './deleted-room.ts';
import { fullDisk } from './full-disk.ts';
import { killedBackup } from './killed-backup.ts';
import { reader } from './reader.ts';
import { rebinding } from './rebinding.ts';
import { remoteDeletion } from './remote-deletion.ts';
import type { Row } from './row.ts';
import { silentSockets } from './silent-sockets.ts';
import { webhookNames } from './webhook-names.ts';
import { writtenAgain } from './written-again.ts';

/** The holes that were found once, by the word that `--only` takes. */
export const rows: Readonly<Record<string, Row>> = {
  row1: killedBackup,
  row2: remoteDeletion,
  row3: fullDisk,
  row4: reader,
  row5: deletedRoom,
  row6: silentSockets,
  row7: compoundWord,
  row8: rebinding,
  row9: webhookNames,
  row11: writtenAgain,
};
