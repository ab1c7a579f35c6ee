import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import { textIndexes } from '../../../db/text-indexes.store.ts';
import { indexedAbroad } from '../../../language/abroad/in-english.ts';
import { indexedText } from '../../../language/indexed-text.ts';
import type { TextLeftOut } from './messages.ts';

/** The text indexes of files. */
export const fileTexts = textIndexes('file_text');

/** A file of an account by its hash. */
export interface FileOfAccount {
  account: AccountId;
  hash: string;
}

/** How much of a file's text is there, and why not all of it. */
export interface TextOfFile {
  pages: number;
  characters: number;
  left_out: TextLeftOut | null;
}

/** A PDF that was not read yet, but for those that are named by their hashes. */
export function nextUnread(db: ReadDb, except: readonly string[]): FileOfAccount | undefined {
  return db
    .prepare<[string], FileOfAccount>(
      `SELECT a.account, a.hash FROM attachments a WHERE a.type = 'application/pdf'
         AND NOT EXISTS (SELECT 1 FROM file_texts t WHERE t.account = a.account AND t.hash = a.hash)
         AND a.hash NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
    )
    .get(JSON.stringify(except));
}

/** Whether an account still names a file. */
function isNamedBy(db: ReadDb, { account, hash }: FileOfAccount): boolean {
  return (
    db
      .prepare<[number, string], object>(
        "SELECT 1 FROM attachments WHERE type = 'application/pdf' AND account = ? AND hash = ?",
      )
      .get(account, hash) !== undefined
  );
}

/** Keeps what a file says, in pieces that are still to be indexed; nothing where its account does not name it any more. */
export function keepText(
  db: WriteDb,
  file: FileOfAccount,
  { pieces, ...text }: TextOfFile & { pieces: readonly { page: number; body: string }[] },
): void {
  if (!isNamedBy(db, file)) return;
  const { account, hash } = file;
  const { lastInsertRowid } = db
    .prepare<unknown[]>(
      'INSERT INTO file_texts (account, hash, pages, characters, left_out) VALUES (?, ?, ?, ?, ?)',
    )
    .run(account, hash, text.pages, text.characters, text.left_out);
  const add = db.prepare<unknown[]>(
    'INSERT INTO file_pieces (account, text, page, body, indexed) VALUES (?, ?, ?, ?, 0)',
  );
  for (const { page, body } of pieces) add.run(account, lastInsertRowid, page, body);
}

/** How much of a file's text an account has; undefined where it was not read. */
export function textOf(db: ReadDb, { account, hash }: FileOfAccount): TextOfFile | undefined {
  return db
    .prepare<[number, string], TextOfFile>(
      'SELECT pages, characters, left_out FROM file_texts WHERE account = ? AND hash = ?',
    )
    .get(account, hash);
}

/** Puts one piece into the text index; false where an account has none that waits. */
export function indexPiece(db: WriteDb, account: AccountId): boolean {
  const piece = db
    .prepare<[number], { n: number; body: string }>(
      'SELECT n, body FROM file_pieces WHERE account = ? AND indexed = 0 ORDER BY n LIMIT 1',
    )
    .get(account);
  if (!piece) return false;
  const { n, body } = piece;
  fileTexts.ensure(db, account);
  if (body !== '') fileTexts.put(db, account, { n, body: `${indexedText(body)}\n${indexedAbroad(body)}` });
  db.prepare<[number]>('UPDATE file_pieces SET indexed = 1 WHERE n = ?').run(n);
  return true;
}

/** The accounts of which pieces wait for that. */
export function accountsToIndex(db: ReadDb): AccountId[] {
  return db
    .prepare<[], AccountId>('SELECT DISTINCT account FROM file_pieces WHERE indexed = 0')
    .pluck()
    .all();
}

/** Takes away what a file says from those accounts that do not name it any more; answers which those are. */
export function releaseTexts(db: WriteDb, hash: string): AccountId[] {
  const accounts = db
    .prepare<[string], { n: number; account: AccountId }>('SELECT n, account FROM file_texts WHERE hash = ?')
    .all(hash)
    .filter(({ account }) => !isNamedBy(db, { account, hash }));
  for (const { n, account } of accounts) {
    db.prepare<[number, number]>(
      "UPDATE file_pieces SET text = NULL, body = '' WHERE account = ? AND text = ?",
    ).run(account, n);
    db.prepare<[number]>('DELETE FROM file_texts WHERE n = ?').run(n);
  }
  return accounts.map(({ account }) => account);
}

/** Takes the words of one piece that is gone out of the text index; false where an account has none. */
export function removePiece(db: WriteDb, account: AccountId): boolean {
  const n = db
    .prepare<[number], number>('SELECT n FROM file_pieces WHERE account = ? AND text IS NULL LIMIT 1')
    .pluck()
    .get(account);
  if (n === undefined) return false;
  fileTexts.remove(db, account, n);
  db.prepare<[number]>('DELETE FROM file_pieces WHERE n = ?').run(n);
  // As `deleteStaleWords` of memories: what it takes is to count in this turn.
  db.exec('SAVEPOINT removed; RELEASE removed');
  return true;
}

/** The accounts of which pieces are gone. */
export function accountsToClean(db: ReadDb): AccountId[] {
  return db
    .prepare<[], AccountId>('SELECT DISTINCT account FROM file_pieces WHERE text IS NULL')
    .pluck()
    .all();
}

/** A piece that has words of a query. */
export interface PieceHit {
  n: number;
  hash: string;
  page: number;
  /** BM25 as FTS5 gives it: the smaller, the better. */
  rank: number;
}

/** Pieces of an account with words of a query, best first. */
export function matchPieces(
  db: ReadDb,
  account: AccountId,
  { match, limit }: { match: string; limit: number },
): PieceHit[] {
  if (!fileTexts.has(db, account)) return [];
  return db
    .prepare<[string, number, number], PieceHit>(
      `SELECT p.n, t.hash, p.page, f.rank FROM ${fileTexts.tableOf(account)} f
       JOIN file_pieces p ON p.n = f.rowid JOIN file_texts t ON t.n = p.text
       WHERE f.body MATCH ? AND p.account = ? ORDER BY f.rank LIMIT ?`,
    )
    .all(match, account, limit);
}

/** What a piece says; undefined where it is gone. */
export function bodyOf(db: ReadDb, n: number): string | undefined {
  return db.prepare<[number], string>('SELECT body FROM file_pieces WHERE n = ?').pluck().get(n);
}
