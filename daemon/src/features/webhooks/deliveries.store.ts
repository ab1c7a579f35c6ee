import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Delivery, DeliveryAttempt } from '@reverie/shared/contract/events/deliveries';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import type { DeliveryState } from './delivery-state.ts';

/** A row of the queue and the delivery log. Times in milliseconds since 1970, UTC. */
export interface DeliveryRow {
  id: string;
  account: AccountId;
  webhook_id: string;
  event_id: string;
  seq: number | null;
  type: string;
  namespace: string;
  status: Delivery['status'];
  is_test: 0 | 1;
  attempts: number;
  tries: number;
  next_at: number | null;
  created_at: number;
  ended_at: number | null;
  last_status: number | null;
  last_error: string | null;
}

export interface AttemptRow {
  number: number;
  started_at: number;
  latency_ms: number;
  status: number | null;
  response: string | null;
  error: string | null;
}

const COLUMNS = `id, account, webhook_id, event_id, seq, type, namespace, status, is_test, attempts, tries, next_at,
  created_at, ended_at, last_status, last_error`;

export function stateOf(row: DeliveryRow): DeliveryState {
  const { tries } = row;
  return row.status === 'pending'
    ? { kind: 'pending', tries, dueAt: row.next_at ?? 0 }
    : { kind: row.status, tries, endedAt: row.ended_at ?? row.created_at };
}

/** The row with a new state. */
export function withState(row: DeliveryRow, state: DeliveryState): DeliveryRow {
  return {
    ...row,
    status: state.kind,
    tries: state.tries,
    next_at: state.kind === 'pending' ? state.dueAt : null,
    ended_at: state.kind === 'pending' ? null : state.endedAt,
  };
}

export function insertDelivery(db: WriteDb, row: DeliveryRow): void {
  db.prepare<[DeliveryRow]>(
    `INSERT INTO deliveries (${COLUMNS}) VALUES (@id, @account, @webhook_id, @event_id, @seq, @type, @namespace,
       @status, @is_test, @attempts, @tries, @next_at, @created_at, @ended_at, @last_status, @last_error)`,
  ).run(row);
}

export function saveDelivery(db: WriteDb, row: DeliveryRow): void {
  db.prepare<[DeliveryRow]>(
    `UPDATE deliveries SET status = @status, attempts = @attempts, tries = @tries, next_at = @next_at,
       ended_at = @ended_at, last_status = @last_status, last_error = @last_error
     WHERE id = @id AND account = @account`,
  ).run(row);
}

export function insertAttempt(
  db: WriteDb,
  { account, id }: Pick<DeliveryRow, 'account' | 'id'>,
  attempt: AttemptRow,
): void {
  db.prepare<unknown[]>(
    `INSERT INTO delivery_attempts (account, delivery_id, number, started_at, latency_ms, status, response, error)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    account,
    id,
    attempt.number,
    attempt.started_at,
    attempt.latency_ms,
    attempt.status,
    attempt.response,
    attempt.error,
  );
}

export function attemptsOf(db: ReadDb, account: AccountId, id: string): AttemptRow[] {
  return db
    .prepare<[number, string], AttemptRow>(
      `SELECT number, started_at, latency_ms, status, response, error FROM delivery_attempts
       WHERE account = ? AND delivery_id = ? ORDER BY number`,
    )
    .all(account, id);
}

export function findDelivery(db: ReadDb, account: AccountId, id: string): DeliveryRow | undefined {
  return db
    .prepare<[number, string], DeliveryRow>(`SELECT ${COLUMNS} FROM deliveries WHERE account = ? AND id = ?`)
    .get(account, id);
}

/** First attempts of a webhook in the order of `seq`. */
export function firstAttempts(db: ReadDb, webhookId: string, limit: number): DeliveryRow[] {
  return db
    .prepare<[string, number], DeliveryRow>(
      `SELECT ${COLUMNS} FROM deliveries
       WHERE webhook_id = ? AND status = 'pending' AND next_at = 0 ORDER BY seq LIMIT ?`,
    )
    .all(webhookId, limit);
}

/** Retries of a webhook that are due, the one that is due longest first. */
export function dueRetries(
  db: ReadDb,
  webhookId: string,
  { now, limit }: { now: number; limit: number },
): DeliveryRow[] {
  return db
    .prepare<[string, number, number], DeliveryRow>(
      `SELECT ${COLUMNS} FROM deliveries
       WHERE webhook_id = ? AND status = 'pending' AND next_at > 0 AND next_at <= ? ORDER BY next_at, seq LIMIT ?`,
    )
    .all(webhookId, now, limit);
}

/** The oldest event that a webhook still has to get, whether it is due or not. */
export function oldestPending(db: ReadDb, webhookId: string): DeliveryRow | undefined {
  return db
    .prepare<[string], DeliveryRow>(
      `SELECT ${COLUMNS} FROM deliveries WHERE webhook_id = ? AND status = 'pending' ORDER BY seq LIMIT 1`,
    )
    .get(webhookId);
}

/** When the next retry of a webhook that is not due yet will be due (ms since 1970); undefined where none waits. */
export function nextRetryAt(db: ReadDb, webhookId: string, now: number): number | undefined {
  return db
    .prepare<[string, number], { next_at: number }>(
      `SELECT next_at FROM deliveries
       WHERE webhook_id = ? AND status = 'pending' AND next_at > ? ORDER BY next_at LIMIT 1`,
    )
    .get(webhookId, now)?.next_at;
}

export function countDeliveries(
  db: ReadDb,
  { account, id }: { account: AccountId; id: string },
): { pending: number; dead: number } {
  const count = (where: string) =>
    db
      .prepare<[number, string], { n: number }>(
        `SELECT count(*) AS n FROM deliveries WHERE account = ? AND webhook_id = ? AND ${where}`,
      )
      .get(account, id)?.n ?? 0;
  return { pending: count("status = 'pending'"), dead: count("status = 'dead' AND is_test = 0") };
}

export interface DeliveryFilter {
  account: AccountId;
  webhook_id: string | null;
  status: Delivery['status'] | null;
  /** An exact kind. */
  type: string | null;
  family: string | null;
  /** Ids from this one on. */
  from: string | null;
  /** Ids before this one. */
  before: string | null;
  test: 0 | 1 | null;
  limit: number;
}

/** Deliveries, newest first. */
export function deliveriesOf(db: ReadDb, filter: DeliveryFilter): DeliveryRow[] {
  // Only what is asked for stands in the text, so that the index that fits best is taken.
  const asked = [
    filter.webhook_id !== null && 'webhook_id = @webhook_id',
    filter.status !== null && 'status = @status',
    filter.type !== null && 'type = @type',
    filter.family !== null && "type LIKE @family || '.%'",
    filter.from !== null && 'id >= @from',
    filter.before !== null && 'id < @before',
    filter.test !== null && 'is_test = @test',
  ].filter((one) => one !== false);
  return db
    .prepare<[DeliveryFilter], DeliveryRow>(
      `SELECT ${COLUMNS} FROM deliveries WHERE ${['account = @account', ...asked].join(' AND ')}
       ORDER BY id DESC LIMIT @limit`,
    )
    .all(filter);
}

/** Cancels what a deleted webhook still had to deliver, at most `limit` a call; answers how many. */
export function cancelPending(
  db: WriteDb,
  webhookId: string,
  { now, limit }: { now: number; limit: number },
): number {
  return db
    .prepare<unknown[]>(
      `UPDATE deliveries SET status = 'cancelled', next_at = NULL, ended_at = ? WHERE id IN
         (SELECT id FROM deliveries WHERE webhook_id = ? AND status = 'pending' LIMIT ?)`,
    )
    .run(now, webhookId, limit).changes;
}

/** Webhooks that were deleted while they still had something to deliver. */
export function orphans(db: ReadDb): string[] {
  return db
    .prepare<[], { webhook_id: string }>(
      `SELECT DISTINCT webhook_id FROM deliveries
       WHERE status = 'pending' AND webhook_id NOT IN (SELECT id FROM webhooks)`,
    )
    .all()
    .map(({ webhook_id }) => webhook_id);
}

/** Whether an event still has deliveries to come. */
export function isAwaited(db: ReadDb, account: AccountId, seq: number): boolean {
  return (
    db
      .prepare<[number, number], { is: 1 }>(
        "SELECT 1 AS 'is' FROM deliveries WHERE account = ? AND seq = ? AND status = 'pending' LIMIT 1",
      )
      .get(account, seq) !== undefined
  );
}

export function hasDeliveries(db: ReadDb, account: AccountId): boolean {
  return (
    db
      .prepare<[number], { is: 1 }>("SELECT 1 AS 'is' FROM deliveries WHERE account = ? LIMIT 1")
      .get(account) !== undefined
  );
}

/** Takes out what receivers answered to an event, for it may repeat what the event said. */
export function forgetResponses(db: WriteDb, account: AccountId, seq: number): void {
  db.prepare<unknown[]>(
    `UPDATE delivery_attempts SET response = NULL WHERE response IS NOT NULL AND delivery_id IN
       (SELECT id FROM deliveries WHERE account = ? AND seq = ?)`,
  ).run(account, seq);
}

/** Drops the oldest deliveries that ended before a time, at most 1,000 a call; answers how many. */
export function dropDeliveriesBefore(db: WriteDb, before: number): number {
  return db
    .prepare<unknown[]>(
      'DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE ended_at < ? ORDER BY ended_at LIMIT 1000)',
    )
    .run(before).changes;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    seq: row.seq,
    event: row.type,
    namespace: row.namespace,
    status: row.status,
    test: row.is_test === 1,
    attempts: row.attempts,
    next_attempt_at: row.next_at === null ? null : iso(row.next_at === 0 ? row.created_at : row.next_at),
    last_status: row.last_status,
    last_error: row.last_error,
    created_at: iso(row.created_at),
    ended_at: row.ended_at === null ? null : iso(row.ended_at),
  };
}

export function toAttempt({ started_at, ...rest }: AttemptRow): DeliveryAttempt {
  return { ...rest, started_at: iso(started_at) };
}
