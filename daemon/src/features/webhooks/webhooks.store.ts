import type { AccountId } from '@reverie/shared/accounts/caller';
import { EventPattern, type Webhook } from '@reverie/shared/contract/events/webhooks';
import { z } from 'zod';
import { valueIn } from '../../db/json-column.ts';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** A registration. Times in milliseconds since 1970, UTC. */
export interface WebhookRow {
  id: string;
  account: AccountId;
  url: string;
  events: EventPattern[];
  /** Never leaves the daemon. */
  secret: string;
  description: string;
  ordered: boolean;
  origins: 'local' | 'all';
  rate_per_s: number;
  allow_loopback: boolean;
  allow_private_network: boolean;
  status: Webhook['status'];
  disabled_reason: Webhook['disabled_reason'];
  disabled_at: number | null;
  failing_since: number | null;
  last_failure_at: number | null;
  last_delivery_at: number | null;
  /** The last event that was looked at. */
  cursor: number;
  created_at: number;
  updated_at: number;
}

type Flags = 'ordered' | 'allow_loopback' | 'allow_private_network';
type StoredRow = Omit<WebhookRow, 'events' | Flags> & { events: string } & Record<Flags, 0 | 1>;

const COLUMNS = `id, account, url, events, secret, description, ordered, origins, rate_per_s, allow_loopback,
  allow_private_network, status, disabled_reason, disabled_at, failing_since, last_failure_at, last_delivery_at,
  cursor, created_at, updated_at`;

const Events = z.array(EventPattern);

function toRow(stored: StoredRow): WebhookRow {
  return {
    ...stored,
    events: valueIn(Events, stored.events),
    ordered: stored.ordered === 1,
    allow_loopback: stored.allow_loopback === 1,
    allow_private_network: stored.allow_private_network === 1,
  };
}

function toStored(row: WebhookRow): StoredRow {
  const flag = (is: boolean) => (is ? 1 : 0);
  return {
    ...row,
    events: JSON.stringify(row.events),
    ordered: flag(row.ordered),
    allow_loopback: flag(row.allow_loopback),
    allow_private_network: flag(row.allow_private_network),
  };
}

export function insertWebhook(db: WriteDb, row: WebhookRow): void {
  db.prepare<[StoredRow]>(
    `INSERT INTO webhooks (${COLUMNS}) VALUES (@id, @account, @url, @events, @secret, @description, @ordered,
       @origins, @rate_per_s, @allow_loopback, @allow_private_network, @status, @disabled_reason, @disabled_at,
       @failing_since, @last_failure_at, @last_delivery_at, @cursor, @created_at, @updated_at)`,
  ).run(toStored(row));
}

export function saveWebhook(db: WriteDb, row: WebhookRow): void {
  db.prepare<[StoredRow]>(
    `UPDATE webhooks SET url = @url, events = @events, secret = @secret, description = @description,
       ordered = @ordered, origins = @origins, rate_per_s = @rate_per_s, allow_loopback = @allow_loopback,
       allow_private_network = @allow_private_network, status = @status, disabled_reason = @disabled_reason,
       disabled_at = @disabled_at, failing_since = @failing_since, last_failure_at = @last_failure_at,
       last_delivery_at = @last_delivery_at, cursor = @cursor, updated_at = @updated_at
     WHERE id = @id AND account = @account`,
  ).run(toStored(row));
}

export function deleteWebhookRow(db: WriteDb, account: AccountId, id: string): boolean {
  return (
    db.prepare<[number, string]>('DELETE FROM webhooks WHERE account = ? AND id = ?').run(account, id)
      .changes > 0
  );
}

export function findWebhook(db: ReadDb, account: AccountId, id: string): WebhookRow | undefined {
  const stored = db
    .prepare<[number, string], StoredRow>(`SELECT ${COLUMNS} FROM webhooks WHERE account = ? AND id = ?`)
    .get(account, id);
  return stored && toRow(stored);
}

/** The webhooks of an account, oldest first. */
export function webhooksOf(db: ReadDb, account: AccountId): WebhookRow[] {
  return db
    .prepare<[number], StoredRow>(`SELECT ${COLUMNS} FROM webhooks WHERE account = ? ORDER BY created_at, id`)
    .all(account)
    .map(toRow);
}

/** The webhooks of all accounts, for the dispatcher. */
export function everyWebhook(db: ReadDb): WebhookRow[] {
  return db.prepare<[], StoredRow>(`SELECT ${COLUMNS} FROM webhooks`).all().map(toRow);
}
