import type { NewEvent } from '../../db/change.ts';
import type { WriteDb } from '../../db/open-store.ts';
import {
  type DeliveryRow,
  findDelivery,
  insertAttempt,
  saveDelivery,
  stateOf,
  withState,
} from './deliveries.store.ts';
import {
  type DeliveryEvent,
  healthAfterFailure,
  isGivenUp,
  nextState,
  type RetryPolicy,
} from './delivery-state.ts';
import type { EventSource } from './event-source.ts';
import type { AttemptOutcome } from './sending/sender.ts';
import type { WebhookRow } from './webhooks.store.ts';

/** An attempt that ended, not yet on disk. */
export interface Finished {
  row: DeliveryRow;
  startedAt: number;
  endedAt: number;
  outcome: Exclude<AttemptOutcome, { kind: 'cut' }> | { kind: 'expired' };
}

export interface SettleDeps {
  policy: RetryPolicy;
  events: Pick<EventSource, 'find'>;
  random: () => number;
}

const GONE = 410;
const EXPIRED = 'The event is no longer in the log';

export function isSuccess(outcome: Finished['outcome']): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
}

/** How the log describes the end of an attempt; null for a success. */
export function errorOf(outcome: Finished['outcome']): string | null {
  if (outcome.kind === 'expired') return EXPIRED;
  if (outcome.kind === 'failed') return outcome.error;
  if (isSuccess(outcome)) return null;
  const isRedirect = outcome.status >= 300 && outcome.status < 400;
  return `The receiver answered ${outcome.status}${isRedirect ? ', and redirects are not followed' : ''}`;
}

function eventOf({ outcome, endedAt }: Finished, random: number): DeliveryEvent {
  if (isSuccess(outcome)) return { kind: 'succeeded', at: endedAt };
  if (outcome.kind === 'expired' || (outcome.kind === 'answered' && outcome.status === GONE))
    return { kind: 'hopeless', at: endedAt };
  const retryAfterMs = outcome.kind === 'answered' ? outcome.retryAfterMs : null;
  return { kind: 'failed', at: endedAt, retryAfterMs, random };
}

/** Writes down an attempt and what becomes of its delivery; answers the webhook as it is then. */
export function settle(
  db: WriteDb,
  { policy, events, random }: SettleDeps,
  { webhook, finished }: { webhook: WebhookRow; finished: Finished },
): WebhookRow {
  const { outcome, startedAt, endedAt } = finished;
  const row = findDelivery(db, finished.row.account, finished.row.id);
  // It was cancelled, or dropped, while the attempt was under way.
  if (row?.status !== 'pending') return webhook;
  const answered = outcome.kind === 'answered' ? outcome : undefined;
  const error = errorOf(outcome);
  const number = row.attempts + 1;
  const response =
    answered && (answered.response === '' || !isForgotten(db, events, row)) ? answered.response : null;
  insertAttempt(db, row, {
    number,
    started_at: startedAt,
    latency_ms: Math.max(0, endedAt - startedAt),
    status: answered?.status ?? null,
    response,
    error,
  });
  const next = withState(row, nextState(policy, stateOf(row), eventOf(finished, random())));
  saveDelivery(db, { ...next, attempts: number, last_status: answered?.status ?? null, last_error: error });
  if (outcome.kind === 'expired') return webhook;
  if (isSuccess(outcome))
    return { ...webhook, failing_since: null, last_failure_at: null, last_delivery_at: endedAt };
  return afterFailure(webhook, { status: answered?.status, at: endedAt });
}

/** A receiver may answer what it was sent; what was deleted meanwhile must not come back that way. */
function isForgotten(db: WriteDb, events: SettleDeps['events'], { account, seq }: DeliveryRow): boolean {
  const event = seq === null ? undefined : events.find(db, account, seq);
  return !event || (event.data.before === null && event.data.after === null);
}

/** Notes a failure, and turns the webhook off when its receiver is gone or failed for five days. */
function afterFailure(
  webhook: WebhookRow,
  { status, at }: { status: number | undefined; at: number },
): WebhookRow {
  const health = healthAfterFailure(
    { failingSince: webhook.failing_since, lastFailureAt: webhook.last_failure_at },
    at,
  );
  const failing = { ...webhook, failing_since: health.failingSince, last_failure_at: health.lastFailureAt };
  const reason = status === GONE ? 'gone' : isGivenUp(health) ? 'failing' : undefined;
  if (reason === undefined || webhook.status !== 'active') return failing;
  return { ...failing, status: 'disabled', disabled_reason: reason, disabled_at: at };
}

/** The event that tells that a webhook was turned off. */
export function disabledEvent({ account, id, url, disabled_reason }: WebhookRow): NewEvent {
  return {
    account,
    actor: { kind: 'system', id: 'webhooks' },
    origin: 'local',
    type: 'channel.publish',
    namespace: 'default',
    key: null,
    before: null,
    after: {
      channel: 'webhooks',
      // Only where it is: the rest of the URL may hold a token.
      payload: { webhook_id: id, host: new URL(url).host, status: 'disabled', reason: disabled_reason },
    },
  };
}
