import type { Webhook } from '@reverie/shared/contract/events/webhooks';
import type { Delivery, DeliveryAttempt } from '@reverie/shared/contract/events/deliveries';
import { countOf, formatCount, formatRelative } from '../../platform/format.ts';
import type { Tone } from '../../ui/Badge.tsx';

/** How a webhook is doing, in a word or two and in a sentence that says what to do. */
export interface WebhookHealth {
  tone: Tone;
  word: 'paused' | 'disabled' | 'failing' | 'waiting' | 'works' | 'not used yet';
  sentence: string;
}

/** How long a delivery may be on its way before it is said to wait, ms. */
const ON_ITS_WAY_MS = 5_000;

/** How a webhook is doing; one that is sent to is judged by its oldest waiting delivery, and only then by how the last one went. */
export function healthOf(webhook: Webhook, now: number): WebhookHealth {
  const { status, oldest_pending: oldest, failing_since, last_delivery_at, dead_letters } = webhook;
  if (status === 'paused')
    return {
      tone: 'plain',
      word: 'paused',
      sentence: 'Nothing is sent. What happens meanwhile is delivered once it is resumed.',
    };
  if (status === 'disabled') return { tone: 'bad', word: 'disabled', sentence: disabledWords(webhook) };
  if (oldest && oldest.attempts > 0)
    return { tone: 'warn', word: 'failing', sentence: failingWords(webhook, oldest, now) };
  if (oldest && now - Date.parse(oldest.since) > ON_ITS_WAY_MS)
    return {
      tone: 'warn',
      word: 'waiting',
      sentence: `${waits(webhook)}, the oldest from ${formatRelative(oldest.since, now)}: it was not tried yet. They go out at ${webhook.rate_per_s} a second at most.`,
    };
  if (failing_since !== null)
    return {
      tone: 'warn',
      word: 'failing',
      sentence: `The last delivery failed${dead_letters > 0 ? `, and ${deadWords(dead_letters)}` : ''}. Mend the receiver, then send a test.`,
    };
  if (last_delivery_at === null)
    return {
      tone: 'plain',
      word: 'not used yet',
      sentence: 'Nothing was delivered yet. “Send a test” shows at once whether its receiver can be reached.',
    };
  return {
    tone: 'good',
    word: 'works',
    sentence: `The last delivery was accepted, and nothing waits.${dead_letters > 0 ? ` From before, ${deadWords(dead_letters)}.` : ''}`,
  };
}

function disabledWords({ disabled_reason }: Webhook): string {
  return disabled_reason === 'gone'
    ? 'Its receiver answered 410, which means that it is gone for good, so nothing is sent any more. If that is wrong, resume it.'
    : 'Nothing could be delivered for five days, so it was turned off. Mend the receiver, send a test, then resume it.';
}

function failingWords(
  webhook: Webhook,
  { attempts, last_error, next_attempt_at, since }: NonNullable<Webhook['oldest_pending']>,
  now: number,
): string {
  const next = next_attempt_at === null ? 'now' : soon(next_attempt_at, now);
  const why = last_error === null ? '' : `: ${lowerFirst(errorWords(last_error))}`;
  return `${waits(webhook)}. The oldest, from ${formatRelative(since, now)}, was tried ${timesWords(attempts)}${why}. It is tried again ${next}; after six attempts it is a dead letter, which can be replayed.`;
}

function soon(at: string, now: number): string {
  return Date.parse(at) - now < 60_000 ? 'within a minute' : formatRelative(at, now);
}

function waits({ pending }: Webhook): string {
  return countOf(pending, 'delivery waits', 'deliveries wait');
}

function deadWords(count: number): string {
  return count === 1
    ? 'one dead letter can be replayed'
    : `${formatCount(count)} dead letters can be replayed`;
}

function timesWords(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${formatCount(count)} times`;
}

/** What the system says where there was no answer, and what that means. */
const SYSTEM_ERRORS = [
  ['ECONNREFUSED', 'Nothing listens there: the connection was refused'],
  ['ENOTFOUND', 'There is no address of that name'],
  ['EAI_AGAIN', 'The name could not be looked up; the network may be down'],
  ['ECONNRESET', 'The connection was cut'],
  ['ETIMEDOUT', 'There was no answer in time'],
  ['EHOSTUNREACH', 'There is no way to that machine'],
  ['ENETUNREACH', 'There is no way to that network'],
  ['CERT', 'Its certificate is not trusted'],
] as const;

/** Why an attempt failed, in words; what is in words already stays. */
export function errorWords(error: string): string {
  return SYSTEM_ERRORS.find(([code]) => error.includes(code))?.[1] ?? error;
}

/** A sentence as a part of another one; what is all in capitals stays. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** How a delivery stands, for its badge. */
export function deliveryTone({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): Tone {
  if (status === 'delivered') return 'good';
  if (status === 'dead') return 'bad';
  return status === 'pending' && attempts > 0 ? 'warn' : 'plain';
}

/** How a delivery stands, in a word or two. */
export function deliveryWord({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): string {
  if (status === 'pending') return attempts > 0 ? 'tried again soon' : 'waiting';
  return status === 'dead' ? 'dead letter' : status;
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
