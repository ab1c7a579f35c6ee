import type { AccountId } from '@reverie/shared/accounts/caller';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { InboxMessage } from '@reverie/shared/contract/events/inbox';
import { objectIn } from '../../db/json-column.ts';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

interface MessageRow {
  id: string;
  namespace: string;
  sender: string;
  kind: string;
  payload: string;
  in_reply_to: string | null;
  created_at: number;
  acked_at: number | null;
}

const COLUMNS = 'id, namespace, sender, kind, payload, in_reply_to, created_at, acked_at';

export interface NewMessage {
  id: string;
  account: AccountId;
  namespace: string;
  from: string;
  kind: string;
  payload: JsonObject;
  in_reply_to: string | null;
  created_at: number;
}

/** Where an inbox is. */
export interface InboxPlace {
  account: AccountId;
  namespace: string;
}

/** Which messages of an inbox are asked for: all but those that `notFrom` sent, or all where it is null. */
export interface SoughtMessages extends InboxPlace {
  notFrom: string | null;
}

export function insertMessage(db: WriteDb, message: NewMessage): void {
  db.prepare<unknown[]>(
    `INSERT INTO inbox_messages (id, account, namespace, sender, kind, payload, in_reply_to, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    message.id,
    message.account,
    message.namespace,
    message.from,
    message.kind,
    JSON.stringify(message.payload),
    message.in_reply_to,
    message.created_at,
  );
}

function toMessage(row: MessageRow): InboxMessage {
  return {
    id: row.id,
    namespace: row.namespace,
    from: row.sender,
    kind: row.kind,
    payload: objectIn(row.payload),
    in_reply_to: row.in_reply_to,
    created_at: new Date(row.created_at).toISOString(),
    acked_at: row.acked_at === null ? null : new Date(row.acked_at).toISOString(),
  };
}

interface Page {
  /** The id that the page before ended with; empty for the first one. */
  after: string;
  limit: number;
}

/** Unread messages, oldest first. */
export function unreadMessages(db: ReadDb, sought: SoughtMessages, page: Page): InboxMessage[] {
  return db
    .prepare<[SoughtMessages & Page], MessageRow>(
      `SELECT ${COLUMNS} FROM inbox_messages
       WHERE account = @account AND namespace = @namespace AND acked_at IS NULL AND id > @after
         AND (@notFrom IS NULL OR sender <> @notFrom) ORDER BY id LIMIT @limit`,
    )
    .all({ ...sought, ...page })
    .map(toMessage);
}

/** The inboxes of an account that have unread messages, and how many, those with the most first. */
export function unreadByNamespace(
  db: ReadDb,
  of: Omit<SoughtMessages, 'namespace'>,
): { namespace: string; unread: number }[] {
  return db
    .prepare<[typeof of], { namespace: string; unread: number }>(
      `SELECT namespace, count(*) AS unread FROM inbox_messages WHERE account = @account AND acked_at IS NULL
         AND (@notFrom IS NULL OR sender <> @notFrom)
       GROUP BY namespace ORDER BY unread DESC, namespace`,
    )
    .all(of);
}

/** Read messages, newest first. */
export function readMessages(db: ReadDb, sought: SoughtMessages, page: Page): InboxMessage[] {
  return db
    .prepare<[SoughtMessages & Page], MessageRow>(
      `SELECT ${COLUMNS} FROM inbox_messages
       WHERE account = @account AND namespace = @namespace AND acked_at IS NOT NULL
         AND (@after = '' OR id < @after) AND (@notFrom IS NULL OR sender <> @notFrom)
       ORDER BY id DESC LIMIT @limit`,
    )
    .all({ ...sought, ...page })
    .map(toMessage);
}

export function countUnread(db: ReadDb, sought: SoughtMessages): number {
  return (
    db
      .prepare<[SoughtMessages], { n: number }>(
        `SELECT count(*) AS n FROM inbox_messages WHERE account = @account AND namespace = @namespace
         AND acked_at IS NULL AND (@notFrom IS NULL OR sender <> @notFrom)`,
      )
      .get(sought)?.n ?? 0
  );
}

/** Marks a message as read; answers when it was first read (ms since 1970), or undefined where there is no such message. */
export function ackMessageRow(
  db: WriteDb,
  { account, namespace }: InboxPlace,
  { id, now }: { id: string; now: number },
): number | undefined {
  return db
    .prepare<[number, number, string, string], { acked_at: number }>(
      `UPDATE inbox_messages SET acked_at = coalesce(acked_at, ?)
       WHERE account = ? AND namespace = ? AND id = ? RETURNING acked_at`,
    )
    .get(now, account, namespace, id)?.acked_at;
}

/** Drops messages that were read before a time, at most 1,000 a call; answers how many. */
export function dropMessagesBefore(db: WriteDb, before: number): number {
  return db
    .prepare<unknown[]>(
      'DELETE FROM inbox_messages WHERE id IN (SELECT id FROM inbox_messages WHERE acked_at < ? LIMIT 1000)',
    )
    .run(before).changes;
}
