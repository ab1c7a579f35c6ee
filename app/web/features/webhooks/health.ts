import type { Webhook } from '@reverie/shared/contract/webhooks';
import type { Delivery, DeliveryAttempt } from '@reverie/shared/contract/deliveries';
import type { Tone } from '../../ui/Badge.tsx';

/** How a webhook is doing, in a word or two and in a sentence that says what to do. */
export interface Health {
  tone: Tone;
  word: string;
  sentence: string;
}

export function healthOf(webhook: Webhook): Health {
  if (webhook.status === 'paused')
    return {
      tone: 'plain',
      word: 'paused',
      sentence: 'Nothing is sent. What happens meanwhile is delivered once it is resumed.',
    };
  if (webhook.status === 'disabled')
    return {
      tone: 'bad',
      word: 'disabled',
      sentence:
        webhook.disabled_reason === 'gone'
          ? 'Its receiver answered 410, which means that it is gone for good, so nothing is sent any more. If that is wrong, resume it.'
          : 'Nothing could be delivered for five days, so it was turned off. Mend the receiver, send a test, then resume it.',
    };
  if (webhook.failing_since !== null)
    return {
      tone: 'warn',
      word: 'failing',
      sentence:
        'Deliveries fail at the moment. Each is tried six times within about an hour and a half; then it is a dead letter, which can be replayed.',
    };
  if (webhook.last_delivery_at !== null)
    return { tone: 'good', word: 'works', sentence: 'The last delivery was accepted.' };
  return {
    tone: 'plain',
    word: 'waiting',
    sentence: 'Nothing was delivered yet. “Send a test” shows at once whether its receiver can be reached.',
  };
}

/** How a delivery stands, for its badge. */
export function deliveryTone({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): Tone {
  if (status === 'delivered') return 'good';
  if (status === 'dead') return 'bad';
  return status === 'pending' && attempts > 0 ? 'warn' : 'plain';
}

/** What came of an attempt: the HTTP status, or why it failed. */
export function outcomeOf({ status, error, latency_ms }: DeliveryAttempt): string {
  if (status !== null && error === null) return `Accepted with ${status} after ${latency_ms} ms`;
  return `Failed after ${latency_ms} ms: ${error ?? 'there was no answer'}`;
}

/** Whether an ended delivery can be made again. */
export function canReplay({ status, test }: Pick<Delivery, 'status' | 'test'>): boolean {
  return !test && status !== 'pending';
}
