import type { Event } from '@reverie/shared/contract/events/events';
import { WEBHOOK_TEST, type WebhookBody } from '@reverie/shared/contract/events/webhooks';

/** The body of a delivery: the whole event, with the `timestamp` of Standard Webhooks beside its own name for it. */
export function bodyOf(event: Event): Buffer {
  const { id, seq, type, namespace, created_at, actor, data } = event;
  const body: WebhookBody = { id, seq, type, timestamp: created_at, namespace, created_at, actor, data };
  return Buffer.from(JSON.stringify(body));
}

/** The body of a test: it looks like a delivery, and is no event of the log. */
export function testBody(id: string, { at, keyId }: { at: string; keyId: string }): Buffer {
  const body: WebhookBody = {
    id,
    seq: null,
    type: WEBHOOK_TEST,
    timestamp: at,
    namespace: 'default',
    created_at: at,
    actor: { kind: 'key', id: keyId },
    data: { before: null, after: { message: 'This is a test of your webhook, sent by Reverie.' } },
  };
  return Buffer.from(JSON.stringify(body));
}
