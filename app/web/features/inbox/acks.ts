import type { Client } from '@reverie/shared/client';
import { ackMessage } from '@reverie/shared/contract/events/inbox';
import { call, callWhileLeaving } from '../../platform/daemon/api.ts';
import { wallClock } from '../../platform/clock.ts';
import { notify } from '../../platform/notices.ts';
import { queryClient } from '../../platform/queries/query-client.ts';
import { createUndoQueue } from '../../platform/undo-queue.ts';
import { unreadQuery } from './queries.ts';

/** A message that is about to be marked as read. */
export interface PendingAck {
  id: string;
  namespace: string;
}

const UNDO_MS = 4_000;

/** There is no way to mark a message as unread, so acknowledging waits for a moment in which it can be undone. */
export const acks = createUndoQueue<PendingAck>({
  clock: wallClock,
  delayMs: UNDO_MS,
  run: (ack) => acknowledge(call, ack),
});

/** Sends what waits before the page goes. Returns how to stop looking out for that. */
export function sendAcksOnLeave(page: Window): () => void {
  const leave = () => void acks.flush((ack) => acknowledge(callWhileLeaving, ack));
  page.addEventListener('pagehide', leave);
  return () => page.removeEventListener('pagehide', leave);
}

async function acknowledge(client: Client, { id, namespace }: PendingAck): Promise<void> {
  try {
    await client(ackMessage, { params: { namespace, id } });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notify('bad', `It was not marked as read: ${reason}. Try again.`);
  }
  await Promise.all(
    [['inbox', namespace], unreadQuery.queryKey].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}
