import { z } from 'zod';
import type { Cursor } from './connection.ts';
import type { SocketEvents } from './live.ts';

/** Whether the page runs in the desktop app, which serves it, forwards its calls and signs it in. */
export const isInApp = globalThis.location?.protocol === 'app:';

const Ticket = z.object({ ticket: z.string().min(1) });

/** A ticket of this window, from the app; undefined while no daemon proves itself to the app. */
export async function ticketOfApp(): Promise<string | undefined> {
  const reply = await fetch('/desktop/ticket', { method: 'POST' }).catch(() => undefined);
  return reply?.ok ? Ticket.parse(await reply.json()).ticket : undefined;
}

/** The stream as lines over `fetch`: the app opens the WebSocket itself, to a daemon that proved who it is. */
export function openLines(token: string): (cursor: Cursor, events: SocketEvents) => () => void {
  return (cursor, events) => {
    const over = new AbortController();
    const query = new URLSearchParams({ since: String(cursor.since), log_id: cursor.log_id });
    void read(`/v1/stream?${query}`, { token, signal: over.signal }, events).finally(() => {
      if (!over.signal.aborted) events.closed();
    });
    return () => over.abort();
  };
}

async function read(
  address: string,
  { token, signal }: { token: string; signal: AbortSignal },
  events: SocketEvents,
): Promise<void> {
  try {
    const reply = await fetch(address, { headers: { Authorization: `Bearer ${token}` }, signal });
    if (!reply.ok || !reply.body) return;
    events.opened();
    let rest = '';
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value = '' } = await reader.read();
      if (done || signal.aborted) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') events.received(line);
    }
  } catch {
    // As with a socket, it cannot be said what ended it: whoever follows the stream asks by a call.
  }
}
