import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed } from '@reverie/shared/contract/route';
import type {
  Delivery,
  DeliveryDetail,
  listDeadLetters,
  listDeliveries,
  replayDeadLetters,
} from '@reverie/shared/contract/events/deliveries';
import { encodeTime } from 'ulid';
import type { ReadDb, Store, WriteDb } from '../../db/open-store.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import {
  attemptsOf,
  deliveriesOf,
  type DeliveryRow,
  dropDeliveriesBefore,
  findDelivery,
  saveDelivery,
  stateOf,
  toAttempt,
  toDelivery,
  withState,
} from './deliveries.store.ts';
import { nextState } from './delivery-state.ts';
import type { EventSource } from './event-source.ts';
import { allowWebhooks, type WebhookDeps } from './webhooks.service.ts';
import { findWebhook } from './webhooks.store.ts';

export interface DeliveryDeps extends Pick<WebhookDeps, 'store' | 'accounts'> {
  events: Pick<EventSource, 'find'>;
}

type DeliveryQuery = Parsed<typeof listDeliveries>['query'];
type DeadLetterQuery = Parsed<typeof listDeadLetters>['query'];
type Replay = Parsed<typeof replayDeadLetters>['body'];

/** The delivery log, newest first, with the cursor of the next page. */
export function pageOfDeliveries(
  deps: DeliveryDeps,
  caller: Caller,
  query: DeliveryQuery,
): { deliveries: Delivery[]; next: string | null } {
  allowWebhooks(deps, caller);
  const { event, since } = query;
  return page(deps, {
    account: caller.account,
    webhook_id: query.webhook_id ?? null,
    status: query.status ?? null,
    type: event === undefined || event.endsWith('*') ? null : event,
    family: event?.endsWith('.*') ? event.slice(0, -2) : null,
    from: since === undefined ? null : firstId(since),
    before: query.cursor ?? null,
    test: null,
    limit: query.limit,
  });
}

export function pageOfDeadLetters(
  deps: DeliveryDeps,
  caller: Caller,
  query: DeadLetterQuery,
): { deliveries: Delivery[]; next: string | null } {
  allowWebhooks(deps, caller);
  return page(deps, deadLetters(caller.account, { ...query, webhook_id: query.webhook_id ?? null }));
}

interface DeadLetterPage {
  webhook_id: string | null;
  since?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

function deadLetters(account: AccountId, { webhook_id, since, cursor, limit }: DeadLetterPage) {
  return {
    account,
    webhook_id,
    status: 'dead' as const,
    type: null,
    family: null,
    from: since === undefined ? null : firstId(since),
    before: cursor ?? null,
    test: 0 as const,
    limit,
  };
}

function page({ store }: Pick<DeliveryDeps, 'store'>, filter: Parameters<typeof deliveriesOf>[1]) {
  const rows = store.read((db) => deliveriesOf(db, filter));
  const next = rows.length === filter.limit ? (rows.at(-1)?.id ?? null) : null;
  return { deliveries: rows.map(toDelivery), next };
}

/** The least id that a delivery made at a time could have: ids begin with their time. */
function firstId(time: string): string {
  return `dlv_${encodeTime(Math.max(0, Date.parse(time)), 10).toLowerCase()}`;
}

export function showDelivery(deps: DeliveryDeps, caller: Caller, id: string): DeliveryDetail {
  allowWebhooks(deps, caller);
  return deps.store.read((db) => detailOf(db, getRow(db, caller.account, id)));
}

export function detailOf(db: ReadDb, row: DeliveryRow): DeliveryDetail {
  return { ...toDelivery(row), log: attemptsOf(db, row.account, row.id).map(toAttempt) };
}

function getRow(db: ReadDb, account: AccountId, id: string): DeliveryRow {
  const row = findDelivery(db, account, id);
  if (!row) throw new Problem('delivery_not_found', `There is no delivery ${JSON.stringify(id)}`);
  return row;
}

/** Puts a delivery that ended back into the queue. */
function replay(db: WriteDb, row: DeliveryRow): DeliveryRow {
  // The policy is of no use to a replay; it begins with its first attempt.
  const again = withState(row, nextState({ minMs: 1, maxMs: 1 }, stateOf(row), { kind: 'replayed' }));
  saveDelivery(db, again);
  return again;
}

/** Why a delivery cannot be done again; undefined where it can. */
function obstacle(db: ReadDb, { events }: DeliveryDeps, row: DeliveryRow): Problem | undefined {
  if (row.is_test === 1) return new Problem('conflict', 'A test is not replayed; send another one');
  if (row.status === 'pending') return new Problem('conflict', 'The delivery is still to be made');
  if (!findWebhook(db, row.account, row.webhook_id))
    return new Problem('webhook_not_found', `The webhook ${row.webhook_id} was deleted`);
  if (row.seq === null || !events.find(db, row.account, row.seq))
    return new Problem('gone', 'The event is older than the event log');
  return undefined;
}

export function replayOne(deps: DeliveryDeps, caller: Caller, id: string): Delivery {
  allowWebhooks(deps, caller);
  return deps.store.write((db) => {
    const row = getRow(db, caller.account, id);
    const problem = obstacle(db, deps, row);
    if (problem) throw problem;
    const again = replay(db, row);
    db.afterCommit(() => deps.accounts.changed(row.account, row.webhook_id));
    return toDelivery(again);
  });
}

const REPLAYED_AT_ONCE = 500;

/** Puts dead letters back into the queue; where no ids are given, page by page, so that other requests are answered in between. */
export async function replayMany(
  deps: DeliveryDeps,
  caller: Caller,
  { ids, since, webhook_id }: Replay,
): Promise<{ replayed: number; skipped: number }> {
  allowWebhooks(deps, caller);
  const { account } = caller;
  const result = { replayed: 0, skipped: 0 };
  const touched = new Set<string>();
  const replayAll = (rows: readonly DeliveryRow[]) =>
    deps.store.write((db) => {
      for (const row of rows) {
        if (obstacle(db, deps, row)) {
          result.skipped += 1;
          continue;
        }
        replay(db, row);
        touched.add(row.webhook_id);
        result.replayed += 1;
      }
    });
  if (ids) {
    const isDead = (row: DeliveryRow) =>
      row.status === 'dead' && (webhook_id === undefined || row.webhook_id === webhook_id);
    const rows = deps.store.read((db) => ids.map((id) => getRow(db, account, id)));
    replayAll(rows.filter(isDead));
    result.skipped += rows.filter((row) => !isDead(row)).length;
  } else {
    let cursor: string | undefined;
    do {
      const filter = deadLetters(account, {
        webhook_id: webhook_id ?? null,
        since,
        cursor,
        limit: REPLAYED_AT_ONCE,
      });
      const rows = deps.store.read((db) => deliveriesOf(db, filter));
      replayAll(rows);
      cursor = rows.length === REPLAYED_AT_ONCE ? rows.at(-1)?.id : undefined;
      await new Promise((resolve) => setImmediate(resolve));
    } while (cursor !== undefined);
  }
  for (const id of touched) deps.accounts.changed(account, id);
  return result;
}

const DAY = 86_400_000;
const CHUNKS_AT_ONCE = 5;

export interface DeliverySweepDeps {
  store: Store;
  clock: Clock;
  log: Log;
  retentionDays: number;
}

/** Drops deliveries that ended longer ago than the retention, with their attempts. */
export function sweepDeliveries({ store, clock, retentionDays }: Omit<DeliverySweepDeps, 'log'>): void {
  for (let chunk = 0; chunk < CHUNKS_AT_ONCE; chunk += 1)
    if (store.write((db) => dropDeliveriesBefore(db, clock.now() - retentionDays * DAY)) === 0) return;
}

export function startDeliverySweep(deps: DeliverySweepDeps): Stop {
  const timer = deps.clock.every(30_000, () => {
    try {
      sweepDeliveries(deps);
    } catch (err) {
      deps.log.warn({ err }, 'old deliveries could not be swept; it is tried again in 30 s');
    }
  });
  return () => timer.stop();
}
