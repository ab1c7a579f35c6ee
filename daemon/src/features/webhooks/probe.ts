import type { Caller } from '@reverie/shared/accounts/caller';
import { WEBHOOK_TEST } from '@reverie/shared/contract/events/webhooks';
import type { DeliveryDetail } from '@reverie/shared/contract/events/deliveries';
import { newUlid } from '../../platform/ids.ts';
import { testBody } from './sending/body.ts';
import { detailOf } from './deliveries.service.ts';
import { type DeliveryRow, insertAttempt, insertDelivery } from './deliveries.store.ts';
import { createSender, type AttemptOutcome } from './sending/sender.ts';
import { errorOf, isSuccess } from './settle.ts';
import { signedHeaders } from './sending/signature.ts';
import { allowWebhooks, getWebhookRow, type WebhookDeps } from './webhooks.service.ts';

export interface ProbeDeps extends WebhookDeps {
  timeoutMs: number;
  userAgent: string;
  /** Aborted when the daemon stops. */
  signal: AbortSignal;
}

/** Sends a test once, past the queue, and writes it into the delivery log. */
export async function probe(deps: ProbeDeps, caller: Caller, id: string): Promise<DeliveryDetail> {
  allowWebhooks(deps, caller);
  const { store, clock } = deps;
  const webhook = store.read((db) => getWebhookRow(db, caller.account, id));
  const startedAt = clock.now();
  const eventId = `evt_${newUlid(startedAt)}`;
  const body = testBody(eventId, { at: new Date(startedAt).toISOString(), keyId: caller.key.id });
  const policy = { loopback: webhook.allow_loopback, privateNetwork: webhook.allow_private_network };
  const sender = createSender(deps, new URL(webhook.url), policy);
  const headers = {
    'content-type': 'application/json',
    'user-agent': deps.userAgent,
    ...signedHeaders(webhook.secret, { id: eventId, at: startedAt, body }),
  };
  const sent = await sender.send({ headers, body, signal: deps.signal }).finally(() => sender.close());
  const outcome: Exclude<AttemptOutcome, { kind: 'cut' }> =
    sent.kind === 'cut' ? { kind: 'failed', error: 'Reverie was stopped meanwhile' } : sent;
  const endedAt = clock.now();
  const status = outcome.kind === 'answered' ? outcome.status : null;
  const error = errorOf(outcome);
  const row: DeliveryRow = {
    id: `dlv_${newUlid(startedAt)}`,
    account: caller.account,
    webhook_id: id,
    event_id: eventId,
    seq: null,
    type: WEBHOOK_TEST,
    namespace: 'default',
    status: isSuccess(outcome) ? 'delivered' : 'dead',
    is_test: 1,
    attempts: 1,
    tries: 1,
    next_at: null,
    created_at: startedAt,
    ended_at: endedAt,
    last_status: status,
    last_error: error,
  };
  return store.write((db) => {
    insertDelivery(db, row);
    insertAttempt(db, row, {
      number: 1,
      started_at: startedAt,
      latency_ms: Math.max(0, endedAt - startedAt),
      status,
      response: outcome.kind === 'answered' ? outcome.response : null,
      error,
    });
    return detailOf(db, row);
  });
}
