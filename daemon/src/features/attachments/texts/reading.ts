import fs from 'node:fs';
import { type Backlog, createBacklog } from '../../../db/backlog.ts';
import type { Store } from '../../../db/open-store.ts';
import type { Stop } from '../../../platform/clock.ts';
import type { HashedFiles } from '../../../platform/home/hashed-files.ts';
import type { Log } from '../../../platform/log.ts';
import type { PdfReader, ReadText } from './pdf-reader.ts';
import {
  accountsToClean,
  accountsToIndex,
  indexPiece,
  keepText,
  nextUnread,
  removePiece,
} from './texts.store.ts';

/** Reads PDFs that were stored, and keeps what they say. */
export interface TextReading {
  /** There may be some that were not read. */
  wake(): void;
  /** Told that texts of an account were taken away. */
  released: Backlog['left'];
  start(): Stop;
}

/** UTF-16 units of a piece at most: so much is indexed in one go, and read for a query. */
const PIECE = 2_000;

/**
 * Makes the reading of PDFs, one after the other, behind whatever stored them. What is not read stands in the database, so that an end in
 * the midst loses nothing but that one reading.
 */
export function createTextReading({
  store,
  files,
  log,
  reader,
}: {
  store: Store;
  files: HashedFiles;
  log: Log;
  reader: PdfReader;
}): TextReading {
  const words = createBacklog({ store, log }, { accounts: accountsToIndex, piece: indexPiece });
  const removal = createBacklog(
    { store, log },
    {
      accounts: accountsToClean,
      piece(db, account) {
        const isMore = removePiece(db, account);
        // What was taken out stands in the write-ahead log yet.
        if (!isMore) db.afterCommit(() => store.checkpoint());
        return isMore;
      },
    },
  );
  /** Files that are not there: they are looked for again after the next start. */
  const passedOver = new Set<string>();
  let state: 'resting' | 'working' | 'stopped' = 'resting';
  const isStopped = () => state === 'stopped';

  async function work(): Promise<void> {
    state = 'working';
    for (let next = unread(); next; next = unread()) {
      const { account, hash } = next;
      const text = await reader.read(files.fileOf(hash));
      if (isStopped()) return;
      const kept = inPieces(text);
      store.write((db) => keepText(db, { account, hash }, kept));
      words.left(account);
    }
    state = 'resting';
    reader.rest();
  }

  function unread() {
    for (;;) {
      const next = store.read((db) => nextUnread(db, [...passedOver]));
      if (!next || fs.existsSync(files.fileOf(next.hash))) return next;
      passedOver.add(next.hash);
    }
  }

  function wake(): void {
    if (state !== 'resting') return;
    work().catch((err: unknown) => {
      if (isStopped()) return;
      state = 'resting';
      log.warn({ err }, 'the text of a PDF could not be kept; it is tried again with the next one');
    });
  }

  return {
    wake,
    released: removal.left,
    start() {
      words.start();
      removal.start();
      wake();
      return () => {
        state = 'stopped';
        words.stop();
        removal.stop();
        reader.rest();
      };
    },
  };
}

/** A text as it is kept: its pages cut between words. */
function inPieces({ pages, left_out }: ReadText) {
  const pieces = pages.flatMap(({ page, text }) => cut(text).map((body) => ({ page, body })));
  const characters = pages.reduce((sum, { text }) => sum + text.length, 0);
  return { pages: pages.length, characters, left_out, pieces };
}

function cut(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const border = text.length - from <= PIECE ? -1 : text.slice(from, from + PIECE).search(/\s\S*$/u);
    const to = border > PIECE / 2 ? from + border : from + PIECE;
    pieces.push(text.slice(from, to).toWellFormed());
    from = to;
  }
  return pieces;
}
