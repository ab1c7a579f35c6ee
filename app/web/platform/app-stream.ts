import type { Cursor } from './connection.ts';
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
