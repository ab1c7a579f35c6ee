import type { WriteDb } from '../../db/open-store.ts';
import { cancelPending } from './deliveries.store.ts';
import type { EventSource } from './event-source.ts';
import { FAN_OUT_PAGE, fanOut, sharedPages } from './fan-out.ts';
import type { Lane } from './lane.ts';
import { type Finished, settle, type SettleDeps } from './settle.ts';
import { saveWebhook, type WebhookRow } from './webhooks.store.ts';

/** Rows that are made in one go. */
const MADE_AT_ONCE = 400;
const CANCELLED_AT_ONCE = 1000;
/** The log is read on at least this often on disk, however few events are wanted. */
const CURSOR_LAG = 1000;

/** An attempt that ended, of a webhook. */
export interface EndedAttempt {
  readonly lane: Lane;
  readonly end: Finished;
}

/** What there is to write down. */
export interface UnwrittenDeliveries {
  readonly lanes: Iterable<Lane>;
  readonly ended: readonly EndedAttempt[];
  /** Lanes that may have events to make deliveries of, in the order in which they get their turn. */
  readonly behind: Iterable<Lane>;
  /** Ids of webhooks that are gone, whose deliveries may be pending. */
  readonly abandoned: Iterable<string>;
}

/** What was written down, for memory to take over once it is on disk. */
export interface WrittenDeliveries {
  /** The webhooks as they are then. */
  readonly webhooks: ReadonlyMap<Lane, WebhookRow>;
  /** Lanes whose webhooks were saved. */
  readonly saved: Iterable<Lane>;
  /** Lanes that have nothing more to read for now. */
  readonly caughtUp: readonly Lane[];
  /** Lanes that were given deliveries. */
  readonly given: readonly Lane[];
  /** Ids of webhooks that have nothing pending any more. */
  readonly cancelled: readonly string[];
}

interface WriteDownDeps extends SettleDeps {
  events: Pick<EventSource, 'find' | 'after'>;
}

/** Writes down what ended and what is new, in the transaction of the caller; what is in memory stays as it is, for that may be rolled back. */
export function writeDeliveries(
  db: WriteDb,
  { policy, events, random, now }: WriteDownDeps & { now: number },
  { lanes, ended, behind, abandoned }: UnwrittenDeliveries,
): WrittenDeliveries {
  const webhooks = new Map([...lanes].map((lane) => [lane, lane.webhook]));
  const dirty = new Set<Lane>();
  for (const { lane, end } of ended) {
    const webhook = webhooks.get(lane);
    if (!webhook) continue;
    webhooks.set(lane, settle(db, { policy, events, random }, { webhook, finished: end }));
    dirty.add(lane);
  }
  const pages = sharedPages(db, events);
  const caughtUp: Lane[] = [];
  const given: Lane[] = [];
  let made = 0;
  for (const lane of behind) {
    if (made >= MADE_AT_ONCE) break;
    const webhook = webhooks.get(lane);
    const page = webhook?.status === 'active' ? pages(webhook) : [];
    if (page.length < FAN_OUT_PAGE) caughtUp.push(lane);
    if (!webhook || page.length === 0) continue;
    const step = fanOut(db, webhook, { page, now });
    webhooks.set(lane, { ...webhook, cursor: step.cursor });
    made += step.made;
    if (step.made > 0) given.push(lane);
    if (step.made > 0 || step.cursor - lane.savedCursor > CURSOR_LAG) dirty.add(lane);
  }
  for (const lane of dirty) saveWebhook(db, webhooks.get(lane) ?? lane.webhook);
  const cancelled = [...abandoned].filter(
    (id) => cancelPending(db, id, { now, limit: CANCELLED_AT_ONCE }) < CANCELLED_AT_ONCE,
  );
  return { webhooks, saved: dirty, caughtUp, given, cancelled };
}
