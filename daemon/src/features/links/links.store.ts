import type { AccountId } from '@reverie/shared/accounts/caller';
import { objectIn } from '../../db/json-column.ts';
import type { Within } from '../../db/note-names.store.ts';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import { type NoteLink, noteLinks } from '../../language/notes/note-links.ts';
import { foldName, lastPart, type NameKind, namesOfNote } from '../../language/notes/note-names.ts';

/** Different links of one note that are kept: to write ten thousand takes 60 ms of the processor, in which nobody else has a turn. */
const MOST_LINKS = 5000;
/** Links by one name that are looked at. */
const MOST_NAMING = 5_000;

/** Keeps the names and the links that a memory has now in the place of those that it had. */
export function keepLinks(db: WriteDb, memoryId: number): void {
  withdrawLinks(db, memoryId);
  const row = db
    .prepare<[number], Within & { key: string; value: string; metadata: string }>(
      `SELECT account, namespace_id AS namespaceId, key, value, metadata FROM memories WHERE id = ?`,
    )
    .get(memoryId);
  if (!row) return;
  const { account, namespaceId, key, value } = row;
  const addName = db.prepare<unknown[]>(
    'INSERT INTO note_names (account, namespace_id, name, memory_id, kind) VALUES (?, ?, ?, ?, ?)',
  );
  for (const [name, kind] of namesOfNote({ key, value, metadata: objectIn(row.metadata) }))
    addName.run(account, namespaceId, name, memoryId, kind);
  const addLink = db.prepare<unknown[]>(
    `INSERT INTO note_links (account, namespace_id, memory_id, position, name, form, target, part, text, "start", "end")
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [position, link] of differentLinks(value).entries())
    addLink.run(
      account,
      namespaceId,
      memoryId,
      position,
      lastPart(foldName(link.target)),
      link.form,
      link.target,
      link.part,
      link.text,
      link.start,
      link.end,
    );
}

/** The links of a text to other notes, each that says the same once. */
function differentLinks(text: string): NoteLink[] {
  const links = new Map<string, NoteLink>();
  for (const link of noteLinks(text)) {
    if (links.size === MOST_LINKS) break;
    const said = JSON.stringify([link.form, link.target, link.part]);
    if (link.target !== '' && !links.has(said)) links.set(said, link);
  }
  return [...links.values()];
}

/** Withdraws the names and the links of a memory. */
export function withdrawLinks(db: WriteDb, memoryId: number): void {
  db.prepare<[number]>('DELETE FROM note_names WHERE memory_id = ?').run(memoryId);
  db.prepare<[number]>('DELETE FROM note_links WHERE memory_id = ?').run(memoryId);
}

/** A link as it is kept, with the memory that has it. */
export interface KeptLink extends Pick<NoteLink, 'form' | 'target' | 'part' | 'text' | 'start' | 'end'> {
  readonly memoryId: number;
  /** Of the memory that has it. */
  readonly key: string;
}

const LINK =
  'l.memory_id AS memoryId, m.key, l.form, l.target, l.part, l.text, l."start" AS "start", l."end" AS "end"';

/** The links that a memory has, in the order of its text. */
export function linksFrom(
  db: ReadDb,
  account: AccountId,
  { memoryId, limit }: { memoryId: number; limit: number },
): KeptLink[] {
  return db
    .prepare<[number, number, number], KeptLink>(
      `SELECT ${LINK} FROM note_links l CROSS JOIN memories m ON m.id = l.memory_id
       WHERE l.memory_id = ? AND l.account = ? ORDER BY l.position LIMIT ?`,
    )
    .all(memoryId, account, limit);
}

/** Links of other memories that may lead to a memory, for they end with a name of it; by memory, the newest first. */
export function linksNaming(db: ReadDb, { account, namespaceId }: Within, memoryId: number): KeptLink[] {
  const names = new Set(
    namesOf(db, account, memoryId).flatMap(({ name }) => [lastPart(name), beforePart(name)]),
  );
  return db
    .prepare<[object], KeptLink>(
      `SELECT ${LINK} FROM json_each(@names) w CROSS JOIN note_links l ON l.account = @account
         AND l.namespace_id = @namespaceId AND l.name = w.value CROSS JOIN memories m ON m.id = l.memory_id
       WHERE l.memory_id <> @memoryId ORDER BY l.memory_id DESC, l.position LIMIT ${MOST_NAMING}`,
    )
    .all({ names: JSON.stringify([...names]), account, namespaceId, memoryId });
}

/** A key may have the sign with which a link names a part of a note. */
function beforePart(name: string): string {
  return lastPart(name.split(/[#^]/u, 1).join(''));
}

/** The names to which a memory answers, folded. */
export function namesOf(
  db: ReadDb,
  account: AccountId,
  memoryId: number,
): { name: string; kind: NameKind }[] {
  return db
    .prepare<[number, number], { name: string; kind: NameKind }>(
      'SELECT name, kind FROM note_names WHERE memory_id = ? AND account = ?',
    )
    .all(memoryId, account);
}

/** A memory, and its namespace, by its address; hidden ones, too. */
export function findLinked(
  db: ReadDb,
  { account, namespace, key }: { account: AccountId; namespace: string; key: string },
): (Within & { id: number; key: string }) | undefined {
  const row = db
    .prepare<[number, number, string, string], { id: number; namespaceId: number }>(
      `SELECT id, namespace_id AS namespaceId FROM memories WHERE account = ?
         AND namespace_id = (SELECT id FROM namespaces WHERE account = ? AND name = ?) AND key = ?`,
    )
    .get(account, account, namespace, key);
  return row && { ...row, account, key };
}

/** The texts of some memories of a namespace that are not hidden, the newest first. */
export function textsOf(
  db: ReadDb,
  { account, namespaceId }: Within,
  { ids, limit }: { ids: readonly number[]; limit: number },
): { id: number; key: string; value: string }[] {
  return db
    .prepare<[string, number, number, number], { id: number; key: string; value: string }>(
      `SELECT m.id, m.key, m.value FROM json_each(?) wanted CROSS JOIN memories m ON m.id = wanted.value
       WHERE m.account = ? AND m.namespace_id = ? AND m.hidden IS NULL ORDER BY m.id DESC LIMIT ?`,
    )
    .all(JSON.stringify(ids), account, namespaceId, limit);
}
