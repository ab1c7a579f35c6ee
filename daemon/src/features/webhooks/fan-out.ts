import type { EventType } from '@reverie/shared/contract/events/events';
import type { WriteDb } from '../../db/open-store.ts';
import { newUlid } from '../../platform/ids.ts';
import { insertDelivery, withState } from './deliveries.store.ts';
import { newDelivery } from './delivery-state.ts';
import type { EventHeader, EventSource } from './event-source.ts';
import type { WebhookRow } from './webhooks.store.ts';

/** Events that are looked at in one go, for one webhook. */
export const FAN_OUT_PAGE = 200;

/** Whether a webhook asked for an event. What was imported is never delivered. */
export function wants({ events, origins }: WebhookRow, { type, origin }: EventHeader): boolean {
  if (origin === 'import' || (origin === 'device' && origins === 'local')) return false;
  return events.some((pattern) => pattern === '*' || pattern === type || pattern === `${familyOf(type)}.*`);
}

function familyOf(type: EventType): string {
  return type.slice(0, type.indexOf('.'));
}

export type ReadPage = (webhook: Pick<WebhookRow, 'account' | 'cursor'>) => EventHeader[];

/** Reads a page of the log once for all webhooks that stand at the same place. */
export function sharedPages(db: WriteDb, events: Pick<EventSource, 'after'>): ReadPage {
  const pages = new Map<string, EventHeader[]>();
  return ({ account, cursor }) => {
    const name = `${account} ${cursor}`;
    const found = pages.get(name) ?? events.after(db, account, { seq: cursor, limit: FAN_OUT_PAGE });
    pages.set(name, found);
    return found;
  };
}

/** Makes deliveries of the next page of events; answers where the webhook stands then, and how many were made. */
export function fanOut(
  db: WriteDb,
  webhook: WebhookRow,
  { page, now }: { page: readonly EventHeader[]; now: number },
): { cursor: number; made: number } {
  let made = 0;
  for (const header of page) {
    if (!wants(webhook, header)) continue;
    made += 1;
    const row = {
      id: `dlv_${newUlid(now)}`,
      account: webhook.account,
      webhook_id: webhook.id,
      event_id: header.id,
      seq: header.seq,
      type: header.type,
      namespace: header.namespace,
      status: 'pending' as const,
      is_test: 0 as const,
      attempts: 0,
      tries: 0,
      next_at: 0,
      created_at: now,
      ended_at: null,
      last_status: null,
      last_error: null,
    };
    insertDelivery(db, withState(row, newDelivery));
  }
  return { cursor: page.at(-1)?.seq ?? webhook.cursor, made };
}
