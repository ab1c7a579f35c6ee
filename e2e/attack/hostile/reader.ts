import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { eventually } from '../grounds.ts';
import { secretWord, wordsBelow } from '../planted.ts';
import { startProbe } from './probe.ts';
import { type Row, textWith } from './row.ts';

/** Somebody else reads `reverie.db` while what was deleted is swept: nobody waits for it, and the log is emptied when they are done. */
export const reader: Row = {
  name: 'row 4: a reader during the sweep',
  waits: true,
  async run({ section, grounds, random }) {
    const daemon = await grounds.daemon('reader');
    const word = secretWord(random);
    await daemon.call(setMemory, { body: { key: 'secret', value: textWith(word, 20_000) } });
    const other = new Database(daemon.home.database, { readonly: true });
    const probe = startProbe(section, daemon, {
      method: 'POST',
      path: '/v1/memory-set',
      body: JSON.stringify({ key: 'probe', value: 'still here' }),
      headers: { Authorization: `Bearer ${daemon.ownerKey}`, 'Content-Type': 'application/json' },
    });
    try {
      other.exec('BEGIN');
      other.prepare('SELECT count(*) FROM memories').get();
      await daemon.call(deleteMemory, { body: { key: 'secret' } });
      // The event shows for a minute, and is swept within half of one.
      await pause(100_000);
    } finally {
      other.close();
    }
    section.figure('longest wait', `${Math.round(await probe.stop())} ms`);
    const isGone = await eventually(
      () => (wordsBelow(daemon.home.folder, new Set([word])).length === 0 ? true : undefined),
      { withinMs: 60_000, everyMs: 2000 },
    );
    if (!isGone) {
      const files = new Set(wordsBelow(daemon.home.folder, new Set([word])).map(({ file }) => file));
      section.found(
        'readable',
        `a deleted value stands in ${[...files].join(', ')} a minute after the reader is gone`,
      );
    }
  },
};
