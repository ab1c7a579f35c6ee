import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import { foldName, lastPart, type Leading } from '../../language/notes/note-names.ts';
import type { AttachmentType } from '@reverie/memory-formats/notes/attachment-kinds';

/** A file of a namespace: `path` is relative to the folder out of which it came, `hash` the SHA-256 of its bytes. */
export interface AttachmentRow {
  path: string;
  hash: string;
  size: number;
  type: AttachmentType;
  /** The real path of that folder. */
  source: string;
  /** How the file looked there when it was read. */
  stamp: string;
}

/** The source of files that came from other devices: no folder of this one. */
export const FROM_DEVICES = '';

export interface NamespaceAt {
  account: AccountId;
  namespace: string;
}

const COLUMNS = 'path, hash, size, type, source, stamp';

/** The attachments of a namespace behind a path, in the order of their paths. */
export function listAttachments(
  db: ReadDb,
  { account, namespace }: NamespaceAt,
  { after = '', limit = -1 }: { after?: string | undefined; limit?: number } = {},
): AttachmentRow[] {
  return db
    .prepare<[number, string, string, number], AttachmentRow>(
      `SELECT ${COLUMNS} FROM attachments WHERE account = ? AND namespace = ? AND path > ? ORDER BY path LIMIT ?`,
    )
    .all(account, namespace, after, limit);
}

/** The attachments of a namespace whose file is called so, folded. */
export function attachmentsNamed(
  db: ReadDb,
  { account, namespace }: NamespaceAt,
  name: string,
): AttachmentRow[] {
  return db
    .prepare<[number, string, string], AttachmentRow>(
      `SELECT ${COLUMNS} FROM attachments WHERE account = ? AND namespace = ? AND name = ? LIMIT 2000`,
    )
    .all(account, namespace, name);
}

/** The attachment of a namespace at a path. */
export function attachmentAt(
  db: ReadDb,
  { account, namespace }: NamespaceAt,
  path: string,
): AttachmentRow | undefined {
  return db
    .prepare<[number, string, string], AttachmentRow>(
      `SELECT ${COLUMNS} FROM attachments WHERE account = ? AND namespace = ? AND path = ?`,
    )
    .get(account, namespace, path);
}

/** One attachment of a namespace that has a hash. */
export function findAttachment(
  db: ReadDb,
  { account, namespace }: NamespaceAt,
  hash: string,
): AttachmentRow | undefined {
  return db
    .prepare<[string, number, string], AttachmentRow>(
      `SELECT ${COLUMNS} FROM attachments WHERE hash = ? AND account = ? AND namespace = ? ORDER BY path LIMIT 1`,
    )
    .get(hash, account, namespace);
}

export function saveAttachment(db: WriteDb, { account, namespace }: NamespaceAt, row: AttachmentRow): void {
  const { path, hash, size, type, source, stamp } = row;
  db.prepare<unknown[]>(
    `INSERT INTO attachments (account, namespace, path, name, hash, size, type, source, stamp)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account, namespace, path) DO UPDATE SET name = excluded.name, hash = excluded.hash, size = excluded.size,
       type = excluded.type, source = excluded.source, stamp = excluded.stamp`,
  ).run(account, namespace, path, lastPart(foldName(path)), hash, size, type, source, stamp);
}

export function deleteAttachment(db: WriteDb, { account, namespace }: NamespaceAt, path: string): void {
  db.prepare<[number, string, string]>(
    'DELETE FROM attachments WHERE account = ? AND namespace = ? AND path = ?',
  ).run(account, namespace, path);
}

export function deleteAttachmentsOf(db: WriteDb, { account, namespace }: NamespaceAt): void {
  db.prepare<[number, string]>('DELETE FROM attachments WHERE account = ? AND namespace = ?').run(
    account,
    namespace,
  );
}

/** Takes away what is of namespaces that have no memory any more, not in the trash either. */
export function deleteAbandoned(db: WriteDb): void {
  db.prepare<[]>(
    `DELETE FROM attachments WHERE (account, namespace) IN (
       SELECT DISTINCT a.account, a.namespace FROM attachments a
       WHERE NOT EXISTS (SELECT 1 FROM namespaces n WHERE n.account = a.account AND n.name = a.namespace)
         AND NOT EXISTS (SELECT 1 FROM memory_trash t WHERE t.account = a.account AND t.namespace = a.namespace))`,
  ).run();
}

/** Bytes that the files of an account take, each file once. */
export function bytesOfAccount(db: ReadDb, account: AccountId): number {
  return (
    db
      .prepare<[number], { bytes: number | null }>(
        'SELECT sum(size) AS bytes FROM (SELECT DISTINCT hash, size FROM attachments WHERE account = ?)',
      )
      .get(account)?.bytes ?? 0
  );
}

/** What the notes of a namespace name that may be a file: links whose name has an ending, with the path of the note's own file. */
export function linksToFiles(
  db: ReadDb,
  { account, namespace }: NamespaceAt,
): (Leading & { from: string })[] {
  return db
    .prepare<[number, number, string], Leading & { from: string }>(
      `SELECT DISTINCT l.form, l.target, l.part, coalesce(m.metadata ->> '$.imported.path', m.key) AS "from"
       FROM note_links l CROSS JOIN memories m ON m.id = l.memory_id
       WHERE l.account = ? AND l.namespace_id = (SELECT id FROM namespaces WHERE account = ? AND name = ?)
         AND instr(l.name, '.') > 0`,
    )
    .all(account, account, namespace);
}

/** A link to what may be a file, by the path of the note's own file and its place among the links of that name. */
export interface PlacedLink extends Leading {
  from: string;
  memory: number;
  position: number;
}

/** Links of a namespace by one name, folded, behind one of them: so many at most that others are not kept waiting. */
export function linksBehind(
  db: ReadDb,
  { account, namespace }: NamespaceAt,
  { name, memory, position, limit }: { name: string; memory: number; position: number; limit: number },
): PlacedLink[] {
  return db
    .prepare<unknown[], PlacedLink>(
      `SELECT l.memory_id AS memory, l.position, l.form, l.target, l.part, coalesce(m.metadata ->> '$.imported.path', m.key) AS "from"
       FROM note_links l CROSS JOIN memories m ON m.id = l.memory_id
       WHERE l.account = ? AND l.namespace_id = (SELECT id FROM namespaces WHERE account = ? AND name = ?)
         AND l.name = ? AND (l.memory_id, l.position) > (?, ?) ORDER BY l.memory_id, l.position LIMIT ?`,
    )
    .all(account, account, namespace, name, memory, position, limit);
}

/** A number that grows with whatever happens to the memories of an account, and so to their links. */
export function changesOf(db: ReadDb, account: AccountId): number {
  return (
    db
      .prepare<[number], { seq: number | null }>('SELECT max(seq) AS seq FROM events WHERE account = ?')
      .get(account)?.seq ?? 0
  );
}

/** What one note names that may be a file, as it is written; undefined where there is no such note. */
export function linksToFilesOf(
  db: ReadDb,
  { account, namespace }: NamespaceAt,
  key: string,
): { from: string; links: Leading[] } | undefined {
  const note = db
    .prepare<[number, number, string, string], { id: number; from: string }>(
      `SELECT id, coalesce(metadata ->> '$.imported.path', key) AS "from" FROM memories WHERE account = ?
         AND namespace_id = (SELECT id FROM namespaces WHERE account = ? AND name = ?) AND key = ?`,
    )
    .get(account, account, namespace, key);
  if (!note) return undefined;
  const links = db
    .prepare<[number, number], Leading>(
      `SELECT form, target, part FROM note_links WHERE memory_id = ? AND account = ? AND instr(name, '.') > 0
       ORDER BY position LIMIT 1000`,
    )
    .all(note.id, account);
  return { from: note.from, links };
}

/** Where a file of an account is, by the names of the namespaces and the paths. */
export function placesOf(
  db: ReadDb,
  account: AccountId,
  hash: string,
): { namespace: string; path: string; name: string }[] {
  return db
    .prepare<[string, number], { namespace: string; path: string; name: string }>(
      'SELECT namespace, path, name FROM attachments WHERE hash = ? AND account = ? ORDER BY namespace, path',
    )
    .all(hash, account);
}

/** A link of a memory, with the path of the note's own file. */
interface NamingLink extends Leading {
  id: number;
  key: string;
  from: string;
}

/** Links of a namespace that are looked at by one name. */
const MOST_LINKS = 500;

/** The links of a namespace to what is called so, folded, by the keys of their memories. */
export function linksByName(db: ReadDb, { account, namespace }: NamespaceAt, name: string): NamingLink[] {
  return db
    .prepare<[number, number, string, string, number], NamingLink>(
      `SELECT m.id, m.key, l.form, l.target, l.part, coalesce(m.metadata ->> '$.imported.path', m.key) AS "from"
       FROM note_links l JOIN memories m ON m.id = l.memory_id AND m.hidden IS NULL
       WHERE l.account = ? AND l.namespace_id = (SELECT id FROM namespaces WHERE account = ? AND name = ?)
         AND l.name = ? ORDER BY m.key, l.position LIMIT ?`,
    )
    .all(account, account, namespace, name, MOST_LINKS);
}

/** Hashes whose rows were taken away since they were looked at last. */
export function freedHashes(db: ReadDb): string[] {
  return db
    .prepare<[], { hash: string }>('SELECT hash FROM freed_files LIMIT 500')
    .all()
    .map(({ hash }) => hash);
}

export function forgetFreed(db: WriteDb, hash: string): void {
  db.prepare<[string]>('DELETE FROM freed_files WHERE hash = ?').run(hash);
}

/** Whether any account names a file. */
export function isNamed(db: ReadDb, hash: string): boolean {
  return db.prepare<[string], object>('SELECT 1 FROM attachments WHERE hash = ?').get(hash) !== undefined;
}
