import type { Clock } from '../../platform/clock.ts';
import { createRateWindow, type RateWindow } from './sending/rate-window.ts';
import { createSender, type Sender } from './sending/sender.ts';
import type { TargetRules } from './sending/target.ts';
import type { WebhookRow } from './webhooks.store.ts';

export interface LaneDeps {
  clock: Clock;
  rules: TargetRules;
  timeoutMs: number;
}

/** What the dispatcher keeps in memory of one webhook: no deliveries, only which of them are under way. */
export interface Lane {
  webhook: WebhookRow;
  /** The cursor as it is on disk; the one in `webhook` may be ahead of it by events that nobody wants. */
  savedCursor: number;
  /** Deliveries under way, or ended and not yet on disk. */
  taken: Set<string>;
  sending: number;
  window: RateWindow;
  sender: Sender;
  cut: AbortController;
  /** When there is something to do without being asked; infinite when there is nothing. */
  wakeAt: number;
}

function senderOf(deps: LaneDeps, webhook: WebhookRow): Sender {
  const policy = { loopback: webhook.allow_loopback, privateNetwork: webhook.allow_private_network };
  return createSender(deps, new URL(webhook.url), policy);
}

export function openLane(deps: LaneDeps, webhook: WebhookRow): Lane {
  const lane: Lane = {
    webhook,
    savedCursor: webhook.cursor,
    taken: new Set(),
    sending: 0,
    window: createRateWindow(() => lane.webhook.rate_per_s),
    sender: senderOf(deps, webhook),
    cut: new AbortController(),
    wakeAt: Number.POSITIVE_INFINITY,
  };
  return lane;
}

/** Takes over a changed registration; what is under way to another place, or with another secret, is cut and sent anew. */
export function changeLane(deps: LaneDeps, lane: Lane, webhook: WebhookRow): void {
  const before = lane.webhook;
  // What was looked at with the old choice of events is not looked at again with the new one.
  lane.webhook = { ...webhook, cursor: Math.max(before.cursor, webhook.cursor) };
  const isSame =
    before.url === webhook.url &&
    before.secret === webhook.secret &&
    before.allow_loopback === webhook.allow_loopback &&
    before.allow_private_network === webhook.allow_private_network;
  if (isSame) return;
  closeLane(lane);
  lane.cut = new AbortController();
  lane.sender = senderOf(deps, webhook);
}

export function closeLane(lane: Lane): void {
  lane.cut.abort();
  lane.sender.close();
}
