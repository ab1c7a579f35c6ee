import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Store } from '../../db/open-store.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { bodyOf } from './sending/body.ts';
import {
  type DeliveryRow,
  dueRetries,
  firstAttempts,
  nextRetryAt,
  oldestPending,
  orphans,
} from './deliveries.store.ts';
import type { RetryPolicy } from './delivery-state.ts';
import type { EventSource } from './event-source.ts';
import { changeLane, closeLane, type Lane, openLane } from './lane.ts';
import type { CreatePacer } from './sending/pacer.ts';
import { disabledEvent, type Finished } from './settle.ts';
import { signedHeaders } from './sending/signature.ts';
import type { TargetRules } from './sending/target.ts';
import { everyWebhook, findWebhook, saveWebhook } from './webhooks.store.ts';
import { type EndedAttempt, writeDeliveries, type WrittenDeliveries } from './write-down.ts';

export interface DispatcherDeps {
  store: Store;
  clock: Clock;
  log: Log;
  events: EventSource;
  settings: DispatcherSettings;
}

export interface DispatcherSettings {
  policy: RetryPolicy;
  timeoutMs: number;
  rules: TargetRules;
  random: () => number;
  createPacer: CreatePacer;
  userAgent: string;
}

/** Delivers events to webhooks: from the log to rows, from rows to receivers, from answers to rows. */
export interface Dispatcher {
  /** Told after each commit that wrote events. */
  wake(): void;
  /** Told after a webhook was made, changed or deleted, or has deliveries to do again. */
  changed(account: AccountId, id: string): void;
  start(): void;
  stop: Stop;
}

const IN_FLIGHT = 8;
/** Attempts that are begun in one go. */
const BEGUN_AT_ONCE = 64;
const LONGEST_SLEEP = 10_000;
const AFTER_TROUBLE = 1000;

export function createDispatcher({ store, clock, log, events, settings }: DispatcherDeps): Dispatcher {
  const { policy, timeoutMs, rules, random } = settings;
  const laneDeps = { clock, rules, timeoutMs };
  const lanes = new Map<string, Lane>();
  /** Lanes that may have events to make deliveries of, and those that may have attempts to begin. */
  const behind = new Set<Lane>();
  const ready = new Set<Lane>();
  const abandoned = new Set<string>();
  let finished: EndedAttempt[] = [];
  let head = 0;
  let running = false;
  let alarm: { stop(): void } | undefined;
  const pacer = settings.createPacer(pump);

  function pump(): void {
    if (!running) return;
    try {
      writeDown();
    } catch (err) {
      // Nothing is lost: what ended stays in memory, what is to come stays in the log.
      log.warn({ err }, 'deliveries could not be written down; it is tried again in a second');
      sleep(AFTER_TROUBLE);
      return;
    }
    const now = clock.now();
    for (const lane of lanes.values()) if (lane.wakeAt <= now) ready.add(lane);
    let begun = 0;
    for (const lane of ready) {
      if (begun >= BEGUN_AT_ONCE) break;
      ready.delete(lane);
      begun += fill(lane);
    }
    if (behind.size > 0 || ready.size > 0 || abandoned.size > 0 || finished.length > 0) pacer.ask();
    else sleepUntilDue();
  }

  /** One transaction for what ended and what is new. */
  function writeDown(): void {
    lookForNew();
    if (finished.length === 0 && behind.size === 0 && abandoned.size === 0) return;
    const ended = finished;
    // What a power cut would take of this is made again from the log, and sent again.
    const written = store.writeRepeatable((db) =>
      writeDeliveries(
        db,
        { policy, events, random, now: clock.now() },
        { lanes: lanes.values(), ended, behind, abandoned },
      ),
    );
    finished = finished.slice(ended.length);
    takeOver(ended, written);
  }

  /** Lanes of whose accounts the log has something new are behind. */
  function lookForNew(): void {
    const newest = store.read((db) => events.newest(db));
    if (newest <= head) return;
    const touched = new Set(store.read((db) => events.accountsAfter(db, head)));
    for (const lane of lanes.values()) if (touched.has(lane.webhook.account)) behind.add(lane);
    head = newest;
  }

  /** What is on disk now is so in memory, too. */
  function takeOver(ended: readonly EndedAttempt[], written: WrittenDeliveries): void {
    for (const { lane, end } of ended) {
      lane.taken.delete(end.row.id);
      if (lanes.has(lane.webhook.id)) ready.add(lane);
    }
    const turnedOff = [...written.webhooks].filter(
      ([lane, webhook]) => webhook.status === 'disabled' && lane.webhook.status !== 'disabled',
    );
    for (const [lane, webhook] of written.webhooks) lane.webhook = webhook;
    for (const [lane] of turnedOff) store.write((db) => events.record(db, disabledEvent(lane.webhook)));
    for (const lane of written.saved) lane.savedCursor = lane.webhook.cursor;
    for (const lane of written.caughtUp) behind.delete(lane);
    // Those that are still behind go to the end of the line.
    for (const lane of written.given) {
      ready.add(lane);
      if (behind.delete(lane)) behind.add(lane);
    }
    for (const id of written.cancelled) abandoned.delete(id);
  }

  /** Begins what may begin; answers how many, and notes when there may be more. */
  function fill(lane: Lane): number {
    lane.wakeAt = Number.POSITIVE_INFINITY;
    const { webhook } = lane;
    if (webhook.status !== 'active') return 0;
    const now = clock.now();
    const slots = webhook.ordered ? (lane.taken.size === 0 ? 1 : 0) : IN_FLIGHT - lane.sending;
    if (slots <= 0) return 0;
    const room = Math.min(slots, lane.window.room(now));
    const rows = room > 0 ? store.read((db) => pick(lane, { now, limit: room, db })) : [];
    for (const row of rows) begin(lane, row);
    if (rows.length === slots) return rows.length;
    const dueAt = room < slots && rows.length === room ? now + lane.window.wait(now) : undefined;
    lane.wakeAt = Math.min(dueAt ?? Number.POSITIVE_INFINITY, retryAt(lane, now) ?? Number.POSITIVE_INFINITY);
    return rows.length;
  }

  function pick(
    { webhook, taken }: Lane,
    { now, limit, db }: { now: number; limit: number; db: Parameters<typeof firstAttempts>[0] },
  ): DeliveryRow[] {
    if (webhook.ordered) {
      const next = oldestPending(db, webhook.id);
      return next && (next.next_at ?? 0) <= now ? [next] : [];
    }
    const free = (row: DeliveryRow) => !taken.has(row.id);
    const first = firstAttempts(db, webhook.id, limit + taken.size).filter(free);
    const retries = dueRetries(db, webhook.id, { now, limit: limit + taken.size }).filter(free);
    // In turns, so that neither a stream of new events nor a heap of retries holds up the other.
    const rows: DeliveryRow[] = [];
    while (rows.length < limit && first.length + retries.length > 0) {
      const row =
        rows.length % 2 === 0 ? (first.shift() ?? retries.shift()) : (retries.shift() ?? first.shift());
      if (row) rows.push(row);
    }
    return rows;
  }

  /** When the next retry is due after the time that was looked at: what became due since then is none that was picked. */
  function retryAt({ webhook, taken }: Lane, now: number): number | undefined {
    if (taken.size > 0 && webhook.ordered) return undefined;
    return store.read((db) =>
      webhook.ordered
        ? (oldestPending(db, webhook.id)?.next_at ?? undefined)
        : nextRetryAt(db, webhook.id, now),
    );
  }

  function begin(lane: Lane, row: DeliveryRow): void {
    const startedAt = clock.now();
    const finish = (outcome: Finished['outcome']) => {
      finished.push({ lane, end: { row, startedAt, endedAt: clock.now(), outcome } });
      pacer.ask();
    };
    lane.taken.add(row.id);
    const event = store.read((db) => (row.seq === null ? undefined : events.find(db, row.account, row.seq)));
    if (!event) return finish({ kind: 'expired' });
    const body = bodyOf(event);
    lane.sending += 1;
    lane.window.count(startedAt);
    const headers = {
      'content-type': 'application/json',
      'user-agent': settings.userAgent,
      ...signedHeaders(lane.webhook.secret, { id: event.id, at: startedAt, body }),
    };
    void lane.sender.send({ headers, body, signal: lane.cut.signal }).then((outcome) => {
      lane.sending -= 1;
      if (outcome.kind !== 'cut') return finish(outcome);
      lane.taken.delete(row.id);
      if (lanes.has(lane.webhook.id)) ready.add(lane);
      pacer.ask();
    });
  }

  function sleepUntilDue(): void {
    const wakeAt = Math.min(...[...lanes.values()].map((lane) => lane.wakeAt));
    if (Number.isFinite(wakeAt)) sleep(wakeAt - clock.now());
  }

  /** Looks again after a while; the longest is 10 s, for the clock of the machine may be set meanwhile. */
  function sleep(ms: number): void {
    alarm?.stop();
    alarm = clock.every(Math.min(LONGEST_SLEEP, Math.max(1, ms)), () => {
      alarm?.stop();
      pacer.ask();
    });
  }

  function look(lane: Lane): void {
    behind.add(lane);
    ready.add(lane);
    pacer.ask();
  }

  return {
    wake: () => pacer.ask(),
    changed(account, id) {
      if (!running) return;
      const webhook = store.read((db) => findWebhook(db, account, id));
      const lane = lanes.get(id);
      if (webhook && lane) {
        changeLane(laneDeps, lane, webhook);
        store.write((db) => saveWebhook(db, lane.webhook));
        lane.savedCursor = lane.webhook.cursor;
      }
      if (webhook) {
        const open = lane ?? openLane(laneDeps, webhook);
        lanes.set(id, open);
        return look(open);
      }
      lanes.delete(id);
      abandoned.add(id);
      if (lane) {
        behind.delete(lane);
        ready.delete(lane);
        closeLane(lane);
      }
      pacer.ask();
    },
    start() {
      running = true;
      for (const webhook of store.read(everyWebhook)) lanes.set(webhook.id, openLane(laneDeps, webhook));
      for (const id of store.read(orphans)) abandoned.add(id);
      head = store.read((db) => events.newest(db));
      for (const lane of lanes.values()) look(lane);
    },
    stop() {
      if (!running) return;
      alarm?.stop();
      pacer.stop();
      for (const lane of lanes.values()) closeLane(lane);
      try {
        writeDown();
      } catch (err) {
        log.warn({ err }, 'the last deliveries could not be written down; they are sent again');
      }
      running = false;
    },
  };
}
