import type { Cursor } from './connection.ts';
import { linesOf } from './lines.ts';
import type { SocketEvents } from './live.ts';

/** Reads the stream of events as lines until it ends or is aborted; as with a socket, it does not say what ended it. */
export async function readStream(
  token: string,
  cursor: Cursor,
  { events, signal }: { events: SocketEvents; signal: AbortSignal },
): Promise<void> {
  const query = new URLSearchParams({ since: String(cursor.since), log_id: cursor.log_id });
  const address = `/v1/stream?${query}`;
  try {
    const reply = await fetch(address, { headers: { Authorization: `Bearer ${token}` }, signal });
    if (!reply.ok || !reply.body) return;
    events.opened();
    for await (const line of linesOf(reply.body)) {
      if (signal.aborted) return;
      events.received(line);
    }
  } catch {
    // As with a socket, it cannot be said what ended it: whoever follows the stream asks by a call.
  }
}
