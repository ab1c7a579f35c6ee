import { readMeta, saveMeta } from '../../db/meta.store.ts';
import type { Store, WriteDb } from '../../db/open-store.ts';
import { FOLDING, mayHaveOtherWords } from '../../language/indexed-text.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { entriesBehind } from './entries.store.ts';
import { searchedBody } from './entry.ts';
import { removeText, sessionTexts } from './text.store.ts';

/** Where the database says by which folding all entries were indexed, and, with a colon, up to which one this one has come. */
const FOLDED = 'session_folding';
/** Characters that are read in one step, in UTF-16 units: requests wait for each. */
const STEP = 64 * 1024;
/** Milliseconds between steps. */
const PAUSE = 50;

/** Indexes again, a little at a time, what an older program folded otherwise; until then search finds it by its old words. */
export function startRefolding({ store, clock, log }: { store: Store; clock: Clock; log: Log }): Stop {
  const timer = clock.every(PAUSE, () => {
    try {
      if (!store.write(refoldSome)) timer.stop();
    } catch (err) {
      // A full disk, say: it goes on from there with the next start.
      timer.stop();
      log.warn({ err }, 'sessions could not be indexed again');
    }
  });
  return () => timer.stop();
}

/** Does a little; false where nothing is left. */
function refoldSome(db: WriteDb): boolean {
  const saved = readMeta(db, FOLDED);
  if (saved === String(FOLDING)) return false;
  const [version, done] = saved?.split(':') ?? [];
  const entries = entriesBehind(db, version === String(FOLDING) ? Number(done) : 0, STEP);
  for (const { n, account, kind, text } of entries.filter((entry) => mayHaveOtherWords(entry.text))) {
    const body = searchedBody({ kind, text });
    if (body === '') continue;
    removeText(db, account, n);
    sessionTexts.put(db, account, { n, body });
  }
  const last = entries.at(-1);
  saveMeta(db, FOLDED, last ? `${FOLDING}:${last.n}` : String(FOLDING));
  return last !== undefined;
}
